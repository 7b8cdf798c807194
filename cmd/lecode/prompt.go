package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

type promptCommand struct {
	Explain bool `help:"Also say of each fact looked at whether it is shown, and why not."`
}

var promptHelp = cli.Help{
	About: `
Prints the memory section of a system prompt as it would be sent now: facts
whose evidence holds, then MEMORY.md and scratchpad.md, within memory.max_bytes
and memory.facts_max_bytes. "omitted" says what did not fit.`,
	Example: `$ lecode prompt | jq -r .text`,
	Output:  "one `section` object; with --explain an `explained` object for each fact looked at before it",
	Exits:   []int{4, 5, 6, 7},
}

func (c *promptCommand) Run(e *cli.Env) error {
	memory, err := e.Memory()
	if err != nil {
		return err
	}
	stores, done, err := promptStores(e)
	if err != nil {
		return err
	}
	defer done()
	ctx, stop := e.Context()
	defer stop()
	g, err := prompt.Gather(ctx, stores, prompt.Caps{MaxBytes: memory.MaxBytes, FactsMaxBytes: memory.FactsMaxBytes})
	if err != nil {
		return err
	}
	for _, w := range g.Warnings {
		e.Note("%s is left out: %v", w.What, w.Err)
	}
	if c.Explain {
		for _, l := range g.Looked {
			if err := e.Print(object.Explained{ID: l.ID, Revision: l.Revision, Status: (*string)(l.Status), Type: "explained", Why: l.Why}); err != nil {
				return err
			}
		}
	}
	return e.Print(g.Section)
}

// promptStores ties the section to the project's stores; each session is opened once.
func promptStores(e *cli.Env) (stores prompt.Stores, done func(), err error) {
	s, err := e.Stores()
	if err != nil {
		return stores, nil, err
	}
	cached, done := s.Sources.Cached()
	return prompt.Stores{
		Newest:     func(ctx context.Context) ([]prompt.Candidate, error) { return candidates(ctx, s.Facts, cached) },
		Generation: s.Facts.Generation,
		Note: func(_ context.Context, name string) (prompt.Note, error) {
			head, err := note.Head(s.Config, s.Project.Slug, name)
			return prompt.Note{Text: head.Text, Size: head.Size}, err
		},
	}, done, nil
}

func candidates(ctx context.Context, facts *fact.Store, v *source.Validator) ([]prompt.Candidate, error) {
	view, err := facts.View(ctx)
	if err != nil {
		return nil, err
	}
	list, err := facts.NewestFirst(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]prompt.Candidate, len(list))
	for i, f := range list {
		current := f.Current()
		out[i] = prompt.Candidate{
			Fact: prompt.Fact{ID: f.ID, Refs: current.Refs, Revision: current.Number, Text: current.Text},
			Status: func(ctx context.Context) (source.Status, error) {
				return fact.StatusBy(ctx, v, f, view, session.Durable)
			},
		}
	}
	return out, nil
}
