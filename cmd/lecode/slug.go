package main

import (
	"path/filepath"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/slug"
)

type slugCommand struct {
	Path string `arg:"" optional:"" help:"A directory; without it the working directory."`
}

var slugHelp = cli.Help{
	Usage: "[PATH]",
	About: `
The project is the main Git checkout's root: nested directories and linked
worktrees share it, a submodule has its own, and outside Git it is the
directory itself. Memory goes by "root" and its "slug"; "checkout" is the
checkout you stand in.`,
	Example: `$ lecode slug
{"checkout":"/home/ada/kettle","kind":"checkout","root":"/home/ada/kettle",…}`,
	Output: "one `project` object",
	Exits:  []int{3, 5, 6},
}

func (c *slugCommand) Run(e *cli.Env) error {
	p, err := c.find(e)
	if err != nil {
		return err
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
