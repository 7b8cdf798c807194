package memview

import (
	"context"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// How many messages are read at a time, and how many before the one that is gone to.
const (
	windowSize   = 100
	windowBefore = 20
)

// messagesStep asks which messages of a session say it: one, or a range.
type messagesStep struct {
	c         *correction
	sessionID string
	list
	got    Messages
	from   int64 // seq to be at once they are read; 0: the end
	anchor int64 // seq of the other end of a range; 0: none
	err    error
	known  bool
}

// newMessages goes to a message of a session, from 0 to the last; to, where set,
// is the other end of a range that is marked already.
func newMessages(c *correction, sessionID string, from, to int64) *messagesStep {
	s := &messagesStep{c: c, sessionID: sessionID, from: from}
	if to > from {
		s.from, s.anchor = to, from
	}
	return s
}

func (s *messagesStep) title() string    { return "session " + s.sessionID }
func (s *messagesStep) editing() *editor { return nil }

func (s *messagesStep) hints() []hint {
	how := hint{"space", "begins a range"}
	if s.anchor != 0 {
		how.does = "ends the range"
	}
	return []hint{{"enter", "takes it"}, how, {"v", "shows it whole"}}
}

func (s *messagesStep) load(v *View) tea.Cmd {
	if s.c.fact == nil && s.c.id != "" {
		return s.c.look(v, s, func(err error) tea.Cmd {
			if s.err = err; err != nil {
				return nil
			}
			return s.load(v)
		})
	}
	if at := s.here(); at != nil {
		s.from = at.Seq
	}
	from := s.from
	return s.read(v, func(ctx context.Context) (Messages, error) {
		if from == 0 {
			return v.d.Messages(ctx, Window{SessionID: s.sessionID, Back: true, Limit: windowSize})
		}
		before, err := v.d.Messages(ctx, Window{SessionID: s.sessionID, From: from, Back: true, Limit: windowBefore})
		if err != nil {
			return Messages{}, err
		}
		after, err := v.d.Messages(ctx, Window{SessionID: s.sessionID, From: from, Limit: windowSize})
		return Messages{List: append(before.List, after.List...), Before: before.Before, After: after.After}, err
	}, func(got Messages) {
		s.got = got
		s.gotoSeq(from)
	})
}

// read reads messages; what is shown stays where that fails.
func (s *messagesStep) read(v *View, do func(context.Context) (Messages, error), then func(Messages)) tea.Cmd {
	return read(v, s, "reading the session", do, func(got Messages, err error) tea.Cmd {
		if s.err = err; err == nil {
			s.known = true
			then(got)
		}
		return nil
	})
}

// gotoSeq goes to the message at seq, or the next one after it; 0: the last of the person's, or of all.
func (s *messagesStep) gotoSeq(seq int64) {
	if seq == 0 { // the person's own words are what counts most
		for i, m := range slices.Backward(s.got.List) {
			if m.Origin == "user" {
				s.at = i
				return
			}
		}
	}
	s.at = slices.IndexFunc(s.got.List, func(m memory.Message) bool { return m.Seq >= seq })
	if seq == 0 || s.at < 0 {
		s.at = max(0, len(s.got.List)-1)
	}
}

// here is the message that is marked; nil: there are none.
func (s *messagesStep) here() *memory.Message {
	if s.at >= len(s.got.List) {
		return nil
	}
	return &s.got.List[s.at]
}

// undone takes back the beginning of a range.
func (s *messagesStep) undone(*View) (tea.Cmd, bool) {
	had := s.anchor != 0
	s.anchor = 0
	return nil, had
}

// chosen is the first and the last seq that are marked.
func (s *messagesStep) chosen() (first, last int64) {
	at := s.here().Seq
	if s.anchor == 0 {
		return at, at
	}
	return min(at, s.anchor), max(at, s.anchor)
}

func (s *messagesStep) key(v *View, k press) tea.Cmd {
	at := s.here()
	if at == nil {
		return nil
	}
	switch k.name {
	case "enter":
		first, last := s.chosen()
		return s.c.take(v, s, s.sessionID, first, last, func(err error) { s.err = err })
	case "space":
		if s.anchor = at.Seq * b2i(s.anchor == 0); s.anchor != 0 {
			v.say("move to the other end of the range; enter takes it")
		}
		return nil
	case "v":
		m := *at
		return v.open(newSheet(fmt.Sprintf("record %d", m.Seq), func(width int) []typeset.Row {
			return append(flow(messageHead(m), typeset.Bold, width, "", "  "), flow(*m.Text, typeset.None, width, "", "")...)
		}))
	case "up", "k", "pgup", "b":
		if s.at == 0 && s.got.Before {
			return s.older(v)
		}
	case "down", "j", "pgdown":
		if s.at == len(s.got.List)-1 && s.got.After {
			return s.newer(v)
		}
	case "home", "g":
		if s.got.Before {
			return s.jump(v, Window{SessionID: s.sessionID, From: 1, Limit: windowSize}, 1)
		}
	case "end", "G":
		if s.got.After {
			return s.jump(v, Window{SessionID: s.sessionID, Back: true, Limit: windowSize}, math.MaxInt64)
		}
	}
	s.err = nil
	s.move(k.name, len(s.got.List), v.page/3)
	return nil
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (s *messagesStep) jump(v *View, w Window, to int64) tea.Cmd {
	return s.read(v, func(ctx context.Context) (Messages, error) { return v.d.Messages(ctx, w) }, func(got Messages) {
		s.got = got
		s.gotoSeq(to)
	})
}

func (s *messagesStep) older(v *View) tea.Cmd {
	w := Window{SessionID: s.sessionID, From: s.got.List[0].Seq, Back: true, Limit: windowSize}
	return s.read(v, func(ctx context.Context) (Messages, error) { return v.d.Messages(ctx, w) }, func(got Messages) {
		s.at = max(0, len(got.List)-1)
		s.got.List, s.got.Before = append(got.List, s.got.List...), got.Before
	})
}

func (s *messagesStep) newer(v *View) tea.Cmd {
	w := Window{SessionID: s.sessionID, From: s.got.List[len(s.got.List)-1].Seq + 1, Limit: windowSize}
	return s.read(v, func(ctx context.Context) (Messages, error) { return v.d.Messages(ctx, w) }, func(got Messages) {
		s.at = min(len(s.got.List), len(s.got.List)+len(got.List)-1)
		s.got.List, s.got.After = append(s.got.List, got.List...), got.After
	})
}

func (s *messagesStep) draw(_ *View, width, height int) drawn {
	var rows []typeset.Row
	if s.err != nil {
		rows = failed(s.err, width)
	}
	if !s.known {
		return drawn{rows, -1, 0}
	}
	if s.here() == nil {
		return drawn{append(rows, flow("No message of this session may be evidence: there are none, or they were undone, forgotten or cleared.", typeset.None, width, "", "")...), -1, 0}
	}
	rows = append(rows, typeset.Faint.Row(typeset.Fit(s.above(), width)))
	rows = rows[:min(len(rows), height-3)]
	first, last := s.chosen()
	rows = append(rows, s.list.draw(len(s.got.List), height-len(rows), func(i int) []typeset.Row {
		m := s.got.List[i]
		return messageItem(m, i == s.at, m.Seq >= first && m.Seq <= last, width, height-len(rows))
	})...)
	return drawn{rows, -1, 0}
}

func (s *messagesStep) above() string {
	first, last := s.chosen()
	said := fmt.Sprintf("chosen: record %d", first)
	switch {
	case first != last:
		said = fmt.Sprintf("chosen: what is visible from record %d to %d", first, last)
	case s.anchor != 0:
		said = fmt.Sprintf("a range begins at record %d", first)
	}
	if s.anchor != 0 {
		said += " · space ends the range"
	}
	return said
}

// messageItem is a message in a list: more of it where it is the one that is marked.
func messageItem(m memory.Message, at, chosen bool, width, height int) []typeset.Row {
	how, lead := typeset.None, "    "
	if chosen {
		how, lead = typeset.Bold, "  ▌ "
	}
	rows := []typeset.Row{typeset.Row{mark(at), typeset.Faint.And(how).Of(messageHead(m))}.Fit(width)}
	most := 2
	if at {
		most = max(2, min(12, height-2))
	}
	beginning, more := cut(*m.Text, 200*most)
	words := flow(beginning, typeset.None, width, lead, lead)
	if len(words) > most {
		words, more = words[:most:most], true
	}
	if more {
		words[len(words)-1] = append(words[len(words)-1].Fit(width-2), typeset.Faint.Of(" …"))
	}
	return append(rows, words...)
}

// messageHead says whose a message is.
func messageHead(m memory.Message) string {
	return fmt.Sprintf("%d  %s, %s", m.Seq, m.Speaker(), memory.When(m.Time))
}
