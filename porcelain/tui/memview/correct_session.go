package memview

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// sessionsStep asks which session the words stand in.
type sessionsStep struct {
	c *correction
	list
	sessions []session.Info // the fact's own first, then the one that is open, then the latest
	current  string
	err      error
	known    bool
}

func newSessions(c *correction) *sessionsStep { return &sessionsStep{c: c} }

func (s *sessionsStep) title() string {
	if s.c.id == "" {
		return "remember"
	}
	return "correct " + s.c.id
}

func (s *sessionsStep) editing() *editor { return nil }
func (s *sessionsStep) hints() []hint    { return []hint{{"enter", "looks into it"}} }

func (s *sessionsStep) load(v *View) tea.Cmd {
	return s.c.look(v, s, func(err error) tea.Cmd {
		if s.err = err; err != nil {
			return nil
		}
		return read(v, s, "listing the sessions", v.d.Sessions, func(got Sessions, err error) tea.Cmd {
			s.err, s.current, s.known = err, got.Current, true
			s.sessions = got.Sessions
			slices.SortStableFunc(s.sessions, func(a, b session.Info) int {
				return cmp.Or(cmp.Compare(s.rank(a.ID), s.rank(b.ID)), cmp.Compare(b.Updated, a.Updated))
			})
			return nil
		})
	})
}

// rank puts the sessions that words are most likely in first.
func (s *sessionsStep) rank(id string) int {
	switch id {
	case s.own():
		return 0
	case s.current:
		return 1
	}
	return 2
}

// own is the session that the fact was said in; "" where nobody showed it.
func (s *sessionsStep) own() string {
	if s.c.fact == nil || s.c.revision().Source == nil {
		return ""
	}
	return s.c.revision().Source.SessionID
}

func (s *sessionsStep) key(v *View, k press) tea.Cmd {
	if s.move(k.name, len(s.sessions), v.page-2) || k.name != "enter" || len(s.sessions) == 0 {
		return nil
	}
	id := s.sessions[s.at].ID
	if id == s.own() {
		return v.open(newMessages(s.c, id, s.c.revision().Source.Seqs[0], 0))
	}
	return v.open(newMessages(s.c, id, 0, 0))
}

func (s *sessionsStep) draw(v *View, width, height int) drawn {
	if s.err != nil {
		return drawn{failed(s.err, width), -1, 0}
	}
	if !s.known {
		return drawn{x: -1}
	}
	rows := []typeset.Row{typeset.None.Row(typeset.Fit("Which session has the words that say it?", width)), nil}
	if len(s.sessions) == 0 {
		return drawn{append(rows, typeset.Faint.Row("There are no sessions.")), -1, 0}
	}
	rows = append(rows, s.list.draw(len(s.sessions), height-len(rows), func(i int) []typeset.Row {
		return s.item(v, s.sessions[i], i == s.at, width)
	})...)
	return drawn{rows, -1, 0}
}

func (s *sessionsStep) item(v *View, in session.Info, chosen bool, width int) []typeset.Row {
	how := typeset.None
	if chosen {
		how = typeset.Bold
	}
	name := "(no title)"
	if in.Title != nil {
		name = oneLine(*in.Title)
	}
	what := ""
	switch {
	case in.ID == s.own():
		what = "the fact's own: "
	case in.ID == s.current:
		what = "open now: "
	}
	about := fmt.Sprintf("%s, %s", oneLine(in.ID), counted(in.Messages, "message"))
	if age := since(v.d.Now(), in.Updated); age != "" {
		about += ", " + age
	}
	switch {
	case in.Corrupt != nil:
		about += ", corrupt"
	case in.Foreign:
		about += ", another project's"
	case in.Imported != nil:
		about += ", imported from " + oneLine(in.Imported.Format)
	}
	return []typeset.Row{
		typeset.Row{mark(chosen), typeset.Cyan.Of(what), how.Of(name)}.Fit(width),
		typeset.Faint.Row(typeset.Fit("    "+about, width)),
	}
}
