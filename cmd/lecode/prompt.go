package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/prompt"
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
	s, err := e.Stores()
	if err != nil {
		return err
	}
	stores, done := s.Section()
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
