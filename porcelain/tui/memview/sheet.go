package memview

import (
	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// sheet is a text to scroll through.
type sheet struct {
	name  string
	write func(width int) []typeset.Row // nil: it is not there yet
	keys  []hint
	// on does what a key says that does not scroll; may be nil.
	on func(v *View, k press) tea.Cmd
	// begin reads what is written; may be nil.
	begin func(v *View) tea.Cmd
	// seek is the row to begin at, asked once; may be nil.
	seek func(width int) int

	rows  []typeset.Row // laid out for width
	width int
	at    int // the first row that is seen
	page  int
}

func newSheet(name string, write func(width int) []typeset.Row) *sheet {
	return &sheet{name: name, write: write}
}

// put shows another text, from where the old one was looked at.
func (s *sheet) put(write func(width int) []typeset.Row) { s.write, s.rows = write, nil }

func (s *sheet) title() string    { return s.name }
func (s *sheet) hints() []hint    { return s.keys }
func (s *sheet) editing() *editor { return nil }

func (s *sheet) load(v *View) tea.Cmd {
	if s.begin == nil {
		return nil
	}
	return s.begin(v)
}

func (s *sheet) key(v *View, k press) tea.Cmd {
	if !s.scroll(k.name) && s.on != nil {
		return s.on(v, k)
	}
	return nil
}

// scroll does what a key says; false: it does not scroll.
func (s *sheet) scroll(k string) bool {
	switch k {
	case "up", "k":
		s.at--
	case "down", "j":
		s.at++
	case "pgup", "b":
		s.at -= max(1, s.page-1)
	case "pgdown", "space":
		s.at += max(1, s.page-1)
	case "home", "g":
		s.at = 0
	case "end", "G":
		s.at = len(s.rows)
	default:
		return false
	}
	s.at = max(0, min(s.at, len(s.rows)-s.page))
	return true
}

func (s *sheet) draw(_ *View, width, height int) drawn {
	if s.write == nil {
		return drawn{x: -1}
	}
	if s.rows == nil || s.width != width {
		s.rows, s.width = s.write(width), width
	}
	if s.seek != nil {
		s.at, s.seek = s.seek(width), nil
	}
	s.page = height
	rows := s.rows
	if more := len(rows) > height; more { // the last row says how much there is
		s.page--
		s.at = max(0, min(s.at, len(rows)-s.page))
		rows = append(append([]typeset.Row{}, rows[s.at:s.at+s.page]...), typeset.Faint.Row(place(s.at+s.page, len(s.rows))))
	} else {
		s.at = 0
	}
	return drawn{rows, -1, 0}
}

// failed is a failure as a person reads it, with the way out.
func failed(err error, width int) []typeset.Row {
	return flow(explained(err), typeset.Red, width, "error: ", "  ")
}
