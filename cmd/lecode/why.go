package main

import (
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/porcelain/memory"
)

type whyCommand struct {
	Fact string `arg:"" help:"The fact's ID."`
	JSON bool   `name:"json" help:"Print a why object instead."`
}

var whyHelp = cli.Help{
	Usage: "FACT",
	About: `
Says why a fact is believed: each revision, the newest first, who said it, in
which session and when, the words with the message before and after (a ">"
marks lines that share words with the fact), and whether it holds now and why
not. What was forgotten is not told. COLUMNS sets the width, NO_COLOR turns
colours off.`,
	Example: `$ lecode why $F`,
	Output:  "a page for people; with --json a `why` object",
	Exits:   []int{3, 5, 6, 7},
}

func (c *whyCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	r, err := memory.Why(ctx, memory.Stores{Sessions: s.Sessions, Facts: s.Facts, Checkout: s.Checkout()}, c.Fact)
	if err != nil {
		return err
	}
	if c.JSON {
		return e.Print(whyObject(r))
	}
	_, err = io.WriteString(e.Out(), r.Print(memory.Style{Width: e.Columns(), Colour: e.Colour()}))
	return err
}

func whyObject(r memory.Reason) object.Why {
	o := object.Why{Created: r.Created.Format(timeLayout), File: r.File, ID: r.ID, Status: string(r.Status), Type: "why"}
	for _, rev := range r.Revisions {
		w := object.WhyRevision{Cleared: rev.Cleared, Created: rev.Created.Format(timeLayout), Revision: rev.Number,
			Source: rev.Source, Status: string(rev.Status), Text: rev.Text, Session: whySession(rev.Session)}
		if rev.Why != nil {
			w.Why = &object.WhyCause{Code: string(rev.Why.Code)}
			if rev.Why.Seq > 0 {
				w.Why.Seq = &rev.Why.Seq
			}
		}
		for _, m := range rev.Messages {
			w.Messages = append(w.Messages, object.WhyMessage{Evidence: m.Evidence, Origin: m.Origin, Role: m.Role, Seq: m.Seq, Text: m.Text, Time: m.Time})
		}
		o.Revisions = append(o.Revisions, w)
	}
	return o
}

func whySession(s *memory.Session) *object.WhySession {
	if s == nil {
		return nil
	}
	o := &object.WhySession{ID: s.ID, Started: s.Started, Title: s.Title}
	if s.Imported != nil {
		o.Imported = &object.Origin{Format: s.Imported.Format, SourceID: s.Imported.SourceID}
	}
	return o
}
