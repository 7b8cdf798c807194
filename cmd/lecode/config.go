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
	JSON  bool `name:"json" xor:"form" help:"Print objects, a line each."`
	Setup bool `xor:"form" help:"Ask three questions and write config.toml."`
}

var configHelp = cli.Help{
	About: `
Prints the directories and every setting with its value and where that comes
from: default, user (<config_dir>/config.toml), project (config.toml in the
project's memory folder, over it) or environment (LECODE_MEMORY_ENABLED and the
like, over both). Nothing is read from the repository.

--setup asks who answers (a provider, a program, or nobody: offline), with which
model and key or address, and whether facts are learned automatically. It asks
for the name of the variable that holds a key, never for the key. It shows what
it would write and writes the user's file once that is agreed to: every other line
stays, the file as it was goes to config.toml.bak. An empty answer takes what is
offered. Without a terminal the answers are read as lines; a wrong one, or the end
of stdin before the last, writes nothing (2), and so does no (1) and an
interrupt (130). A config.toml that is a link is not written: what to add to it
is printed (5).`,
	Example: `$ lecode config
memory.enabled = true                     default
$ printf '%s\n' anthropic claude-sonnet-4-5 '' n y | lecode config --setup`,
	Input:  "nothing; with --setup an answer a line",
	Output: "text for a person; with --json a `setting` object a line; with --setup nothing, all is said on stderr",
	Exits:  []int{1, 3, 4, 5, 6, 7, 130},
}

// Writes: it prints, unless it is to set up.
func (c *configCommand) Writes() bool { return c.Setup }

func (c *configCommand) Run(e *cli.Env) error {
	if c.Setup {
		return c.setup(e)
	}
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
