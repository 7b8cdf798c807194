package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// callsPage is the calls of the screen's time, the latest one marked; enter unfolds one.
type callsPage struct {
	calls  *calls
	at     int
	open   map[*call]bool
	scroll int
	follow bool // the marked one is to be seen
	height int
	done   bool
	colour bool
	laid   map[*call]laidCall
}

// laidCall is what there is of a call, laid out.
type laidCall struct {
	width  int
	state  callState
	output string
	rows   []typeset.Row
}

// lay lays a call out, unless that is done.
func (p *callsPage) lay(c *call, width int) []typeset.Row {
	l, ok := p.laid[c]
	if !ok || l.width != width || l.state != c.state || l.output != c.output {
		l = laidCall{width, c.state, c.output, c.whole(width)}
		p.laid[c] = l
	}
	return l.rows
}

func newCallsPage(c *calls, colour bool) *callsPage {
	p := &callsPage{calls: c, colour: colour, at: len(*c) - 1, open: map[*call]bool{}, laid: map[*call]laidCall{}, follow: true}
	if p.at >= 0 {
		p.open[(*c)[p.at]] = true
	}
	return p
}

func (p *callsPage) Init() tea.Cmd { return nil }
func (p *callsPage) Done() bool    { return p.done }
func (p *callsPage) Close()        {}
func (p *callsPage) Wait()         {}

func (p *callsPage) Update(msg tea.Msg) tea.Cmd {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	last := len(*p.calls) - 1
	switch k.Keystroke() {
	case "esc", "q", "ctrl+o", "ctrl+c":
		p.done = true
	case "up", "k":
		p.at, p.follow = max(0, p.at-1), true
	case "down", "j":
		p.at, p.follow = max(0, min(last, p.at+1)), true
	case "home", "g":
		p.at, p.follow = 0, true
	case "end", "shift+g":
		p.at, p.follow = max(0, last), true
	case "pgup", "b":
		p.scroll -= max(1, p.height-2)
	case "pgdown", "space":
		p.scroll += max(1, p.height-2)
	case "enter", "tab", "right", "left":
		if last >= 0 {
			c := (*p.calls)[min(p.at, last)]
			p.open[c], p.follow = !p.open[c], true
		}
	}
	return nil
}

func (p *callsPage) View(width, height int) (lines []string, x, y int) {
	var rows []typeset.Row
	p.height = max(1, height-1)
	p.at = min(p.at, len(*p.calls)-1)
	begins := 0
	for i, c := range *p.calls {
		mark := typeset.None.Of("  ")
		if i == p.at {
			mark, begins = typeset.Bold.Of("› "), len(rows)
		}
		took := ""
		if c.took > 0 {
			took = fmt.Sprintf(" (%.1fs)", c.took.Seconds())
		}
		rows = append(rows, typeset.Row{mark, c.mark("…"), typeset.None.Of(typeset.Fit(c.title()+took, max(0, width-4)))})
		if p.open[c] {
			rows = append(rows, p.lay(c, width)...)
		}
	}
	if len(*p.calls) == 0 {
		rows = append(rows, typeset.Faint.Row(typeset.Fit("no tool was called yet", width)))
	}
	if p.follow {
		p.follow = false
		if begins < p.scroll || begins >= p.scroll+p.height {
			p.scroll = begins
		}
	}
	p.scroll = max(0, min(p.scroll, len(rows)-p.height))
	rows = rows[p.scroll:min(len(rows), p.scroll+p.height)]
	for i, r := range rows { // a terminal may be narrower than the marks
		if r.Columns() > width {
			rows[i] = r.Fit(width)
		}
	}
	for len(rows) < p.height {
		rows = append(rows, nil)
	}
	rows = append(rows, typeset.Faint.Row(typeset.Fit("calls · enter unfolds · space pages · esc goes back", width)))
	return typeset.Lines(rows, p.colour), -1, 0
}
