package memview

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// wordingStep asks for the new text, with the chosen words above it.
type wordingStep struct{ c *correction }

func newWording(c *correction) *wordingStep {
	if c.text == nil {
		c.text = newEditor(c.begins(), fact.MaxText, false)
	}
	return &wordingStep{c}
}

func (s *wordingStep) title() string      { return "new text" }
func (s *wordingStep) load(*View) tea.Cmd { return nil }
func (s *wordingStep) editing() *editor   { return s.c.text }
func (s *wordingStep) hints() []hint {
	return []hint{{"enter", "goes on"}, {"esc", "other words"}, {"alt+enter", "new line"}, {"ctrl+u", "empties"}}
}

func (s *wordingStep) key(v *View, k press) tea.Cmd {
	switch k.name {
	case "esc":
		return v.back()
	case "enter":
		if err := fact.CheckText(s.c.text.text); err != nil {
			v.say(explained(err))
			return nil
		}
		if s.c.changesNothing() {
			v.say("that is what the fact says already, on the same words")
			return nil
		}
		return v.open(newConfirm(s.c))
	}
	said, _ := s.c.text.key(k)
	v.say(said)
	return nil
}

func (s *wordingStep) draw(_ *View, width, height int) drawn {
	e := s.c.evidence
	rows := flow(fmt.Sprintf("Said in %s of session %s:", memory.Records(e.Snapshot.Seqs), e.Snapshot.SessionID), typeset.Faint, width, "", "  ")
	rows = rows[:min(len(rows), 1+height/8)]
	quoted := quotedRows(e.Messages, max(2, height/3), width)
	quoted = quoted[:min(len(quoted), max(2, height/2-len(rows)))]
	rows = append(rows, quoted...)
	if e.Snapshot.Generated && len(rows)+6 < height {
		rows = append(rows, flow(generatedWarning, typeset.Yellow, width, "", "  ")...)
	}
	ask := "What is so now, in words that stand for themselves:"
	if s.c.id == "" {
		ask = "What is to be remembered, in words that stand for themselves:"
	}
	rows = append(rows, typeset.Bold.Row(typeset.Fit(ask, width)))
	rows = rows[:min(len(rows), height-2)]
	d := s.c.text.draw(width, height-len(rows), "> ", "  ")
	return drawn{append(rows, d.rows...), d.x, d.y + len(rows)}
}

// changesNothing reports whether a correction has the text and the evidence that
// the fact has.
func (c *correction) changesNothing() bool {
	if c.id == "" || c.fact == nil || c.now() != c.text.text {
		return false
	}
	now := c.revision().Source
	return now != nil && now.Digest == c.evidence.Snapshot.Digest && now.SessionID == c.evidence.Snapshot.SessionID
}

const generatedWarning = "Some of these words are not the user's: such evidence ends with the next forget in this project."

// newConfirm shows the whole correction and asks. Where it fails it says why, and
// going back finds everything as it was.
func newConfirm(c *correction) *sheet {
	s := &sheet{name: "confirm", keys: []hint{{"y", "corrects it"}, {"r", "reads anew"}}}
	if c.id == "" {
		s.keys = []hint{{"y", "remembers it"}}
	}
	var refused error
	show := func() { s.put(func(width int) []typeset.Row { return confirmRows(c, refused, width) }) }
	show()
	s.on = func(v *View, k press) tea.Cmd {
		switch k.name {
		case "r":
			return c.look(v, s, func(err error) tea.Cmd {
				refused, s.at = err, 0
				show()
				return nil
			})
		case "y":
			if c.id == "" {
				return c.remember(v, s, func(err error) { refused, s.at = err, 0; show() })
			}
			what := Correction{FactID: c.id, Revision: c.revision().Number, Text: c.text.text, Evidence: *c.evidence}
			return write(v, s, "correcting the fact", func(ctx context.Context) (struct{}, error) {
				return struct{}{}, v.d.Correct(ctx, what)
			}, func(_ struct{}, err error) tea.Cmd {
				if err != nil {
					refused, s.at = err, 0
					show()
					v.stale() // who knows how far it came
					return nil
				}
				cmd := v.changed(newWhy(c.id))
				v.note = typeset.Green.Row(fmt.Sprintf("corrected: revision %d is now %d", what.Revision, what.Revision+1))
				return cmd
			})
		}
		return nil
	}
	return s
}

