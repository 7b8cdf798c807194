package memview

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// correction is what a person has put together so far, for a fact that there is
// or for a new one; its steps are screens above each other, so that going back
// loses nothing: the session, the messages, the text, the question.
type correction struct {
	id    string         // "": it is to be a new fact
	fact  *memory.Reason // nil: not read yet
	text  *editor        // nil: nobody wrote yet
	draft string         // what the text begins with; "": the fact's own

	evidence *Evidence
}

// newCorrect begins a correction of a fact, with a text and the words for it
// where there are any, as a proposal has them. ref, where set, names a record at least.
func newCorrect(id, draft string, ref *source.Ref) screen {
	c := &correction{id: id, draft: draft}
	if ref != nil {
		return newMessages(c, ref.SessionID, ref.Seqs[0], ref.Seqs[len(ref.Seqs)-1])
	}
	return newSessions(c)
}

// newRemember begins a new fact, as newCorrect does a correction.
func newRemember(draft string, ref *source.Ref) screen { return newCorrect("", draft, ref) }

// look reads the fact as it is now: its revision is what a correction goes by.
func (c *correction) look(v *View, of screen, then func(err error) tea.Cmd) tea.Cmd {
	if c.id == "" {
		return then(nil)
	}
	return read(v, of, "reading the fact", func(ctx context.Context) (memory.Reason, error) {
		return v.d.Why(ctx, c.id)
	}, func(r memory.Reason, err error) tea.Cmd {
		if err == nil {
			c.fact = &r
		}
		return then(err)
	})
}

// revision is the current one of the fact, as it was read last.
func (c *correction) revision() memory.Revision {
	return c.fact.Revisions[len(c.fact.Revisions)-1]
}

// begins is what the new text begins with: the fact's own, where it may be told,
// or for a new fact what a person said in few words.
func (c *correction) begins() string {
	if c.draft != "" {
		return c.draft
	}
	if e := c.evidence; c.id == "" && len(e.Messages) == 1 && e.Messages[0].Origin == "user" && e.Messages[0].Text != nil {
		if said := strings.TrimSpace(*e.Messages[0].Text); len(said) <= 400 && !strings.Contains(said, "\n") {
			return said
		}
	}
	return c.now()
}

// now is the text of the fact, where it may be told.
func (c *correction) now() string {
	if c.fact == nil || c.fact.Status != source.Valid || c.revision().Text == nil {
		return ""
	}
	return *c.revision().Text
}

// take captures messages as evidence and goes on to the text.
func (c *correction) take(v *View, of screen, sessionID string, first, last int64, then func(err error)) tea.Cmd {
	return read(v, of, "taking the words as evidence", func(ctx context.Context) (Evidence, error) {
		return v.d.Evidence(ctx, sessionID, first, last)
	}, func(e Evidence, err error) tea.Cmd {
		then(err)
		if err != nil {
			return nil
		}
		c.evidence = &e
		return v.open(newWording(c))
	})
}

// quotedRows is messages with who said them, each at most so many rows.
func quotedRows(list []memory.Message, most, width int) (rows []typeset.Row) {
	for _, m := range list {
		rows = append(rows, flow(messageHead(m), typeset.Faint, width, "  ", "    ")...)
		said := "(not told)"
		if m.Text != nil {
			said = *m.Text
		}
		words := flow(said, typeset.None, width, "  | ", "  | ")
		if len(words) > most {
			words = append(words[:most:most], typeset.Faint.Row("  | …"))
		}
		rows = append(rows, words...)
	}
	return rows
}
