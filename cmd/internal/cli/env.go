package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/adopt"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/slug"
)

// lockWait is how long a command waits for a session that another process has attached (design section 4).
const lockWait = 5 * time.Second

// noteWait is how long a write of a note waits for the others.
const noteWait = 30 * time.Second

// Env is what a command works with. The stores are built at their first use
// and open nothing before that.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string

	program Program
	command string
	globals Globals

	project  *slug.Project
	dir      string // that the project was asked for
	told     bool   // that older notes are not copied
	writer   string // of the sessions that are begun; "": plumbing
	settings *config.Config
	stores   *Stores

	lines    sync.Mutex   // for line
	line     *progress    // that is shown, or was
	catching atomic.Int32 // how many deal with an interrupt
}

// Writer says who begins sessions, for the header's "writer" (design section 4);
// it is called before Stores.
func (e *Env) Writer(name string) { e.writer = name }

// Context ends when the user interrupts; stop gives the signal back. Commands
// that only wait for stdin do without it and let the signal end the process.
func (e *Env) Context() (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt)
	return ctx, e.catches(stop)
}

// Project is the identity of the project that the working directory belongs to.
func (e *Env) Project() (slug.Project, error) {
	if e.project != nil {
		return *e.project, nil
	}
	wd, err := os.Getwd()
	if err != nil {
		return slug.Project{}, &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err,
			Message: "the working directory no longer exists", Hint: "change to one that does, or use -C DIR"}
	}
	return e.ProjectOf(wd)
}

// ProjectOf is the identity of the project that dir belongs to; the first one asked for stays the command's.
func (e *Env) ProjectOf(dir string) (slug.Project, error) {
	p, err := slug.Find(context.Background(), slug.Options{Dir: dir, Getenv: e.Getenv})
	if err == nil && e.project == nil {
		e.project, e.dir = &p, dir
	}
	return p, err
}

// configTree is <config_dir> (design section 3).
func (e *Env) configTree() (file.Tree, error) {
	wd, err := os.Getwd()
	if err != nil {
		return file.Tree{}, fmt.Errorf("find the working directory: %w", err)
	}
	dir, err := config.ConfigDir(e.globals.ConfigDir, e.Getenv, os.UserConfigDir, wd)
	return file.Tree{Dir: filepath.Clean(dir)}, err
}

// cacheTree is <cache_dir>.
func (e *Env) cacheTree() (file.Tree, error) {
	wd, err := os.Getwd()
	if err != nil {
		return file.Tree{}, fmt.Errorf("find the working directory: %w", err)
	}
	dir, err := config.CacheDir(e.globals.CacheDir, e.Getenv, os.UserCacheDir, wd)
	return file.Tree{Dir: filepath.Clean(dir)}, err
}

// Settings is the merged configuration of the project (design section 14). A
// command that asks for it does so before it asks for Stores, which then holds
// facts to memory.enabled.
func (e *Env) Settings() (*config.Config, error) {
	if e.settings != nil {
		return e.settings, nil
	}
	p, err := e.Project()
	if err != nil {
		return nil, err
	}
	tree, err := e.configTree()
	if err != nil {
		return nil, err
	}
	e.settings, err = config.Load(config.Options{ConfigDir: tree.Dir, Slug: p.Slug, Env: e.Getenv})
	return e.settings, err
}

// Memory is the memory section of the configuration, for commands that are
// refused (plumbing.ErrRefused) where memory.enabled is false (design section 6).
func (e *Env) Memory() (config.Memory, error) {
	settings, err := e.Settings()
	if err != nil {
		return config.Memory{}, err
	}
	if !settings.Memory.Enabled {
		return config.Memory{}, plumbing.Fail(plumbing.ErrRefused, "memory is disabled: memory.enabled is false",
			"`lecode config` says where that is set")
	}
	return settings.Memory, nil
}

