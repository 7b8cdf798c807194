package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

type undoCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	Seq     *int64 `arg:"" optional:"" help:"Undo the exchange that holds this seq."`
}

var undoHelp = cli.Help{
	Usage: "SESSION [SEQ]",
	About: `
Hides the last visible exchange (again: the one before it), or the one that
holds SEQ; never past a clear. The records stay in the log; redo shows them
again.`,
	Example: `$ lecode undo $S
{"record":{"from":5,"seq":9,"to":8,"type":"undo",…},"seq":9,"session_id":"…","type":"event"}`,
	Output: "one `event` object",
	Exits:  []int{1, 3, 5, 6, 7},
}

func (c *undoCommand) Run(e *cli.Env) error {
	seq := int64(0)
	if c.Seq != nil {
		if seq = *c.Seq; seq < 1 {
			return plumbing.Fail(plumbing.ErrInvalid, "SEQ is less than 1", "seqs count from 1")
		}
	}
	return writeEvent(e, c.Session, func(ctx context.Context, w *session.Writer, ex session.Exclusions) (session.Event, error) {
		return w.Undo(ctx, ex, seq)
	})
}

// writeEvent attaches a session, lets do append its event, and prints that.
func writeEvent(e *cli.Env, id string, do func(context.Context, *session.Writer, session.Exclusions) (session.Event, error)) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx := context.Background()
	w, err := s.Sessions.Attach(ctx, id)
	if err != nil {
		return err
	}
	defer w.Close()
	event, err := do(ctx, w, s.Facts)
	if err != nil {
		return err
	}
	return e.Print(object.Event{Record: event.Record, Seq: event.Seq, SessionID: id, Type: "event"})
}
