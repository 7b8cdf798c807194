package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/session"
)

type clearCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
}

var clearHelp = cli.Help{
	Usage: "SESSION",
	About: `
Begins the working context anew: what was said before is hidden from the
context, from direct recall and from new evidence. Facts that already stand on
it stay. A clear cannot be undone.`,
	Example: `$ lecode clear $S
{"record":{"seq":11,"type":"clear",…},"seq":11,"session_id":"…","type":"event"}`,
	Output: "one `event` object",
	Exits:  []int{3, 5, 6, 7},
}

func (c *clearCommand) Run(e *cli.Env) error {
	return writeEvent(e, c.Session, func(ctx context.Context, w *session.Writer, _ session.Exclusions) (session.Event, error) {
		return w.Clear(ctx)
	})
}
