package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/adopt"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/slug"
)

type slugCommand struct {
	Path  string `arg:"" optional:"" help:"A directory; without it the working directory."`
	Adopt string `placeholder:"OLD_ROOT" help:"Take over what is kept for a root that no longer exists."`
}

var slugHelp = cli.Help{
	Usage: "[--adopt OLD_ROOT] [PATH]",
	About: `
The project is the main Git checkout's root: nested directories and linked
worktrees share it, a submodule has its own, and outside Git it is the
directory itself. Memory goes by "root" and its "slug"; "checkout" is the
checkout you stand in.

A checkout that was moved is a new project. --adopt OLD_ROOT gives it the
memory and the sessions of the old root, which must no longer exist; nothing
is ever merged. The old root is noted, so that sessions that name it count as
this project's. If it is cut off, give the same command again.`,
	Example: `$ lecode slug
{"checkout":"/home/ada/kettle","kind":"checkout","root":"/home/ada/kettle",…}
$ mv ~/kettle ~/src/kettle && lecode -C ~/src/kettle slug --adopt ~/kettle
{"changed":true,"memory":true,"old_root":"/home/ada/kettle",…}`,
	Output: "one `project` object; with --adopt one `adopted` object",
	Exits:  []int{3, 4, 5, 6, 7},
}

// Writes: only adopting does.
func (c *slugCommand) Writes() bool { return c.Adopt != "" }

func (c *slugCommand) Run(e *cli.Env) error {
	p, err := c.find(e)
	if err != nil {
		return err
	}
	if c.Adopt != "" {
		return c.adopt(e, p)
	}
	return e.Print(object.Project{
		Checkout: p.Checkout, Kind: p.Kind, Root: p.Root, Slug: p.Slug, Type: "project", Via: p.Via,
	})
}

func (c *slugCommand) find(e *cli.Env) (slug.Project, error) {
	if c.Path == "" {
		return e.Project()
	}
	dir, err := filepath.Abs(c.Path)
	if err != nil {
		return slug.Project{}, err
	}
	return e.ProjectOf(dir)
}

// adopt takes over what is kept for a root that is gone.
func (c *slugCommand) adopt(e *cli.Env, p slug.Project) error {
	root, err := c.oldRoot(p)
	if err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	old := adopt.Place{Root: root, Slug: slug.Of(root)}
	got, err := adopt.Adopt(ctx, adopt.Options{
		Config: s.Config, Old: old, New: adopt.Place{Root: p.Root, Slug: p.Slug}, Now: e.Now(),
		Prepare: s.Notes.Prepare,
		Settle:  func(context.Context) error { return settle(s, old.Slug) },
	})
	if err != nil {
		return err
	}
	return e.Print(object.Adopted{Changed: got.Changed, Memory: got.Memory, OldRoot: root, Root: p.Root,
		Sessions: got.Sessions, Slug: p.Slug, Type: "adopted", Usage: got.Usage})
}

// settle opens the old project's facts once, which rolls back what a crash left half written.
func settle(s cli.Stores, slug string) error {
	facts := fact.NewStore(fact.Options{Config: s.Config, Slug: slug, Validator: s.Sources})
	_, err := facts.Generation()
	if e := facts.Close(); err == nil {
		err = e
	}
	return err
}

// oldRoot is the old root as it would have been found while it was there; it makes sure that it is gone.
func (c *slugCommand) oldRoot(p slug.Project) (string, error) {
	root, err := filepath.Abs(c.Adopt)
	if err != nil {
		return "", fmt.Errorf("resolve %q: %w", c.Adopt, err)
	}
	_, err = os.Lstat(root)
	switch {
	case root == p.Root:
		return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is this project itself", root),
			"give the root that it had before")
	case err == nil:
		return "", plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q still exists", root),
			"only a root that is gone can be adopted; two that are there keep a memory each")
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return "", &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: fmt.Sprintf("cannot tell whether %q still exists", root), Hint: "check the permissions on the way to it"}
	}
	return resolveRest(root), nil
}

// resolveRest resolves the links in what is still there of a path.
func resolveRest(path string) string {
	rest := filepath.Base(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(resolved, rest)
		}
		if dir == filepath.Dir(dir) {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}
