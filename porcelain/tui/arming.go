package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// armRest is how long nobody may have typed before a question takes an answer:
// a key that was meant for the input, or for the question before, must not
// allow a command that nobody has read.
const armRest = 400 * time.Millisecond

const questionWaits = "a question waits: it can be answered once nothing was typed for a moment"

// armedMsg says that a question has been there for armRest, and how many keys were typed by its beginning.
type armedMsg struct {
	q     *question
	typed int
}

// arm lets the first question wait until nobody types.
func (s *Screen) arm() tea.Cmd {
	if len(s.asked) == 0 || s.asked[0].armed || s.asked[0].arming == s.typed+1 {
		return nil
	}
	m := armedMsg{s.asked[0], s.typed}
	m.q.arming = s.typed + 1
	return tea.Tick(armRest, func(time.Time) tea.Msg { return m })
}

// armed lets a question be answered, unless something was typed meanwhile.
func (s *Screen) armed(m armedMsg) {
	if len(s.asked) > 0 && m.q == s.asked[0] && m.typed == s.typed {
		m.q.armed = true
		if s.hint == questionWaits {
			s.hint = ""
		}
	}
}

// asks reports whether keys answer a question.
func (s *Screen) asks() bool { return len(s.asked) > 0 && s.asked[0].armed }
