package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
)

type exclusionsCommand struct {
	Session string `arg:"" optional:"" help:"Only those of this session and its copies."`
	Seq     *int64 `arg:"" optional:"" help:"Only whether this position is excluded."`
}

var exclusionsHelp = cli.Help{
	Usage: "[SESSION [SEQ]]",
	About: `
Lists the positions that were forgotten. An exclusion carries no content, holds
for the original session and every copy of it, and is never taken back. With a
SEQ it answers by its exit code: 0 excluded, 1 not.`,
	Example: `$ lecode exclusions $S 7 && echo forgotten`,
	Output:  "an `exclusion` object a line",
	Exits:   []int{1, 5, 6, 7},
}

func (c *exclusionsCommand) Run(e *cli.Env) error {
	if c.Session != "" {
		if err := session.CheckID(c.Session); err != nil {
			return err
		}
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	if c.Seq != nil {
		return c.one(e, s.Facts)
	}
	list, err := s.Facts.Exclusions(context.Background())
	if err != nil {
		return err
	}
	for _, p := range list {
		if c.Session != "" && p.SessionID != session.Key(c.Session) {
			continue
		}
		if err := e.Print(object.Exclusion{Seq: p.Seq, SessionID: p.SessionID, Type: "exclusion"}); err != nil {
			return err
		}
	}
	return nil
}

func (c *exclusionsCommand) one(e *cli.Env, facts *fact.Store) error {
	if *c.Seq < 1 {
		return plumbing.Fail(plumbing.ErrInvalid, "SEQ is less than 1", "seqs count from 1")
	}
	is, err := facts.IsExcluded(context.Background(), c.Session, *c.Seq)
	if err != nil {
		return err
	}
	if !is {
		return &cli.StatusError{Code: 1}
	}
	return e.Print(object.Exclusion{Seq: *c.Seq, SessionID: session.Key(c.Session), Type: "exclusion"})
}
