package adopt

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

// Place is a project: its root and the slug that its folders go by.
type Place struct{ Root, Slug string }

// Options says who adopts what.
type Options struct {
	Config   file.Tree // <config_dir>
	Old, New Place
	Now      func() time.Time
	// Prepare, where set, is called before the new project's memory folder is
	// made for the aliases alone.
	Prepare func(ctx context.Context) error
	// Settle, where set, is called for the old project before its folder is
	// moved, so that a database that a crash left half written is whole.
	Settle func(ctx context.Context) error
}

// Adopted says what was moved.
type Adopted struct {
	Changed  bool
	Memory   bool  // the folder with facts and notes
	Sessions int64 // logs
	Usage    bool  // the ledger
}

// Adopt moves the memory, the sessions and the ledger of the old root to the
// project and notes the old root among its aliases (design section 3). That
// the old root no longer exists is the caller's to check.
//
// It may be cut off anywhere and called again: the aliases are written before
// the folder moves and move with it, memory moves before sessions, so that no
// session is shown without what was forgotten of it, and what has moved is
// not moved twice.
//
// Nothing to adopt is plumbing.ErrNotFound; memory, or a session of the same
// ID, on both sides is ErrConflict, and nothing is moved; a session, fact
// database or note that is being written is ErrBusy.
func Adopt(ctx context.Context, o Options) (a Adopted, err error) {
	lock, err := o.Config.Lock(ctx, path.Join("memory", ".adopt.lock"), "lecode slug --adopt")
	if err != nil {
		return a, err
	}
	defer lock.Unlock()
	old, err := look(o)
	if err != nil {
		return a, err
	}
	if old.nothing() {
		return a, o.done()
	}
	if err := old.check(o); err != nil {
		return a, err
	}
	release, err := old.hold(o)
	if err != nil {
		return a, err
	}
	defer release()
	if o.Settle != nil && old.memory {
		if err := o.Settle(ctx); err != nil {
			return a, fmt.Errorf("look at the old project's facts: %w", err)
		}
	}
	if o.Prepare != nil && !old.memory {
		if err := o.Prepare(ctx); err != nil {
			return a, err
		}
	}
	if err := old.moveMemory(o); err != nil {
		return a, err
	}
	a.Changed, a.Memory = true, old.memory
	for _, name := range old.files {
		if err := o.moveSessionFile(name); err != nil {
			return a, err
		}
		if path.Ext(name) == ".jsonl" {
			a.Sessions++
		}
	}
	if a.Usage, err = o.moveUsage(); err != nil {
		return a, err
	}
	release()
	return a, o.clear(path.Join("sessions", o.Old.Slug), isLock)
}

// done is the answer where nothing is left to move: fine where it was adopted before.
func (o Options) done() error {
	known, err := Aliases(o.Config, o.New.Slug)
	if err != nil {
		return err
	}
	for _, root := range known {
		if root == o.Old.Root {
			return nil
		}
	}
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("nothing is kept for a project at %q", o.Old.Root),
		"give the root exactly as it was; the folders under memory and sessions in the configuration directory end with its hash")
}

// moveMemory moves the folder, the aliases in it already; where the old project has none they are noted in the new one's.
func (s stock) moveMemory(o Options) error {
	list := with(append(s.aliases, s.known...), o.Old.Root, o.Now())
	if !s.memory {
		return note(o.Config, o.New.Slug, list)
	}
	if err := note(o.Config, o.Old.Slug, list); err != nil {
		return err
	}
	if err := o.clearWay(s); err != nil {
		return err
	}
	err := o.Config.MoveNew(path.Join("memory", o.Old.Slug), path.Join("memory", o.New.Slug))
	if errors.Is(err, fs.ErrExist) {
		return conflict(o, "memory was made there at this very moment")
	}
	return err
}

// clearWay removes the new project's folder, in which there are only locks and aliases.
func (o Options) clearWay(s stock) error {
	if !s.inTheWay {
		return nil
	}
	dir := path.Join("memory", o.New.Slug)
	return o.clear(dir, replaceable)
}

// clear removes a folder whose files may all go; it stays where one may not, made meanwhile.
func (o Options) clear(dir string, mayGo func(name string) bool) error {
	list, err := o.Config.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range list {
		if !mayGo(e.Name()) {
			return nil
		}
		if err := o.Config.Remove(path.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("clear an empty folder: %w", err)
		}
	}
	if err := o.Config.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("clear an empty folder: %w", err)
	}
	return nil
}

func isLock(name string) bool { return path.Ext(name) == ".lock" }

// replaceable reports whether a file in a memory folder says nothing of its own: a lock, or aliases that were read.
func replaceable(name string) bool { return name == "aliases" || isLock(name) }

func (o Options) moveSessionFile(name string) error {
	from, to := path.Join("sessions", o.Old.Slug, name), path.Join("sessions", o.New.Slug, name)
	err := o.Config.MoveNew(from, to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, fs.ErrExist):
		return conflict(o, fmt.Sprintf("%q is there already", o.Config.Path(to)))
	}
	return err
}

// moveUsage moves the ledger; where the project has one already the old lines
// come behind its own, and a line that is there twice after a crash counts
// once by its call ID.
func (o Options) moveUsage() (bool, error) {
	from, to := path.Join("usage", o.Old.Slug+".jsonl"), path.Join("usage", o.New.Slug+".jsonl")
	err := o.Config.MoveNew(from, to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case errors.Is(err, fs.ErrExist):
		return true, o.joinUsage(from, to)
	}
	return err == nil, err
}
