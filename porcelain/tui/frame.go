package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// drawn is the live part: its rows, and where the cursor stands; y below 0 hides it.
type drawn struct {
	rows []typeset.Row
	x, y int
}

// View draws the live part, or the page that is open.
func (s *Screen) View() tea.View {
	if s.width == 0 || s.away || s.quitting {
		return tea.NewView("")
	}
	var v tea.View
	d := drawn{y: -1}
	if s.pageOnTop() {
		lines, x, y := s.page.View(s.width, s.height)
		if d.x = x; x >= 0 {
			d.y = y
		}
		v = tea.NewView(strings.Join(lines, "\n"))
		v.AltScreen = true
	} else {
		d = s.frame()
		v = tea.NewView(strings.Join(typeset.Lines(d.rows, s.o.Colour), "\n"))
	}
	if d.y >= 0 {
		v.Cursor = tea.NewCursor(d.x, d.y)
		v.Cursor.Blink = false // so that the person's own cursor is set again at the end
	}
	return v
}

// frame lays out the live part within liveMax: the input and the status line
// first, then a question, and what runs gets the rest.
func (s *Screen) frame() drawn {
	room := s.liveMax()
	var bottom []typeset.Row
	if s.session != nil {
		bottom = []typeset.Row{status(s.standing, s.place, s.learned, s.width)}
	}
	if s.hint != "" {
		bottom = typeset.Wrap(typeset.Yellow.Row(typeset.Line(s.hint)), s.width, nil, nil)
		bottom = bottom[:min(len(bottom), max(1, room/3))]
	}
	if s.asks() && room < 2*leastShown && s.hint == "" {
		bottom = nil // what is asked needs the room
	}
	middle, x, y := s.middle(room - len(bottom))
	top := s.waiting(room - len(middle) - len(bottom))
	top = append(s.live(room-len(middle)-len(bottom)-len(top)), top...)
	if (len(top) > 0 || s.printer.begun) && len(top)+len(middle)+len(bottom)+2 < room {
		top = append(top, nil)
	}
	rows := append(append(top, middle...), bottom...)
	if cut := len(rows) - room; cut > 0 && room > 0 {
		rows, y = rows[cut:], y-cut
	}
	if y >= 0 {
		y += len(top)
	}
	return drawn{rows, x, y}
}

// ways says what one can write, to whom nothing was said yet.
const ways = "say what to do · / commands · @ files · ! shell · alt+m memory"

// middle is what takes the keys: the input with what it may become, or a
// question. A question that takes no answer yet leaves the input to be seen.
func (s *Screen) middle(room int) (rows []typeset.Row, x, y int) {
	if s.asks() {
		q := s.asked[0]
		bar := q.answers(s.width, room)
		if q.small {
			return bar, 0, -1
		}
		return append(q.view(s.width, room-len(bar)), bar...), 0, -1
	}
	rows, x, y = s.input.view(s.width, max(1, min(10, room/2)), "> ", typeset.Magenta)
	if s.input.text == "" && s.session != nil && s.turn == nil && s.standing.SessionID == "" {
		rows[0] = append(rows[0], typeset.Faint.Of(typeset.Fit(ways, s.width-x)))
	}
	var above []typeset.Row
	if len(s.asked) > 0 {
		above = s.asked[0].view(s.width, max(1, room-len(rows)-1))
	} else {
		above = s.menu.view(s.width, room-len(rows))
	}
	return append(above, rows...), x, y + len(above)
}

// live is what runs, at most height rows; the latest stays.
func (s *Screen) live(height int) []typeset.Row {
	var rows []typeset.Row
	if s.session == nil {
		what := "opening the project"
		if s.tick > 10 {
			what += "; another lecode may have the session"
		}
		rows = append(rows, typeset.Row{typeset.Cyan.Of(s.spinner() + " "), typeset.Faint.Of(typeset.Fit(what, max(0, s.width-2)))})
	}
	if text := s.stream.view(s.width); len(text) > 0 {
		rows = append(rows, text...)
	}
	for _, c := range s.calls.running() {
		rows = append(rows, c.live(s.width, s.spinner())...)
	}
	if s.turn != nil && len(s.asked) == 0 {
		rows = append(rows, s.working())
	}
	if height <= 0 {
		return nil
	}
	if len(rows) > height {
		rows = append([]typeset.Row{typeset.Faint.Row(typeset.Fit("… "+plural(len(rows)-height+1, "line")+" above", s.width))}, rows[len(rows)-height+1:]...)
	}
	return rows
}

// working is the line that says that something runs, what, and how to end it.
func (s *Screen) working() typeset.Row {
	what := "working"
	switch {
	case s.turn.ending:
		what = "interrupting"
	case s.turn.doing != "":
		what = typeset.Line(s.turn.doing)
	}
	text := fmt.Sprintf("%s · %ds", what, int(s.o.Now().Sub(s.turn.began).Seconds()))
	if !s.turn.ending {
		if way := " · esc interrupts"; typeset.Columns(text+way)+2 <= s.width {
			text += way
		}
	}
	return typeset.Row{typeset.Cyan.Of(s.spinner() + " "), typeset.Faint.Of(typeset.Fit(text, max(0, s.width-2)))}
}

// waiting is what is sent once the turn ends.
func (s *Screen) waiting(height int) []typeset.Row {
	var rows []typeset.Row
	for i, text := range s.queue {
		if i == 2 && len(s.queue) > 3 {
			rows = append(rows, typeset.Faint.Row(typeset.Fit("  and "+fmt.Sprint(len(s.queue)-2)+" more", s.width)))
			break
		}
		rows = append(rows, typeset.Faint.Row(typeset.Fit("↳ waits: "+typeset.Line(text), s.width)))
	}
	return rows[:max(0, min(len(rows), height))]
}
