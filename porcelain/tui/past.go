package tui

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// pastMessages is how much of a session that is gone on with is shown.
const pastMessages = 10

// pastRows is how much of each of its messages is, in rows.
const pastRows = 30

type pastMsg struct {
	past Past
	err  error
}

// showPast shows the end of the session that is attached.
func (s *Screen) showPast() {
	past := s.session.Past
	if past == nil || s.standing.SessionID == "" {
		return
	}
	s.beside(func(ctx context.Context) any {
		p, err := past(ctx, pastMessages)
		return pastMsg{p, err}
	})
}

func (s *Screen) past(v pastMsg) {
	if v.err != nil {
		s.say(typeset.Yellow, "the session's past cannot be shown: "+plumbing.Explain(v.err))
		return
	}
	if v.past.Earlier > 0 {
		s.say(typeset.Faint, fmt.Sprintf("%s before these; `lecode log %s` prints all", plural(v.past.Earlier, "message"), s.standing.SessionID))
	}
	for _, m := range v.past.Messages {
		b := answer(capped(m.Text))
		if m.User {
			b = prompted(capped(m.Text))
		}
		whole := b.rows
		b.rows = func(width int) []typeset.Row { return capRows(whole(width), pastRows, "", nil, width) }
		s.print(b)
	}
}
