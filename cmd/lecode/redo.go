package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/session"
)

type redoCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
}

var redoHelp = cli.Help{
	Usage: "SESSION",
	About: `
Takes back the latest undo that was not yet redone. A new user message ends
what can be redone.`,
	Example: `$ lecode redo $S
{"record":{"seq":10,"type":"redo","undo":9,…},"seq":10,"session_id":"…","type":"event"}`,
	Output: "one `event` object",
	Exits:  []int{1, 3, 5, 6, 7},
}

func (c *redoCommand) Run(e *cli.Env) error {
	return writeEvent(e, c.Session, func(ctx context.Context, w *session.Writer, _ session.Exclusions) (session.Event, error) {
		return w.Redo(ctx)
	})
}