// Directories are <config_dir> and <cache_dir>, absolute.
func (e *Env) Directories() (configDir, cacheDir string, err error) {
	c, err := e.configTree()
	if err != nil {
		return "", "", err
	}
	k, err := e.cacheTree()
	return c.Dir, k.Dir, err
}

// Chosen is the flags that name the directories which the user chose, by a flag
// or in the environment, for a program that is started elsewhere.
func (e *Env) Chosen() ([]string, error) {
	configDir, cacheDir, err := e.Directories()
	if err != nil {
		return nil, err
	}
	var flags []string
	if e.globals.ConfigDir != "" || e.Getenv("LECODE_CONFIG_DIR") != "" {
		flags = append(flags, "--config-dir", configDir)
	}
	if e.globals.CacheDir != "" || e.Getenv("LECODE_CACHE_DIR") != "" {
		flags = append(flags, "--cache-dir", cacheDir)
	}
	return flags, nil
}

// Stores is one project's stores, tied to one another: Facts decides what
// Sessions hides, Sources checks evidence for Facts.
type Stores struct {
	Sessions *session.Store
	Sources  source.Validator
	Facts    *fact.Store
	Notes    *note.Store
	Project  slug.Project
	Owner    session.Project // the project as the headers of its sessions name it
	Config   file.Tree
	Cache    file.Tree
}

// Stores is the stores of the project that the working directory belongs to.
func (e *Env) Stores() (Stores, error) {
	if e.stores != nil {
		return *e.stores, nil
	}
	p, err := e.Project()
	if err != nil {
		return Stores{}, err
	}
	configTree, err := e.configTree()
	if err != nil {
		return Stores{}, err
	}
	cacheTree, err := e.cacheTree()
	if err != nil {
		return Stores{}, err
	}
	s := Stores{Project: p, Config: configTree, Cache: cacheTree}
	s.Owner = session.Project{Root: p.Root, Slug: p.Slug,
		Aliases: func() ([]string, error) { return adopt.Aliases(configTree, p.Slug) }}
	s.Sessions = session.NewStore(session.Options{
		Config: configTree, Cache: cacheTree,
		Project:  s.Owner,
		Now:      now(e.Getenv),
		NewID:    newID(e.Getenv),
		LockWait: lockWait,
		Holder:   "lecode " + e.command,
		Writer:   e.writer,
		Scanning: e.scanning,
	})
	s.Sources = source.Validator{Sessions: s.Sessions}
	s.Facts = fact.NewStore(fact.Options{
		Config: configTree, Slug: p.Slug, Validator: s.Sources, Now: now(e.Getenv),
		Enabled: e.settings == nil || e.settings.Memory.Enabled,
		Prepare: e.copyLegacy,
	})
	s.Notes = note.NewStore(note.Options{
		Config: configTree, Slug: p.Slug, Now: now(e.Getenv), Holder: "lecode " + e.command, LockWait: noteWait,
		Prepare: e.copyLegacy,
	})
	e.stores = &s
	return s, nil
}

// Tools is what the memory tools work on.
func (s Stores) Tools() tool.Deps {
	return tool.Deps{Notes: s.Notes, Facts: s.Facts, Sources: s.Sources, Checkout: s.Checkout()}
}

// close releases what was opened; the process ends after it, so that an error changes nothing any more.
func (e *Env) close() {
	e.endLine()
	if e.stores != nil {
		e.stores.Facts.Close()
	}
}

// NewID makes an ID that nothing else has: of a session, of a call to a model.
func (e *Env) NewID() (string, error) { return newID(e.Getenv)() }

// Now is the clock.
func (e *Env) Now() func() time.Time { return now(e.Getenv) }

// Note prints a line for a person on stderr; stdout is for objects only.
func (e *Env) Note(format string, a ...any) {
	defer e.quiet()()
	fmt.Fprintln(e.Stderr, printable(fmt.Sprintf("lecode: "+e.command+": "+format, a...)))
}
