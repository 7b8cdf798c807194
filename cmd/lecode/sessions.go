package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

type sessionsCommand struct {
	Usage bool `help:"Also say what each session's model calls took, as its records have it."`
}

var sessionsHelp = cli.Help{
	About: `
Lists the project's sessions in the order of their IDs, which for lecode's own
is that of their start. A damaged log is listed with where it breaks;
"torn_bytes" counts bytes after the last whole line, which the next writer sets
aside. With --usage "usage" sums up what the records say that calls took, each
answer once; it is null without. A session with "copy_of" says again what its
original says: leave it out of a sum.`,
	Example: `$ lecode sessions | jq -r .id`,
	Output:  "a `session` object a line; none for no sessions",
	Exits:   []int{5, 6},
}

func (c *sessionsCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	list, err := s.Sessions.List(ctx)
	if err != nil {
		return err
	}
	for _, info := range list {
		if info.Foreign {
			e.Note("session %q names another project in its header and is left out", info.ID)
			continue
		}
		o := object.SessionOf(info)
		if c.Usage {
			if err := c.addUsage(ctx, e, s.Sessions, &o); err != nil {
				return err
			}
		}
		if err := e.Print(o); err != nil {
			return err
		}
	}
	return nil
}

// addUsage leaves null where a session cannot be read.
func (c *sessionsCommand) addUsage(ctx context.Context, e *cli.Env, store *session.Store, o *object.Session) error {
	t, err := sessionUsage(ctx, store, o.ID)
	switch {
	case errors.Is(err, plumbing.ErrNotFound), errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrCorrupt):
		e.Note("the usage of session %q cannot be read: %v", o.ID, err)
		return nil
	case err != nil:
		return err
	}
	totals := object.TotalsOf(t)
	o.Usage = &totals
	return nil
}

// known is null where a string is not known.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
