package note

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// MaxFile is the most bytes a file may have to be read whole, appended to or
// edited. Search streams files of any size.
const MaxFile = 16 << 20

// Options is what a store needs from outside.
type Options struct {
	Config file.Tree        // <config_dir>
	Slug   string           // the project's
	Now    func() time.Time // the clock; its Location decides which day it is
	Holder string           // what a writer that finds the lock taken is told
	// LockWait is how long a write waits for another one; then it is
	// plumbing.ErrBusy. 0 is not at all.
	LockWait time.Duration
	// Prepare runs before a file is read, searched, listed or written while the
	// project's memory folder does not exist; an error of it is the caller's.
	// May be nil.
	Prepare func(ctx context.Context) error
}

// Store is one project's Markdown files. It opens and makes nothing until it
// is used, holds nothing open in between, and may be used by several
// goroutines at once.
type Store struct {
	opt Options
}

// NewStore returns the store of a project.
func NewStore(o Options) *Store { return &Store{o} }

// name is where a file lies in the tree.
func (s *Store) name(file string) string { return path.Join("memory", s.opt.Slug, file) }

// Prepare runs Options.Prepare where the project's memory folder is not there
// yet, as every method does before it looks at a file.
func (s *Store) Prepare(ctx context.Context) error {
	if s.opt.Prepare == nil {
		return nil
	}
	if _, err := s.opt.Config.Lstat(path.Join("memory", s.opt.Slug)); errors.Is(err, fs.ErrNotExist) {
		return s.opt.Prepare(ctx)
	}
	return nil // whatever else is wrong there, what comes next says
}

// lock takes the project's lock for writing, and makes the memory folder for it.
func (s *Store) lock(ctx context.Context) (*file.Lock, error) {
	if err := s.Prepare(ctx); err != nil {
		return nil, err
	}
	waiting, stop := context.WithTimeout(ctx, s.opt.LockWait)
	defer stop()
	l, err := s.opt.Config.Lock(waiting, s.name("notes.lock"), s.opt.Holder)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return l, err
}

// missing says that a file is not there; hint may be empty.
func missing(file, hint string) error {
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("%s does not exist", show(file)), hint)
}
