package fsck

import (
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
)

// Options is what a Checker works with.
type Options struct {
	Config  file.Tree // <config_dir>
	Cache   file.Tree // <cache_dir>
	Project session.Project
	Facts   *fact.Store
	Now     func() time.Time // the age of temporary files goes by it
	// Repairs is the project's sessions as commands write them; only Repair uses it.
	Repairs *session.Store
	// Step is told how many of the sessions are looked at. May be nil.
	Step func(done, total int64)
}

// Checker checks one project. It keeps nothing open between calls.
type Checker struct {
	opt Options
	// sessions has no cache directory: it reads no index and writes none, so
	// that every log is scanned whole.
	sessions *session.Store
	codes    codes
}

// New returns a Checker; it opens nothing.
func New(opt Options) *Checker {
	return &Checker{opt: opt, sessions: session.NewStore(session.Options{
		Config: opt.Config, Project: opt.Project, Now: opt.Now,
	})}
}

func (c *Checker) sessionDir() string        { return path.Join("sessions", c.opt.Project.Slug) }
func (c *Checker) memoryDir() string         { return path.Join("memory", c.opt.Project.Slug) }
func (c *Checker) logName(id string) string  { return path.Join(c.sessionDir(), id+".jsonl") }
func (c *Checker) lockName(id string) string { return path.Join(c.sessionDir(), id+".lock") }
func (c *Checker) indexDir() string          { return path.Join("index", c.opt.Project.Slug) }
func (c *Checker) factsName() string         { return path.Join(c.memoryDir(), "facts.sqlite3") }
func (c *Checker) factsLock() string         { return path.Join(c.memoryDir(), "facts.lock") }
func (c *Checker) notesLock() string         { return path.Join(c.memoryDir(), "notes.lock") }

// report takes findings as they come; its error ends the check.
type report func(Finding) error

// Check looks at everything that lies there for the project and hands each
// finding to found, in a fixed order: files, logs with their indexes, the fact
// database, the evidence of facts. It writes nothing, takes no lock, and reads
// a log that is being written as far as it was when it was opened.
//
// The error is found's own, the context's, or a failure of the machine; what
// is wrong with the files is a finding.
func (c *Checker) Check(ctx context.Context, found func(Finding) error) error {
	c.codes = codes{map[[2]byte]string{}, map[string][2]byte{}}
	for _, step := range []func(context.Context, report) error{c.files, c.logs, c.facts} {
		if err := step(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) step(done, total int) {
	if c.opt.Step != nil {
		c.opt.Step(int64(done), int64(total))
	}
}

// refusal is the finding for an error that says that a file is not to be used;
// false where err is no such thing but a failure of the machine.
func (c *Checker) refusal(tree treeKind, name string, err error) (Finding, bool) {
	var p *plumbing.Error
	if !errors.As(err, &p) {
		return Finding{}, false
	}
	help := p.Message
	if p.Hint != "" {
		help += ": " + p.Hint
	}
	switch {
	case errors.Is(err, plumbing.ErrCorrupt):
		return c.finding(LogCorrupt, tree, name, help), true
	case errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrBusy), errors.Is(err, plumbing.ErrInvalid):
		return c.finding(Unreadable, tree, name, help), true
	}
	return Finding{}, false
}

// generation is the project's, or -1 where the database cannot tell.
func (c *Checker) generation() (int64, error) {
	g, err := c.opt.Facts.Generation()
	if errors.Is(err, plumbing.ErrCorrupt) || errors.Is(err, plumbing.ErrRefused) || errors.Is(err, plumbing.ErrBusy) {
		return -1, nil // the fact database has a finding of its own
	}
	if err != nil {
		return 0, fmt.Errorf("read the generation: %w", err)
	}
	return g, nil
}
