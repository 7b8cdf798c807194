package main

import "github.com/lecode/lecode/cmd/internal/cli"

type exportCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	All     bool   `help:"Print the log as it is, with what is hidden."`
}

var exportHelp = cli.Help{
	Usage: "SESSION",
	About: `
Prints the log's own lines, for ` + "`lecode import`" + ` in another place. What is
undone or forgotten becomes a place-holder, so that every other record keeps its
seq, bytes and digest.`,
	Example: `$ lecode export $S >kettle.jsonl`,
	Output:  "the stored lines, the header first",
	Exits:   []int{3, 5, 6},
}

func (c *exportCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	return s.Sessions.Export(ctx, c.Session, s.Facts, c.All, e.Out())
}
