package main

import "github.com/lecode/lecode/cmd/internal/cli"

type helpCommand struct {
	Name string `arg:"" optional:"" help:"A command or a guide."`
}

var helpHelp = cli.Help{
	Usage:   "[NAME]",
	About:   "Without a name: the list of commands and guides.",
	Example: "$ lecode help exit-codes",
	Output:  "text for a person",
}

func (c *helpCommand) Run(e *cli.Env) error { return e.HelpFor(c.Name) }
