package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
)

// learning prints the latest learning event, with the proposals that still stand.
func (c *factsCommand) learning(e *cli.Env, s cli.Stores) error {
	if !c.Learning || c.Search != "" || c.Full || c.Limit != nil || c.Offset != 0 {
		return plumbing.Fail(plumbing.ErrInvalid, "--learning goes with --session alone, and --session with --learning", "")
	}
	ctx := context.Background()
	if c.Session != "" {
		log, err := s.Sessions.Open(ctx, c.Session)
		if err != nil {
			return err
		}
		log.Close()
	}
	view, err := s.Facts.View(ctx)
	if err != nil {
		return err
	}
	found, err := learned.Latest(ctx, s.Sources, view, c.Session)
	if err != nil {
		return err
	}
	if found == nil {
		e.Note("nothing was learned from yet: `lecode learn SESSION` does it")
		return &cli.StatusError{Code: 1}
	}
	found.Type = session.TypeLearning
	return e.Print(object.Learning{Event: found.Event, Seq: found.Seq, SessionID: found.SessionID})
}
