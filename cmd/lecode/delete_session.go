package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
)

type deleteSessionCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
}

var deleteSessionHelp = cli.Help{
	Usage: "SESSION",
	About: `
Deletes a session's log with its torn tails and its index. Facts that stand on
it are kept but no longer told ("missing"); they hold again only if its exact
records come back. What was forgotten stays forgotten.`,
	Example: `$ lecode delete-session $S`,
	Output:  "one `deleted` object",
	Exits:   []int{3, 5, 6, 7},
}

func (c *deleteSessionCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	if err := s.Sessions.Delete(ctx, c.Session); err != nil {
		return err
	}
	return e.Print(object.Deleted{SessionID: c.Session, Type: "deleted"})
}
