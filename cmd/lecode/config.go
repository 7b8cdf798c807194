package main

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
)

type configCommand struct {
	JSON bool `name:"json" help:"Print objects, a line each."`
}

var configHelp = cli.Help{
	About: `
Prints the directories and every setting with its value and where that comes
from: default, user (<config_dir>/config.toml), project (config.toml in the
project's memory folder, over it) or environment (LECODE_MEMORY_ENABLED and the
like, over both). Nothing is read from the repository.`,
	Example: `$ lecode config
memory.enabled = true                     default`,
	Output: "text for a person; with --json a `setting` object a line",
	Exits:  []int{3, 5, 6},
}

func (c *configCommand) Run(e *cli.Env) error {
	settings, err := e.Settings()
	if err != nil {
		return err
	}
	if c.JSON {
		for _, s := range settings.Settings() {
			if err := e.Print(object.Setting{File: s.File, Key: s.Key, Line: s.Line, Origin: s.Origin, Type: "setting", Value: s.Value}); err != nil {
				return err
			}
		}
		return nil
	}
	return c.forPeople(e, settings)
}

func (c *configCommand) forPeople(e *cli.Env, settings *config.Config) error {
	configDir, cacheDir, err := e.Directories()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "configuration: %s\ncache:         %s\n\n", configDir, cacheDir)
	for _, s := range settings.Settings() {
		from := s.Origin
		if s.File != nil && s.Line != nil {
			from = fmt.Sprintf("%s, %s:%d", s.Origin, *s.File, *s.Line)
		}
		fmt.Fprintf(&b, "%-40s %s\n", s.Key+" = "+s.Value, from)
	}
	if off := e.LearningOff(settings); off != "" {
		fmt.Fprintf(&b, "\nautomatic learning is off: %s\n", off)
	}
	_, err = fmt.Fprint(e.Stdout, prompt.Show(b.String()))
	return err
}
