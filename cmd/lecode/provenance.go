package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

type provenanceCommand struct {
	Fact string `arg:"" help:"The fact's ID."`
}

var provenanceHelp = cli.Help{
	Usage: "FACT",
	About: `
Lists the revisions of a fact, the first one first, each with its evidence, the
positions that it stands on, and whether that evidence holds now. It carries no
text.`,
	Example: `$ lecode provenance $F | jq .positions`,
	Output:  "a `provenance` object for each revision",
	Exits:   []int{3, 5, 6, 7},
}

func (c *provenanceCommand) Run(e *cli.Env) error {
	p, done, err := newFactPrinter(e)
	if err != nil {
		return err
	}
	defer done()
	revisions, err := p.stores.Facts.Provenance(context.Background(), c.Fact)
	if err != nil {
		return err
	}
	for _, r := range revisions {
		status := source.Unverified
		if ref := r.Source(); ref != nil {
			if status, err = p.validator.Validate(context.Background(), p.view, *ref, session.Durable); err != nil {
				return err
			}
		}
		created := r.Created.Format(timeLayout)
		err := e.Print(object.Provenance{Created: &created, FactID: c.Fact, Positions: r.Provenance,
			Revision: r.Number, Source: r.Source(), Status: string(status), Type: "provenance"})
		if err != nil {
			return err
		}
	}
	return nil
}