// remember makes the new fact.
func (c *correction) remember(v *View, of screen, failed func(error)) tea.Cmd {
	what := Remembering{Text: c.text.text, Evidence: *c.evidence}
	return write(v, of, "remembering it", func(ctx context.Context) (fact.Result, error) {
		return v.d.Remember(ctx, what)
	}, func(got fact.Result, err error) tea.Cmd {
		if err != nil {
			failed(err)
			return nil
		}
		cmd := v.changed(newWhy(got.Fact.ID))
		v.note = typeset.Green.Row("remembered")
		if got.Outcome != fact.Created {
			v.note = typeset.Yellow.Row("this fact knows it already; nothing was changed")
		}
		return cmd
	})
}

func confirmRows(c *correction, refused error, width int) []typeset.Row {
	var rows []typeset.Row
	if refused != nil {
		rows = append(failed(refused, width), flow(wayOut(refused, c.id == ""), typeset.Yellow, width, "", "  ")...)
		rows = append(rows, nil)
	}
	rows = append(rows, c.asked(width)...)
	rows = append(rows, flow(c.text.text, typeset.Green, width, "  + ", "    ")...)
	e := c.evidence
	rows = append(rows, nil)
	rows = append(rows, flow(fmt.Sprintf("evidence: session %s, %s", e.Snapshot.SessionID, memory.Records(e.Snapshot.Seqs)), typeset.Faint, width, "", "  ")...)
	rows = append(rows, quotedRows(e.Messages, 12, width)...)
	if e.Snapshot.Generated {
		rows = append(rows, flow(generatedWarning, typeset.Yellow, width, "", "  ")...)
	}
	if c.id != "" && c.fact.Status != source.Valid {
		rows = append(rows, flow("It is not recalled all the same: an earlier revision does not hold ("+string(c.fact.Status)+"), and the fact needs all of them.", typeset.Yellow, width, "", "  ")...)
	}
	return rows
}

// asked is the question, and what becomes of the text that there is.
func (c *correction) asked(width int) []typeset.Row {
	if c.id == "" {
		return flow("Remember this? y does it, esc goes back to the text.", typeset.Bold, width, "", "  ")
	}
	rows := flow(fmt.Sprintf("Correct %s, revision %d? y does it, esc goes back to the text.", c.id, c.revision().Number), typeset.Bold, width, "", "  ")
	old, how := c.now(), typeset.None
	if old == "" {
		old, how = fmt.Sprintf("(not told: %s)", c.fact.Status), typeset.Faint
	}
	return append(rows, flow(old, how.And(typeset.Red), width, "  - ", "    ")...)
}

// wayOut says what to do about a correction that was not taken.
func wayOut(err error, new bool) string {
	switch {
	case errors.Is(err, plumbing.ErrConflict) && new:
		return "Nothing was changed, and what you wrote is kept. The words changed, or something was forgotten meanwhile: esc twice chooses them again."
	case new:
		return "Nothing was remembered, and what you wrote is kept. Esc goes back to the text, esc again to the words that it stands on."
	case errors.Is(err, plumbing.ErrConflict):
		return "Nothing was changed, and what you wrote is kept. r reads the fact as it is now; if it is the words that changed, esc twice chooses them again."
	case errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrNotFound):
		return "Nothing was changed, and what you wrote is kept. Esc goes back to the text, esc again to the words that it stands on."
	}
	return "What you wrote is kept. r shows the fact as it is now, y tries again, esc goes back."
}
