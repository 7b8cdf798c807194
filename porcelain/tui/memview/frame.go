package memview

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// minWidth and minHeight are the smallest terminal that the view is laid out for.
const minWidth, minHeight = 40, 10

// View draws: height lines at most, none wider than width, and the cursor; x
// below 0 hides it.
func (v *View) View(width, height int) (lines []string, x, y int) {
	if width < minWidth || height < minHeight {
		return v.tooSmall(width, height), -1, 0
	}
	v.page = height - 3
	d := v.top().draw(v, width, v.page)
	rows := append([]typeset.Row{v.head(width)}, d.rows[:min(len(d.rows), v.page)]...)
	for len(rows) < height-2 {
		rows = append(rows, nil)
	}
	rows = append(rows, v.status(width), v.foot(width))
	for _, r := range rows {
		lines = append(lines, r.Fit(width).Write(v.d.Colour))
	}
	if d.x < 0 || d.y >= v.page {
		return lines, -1, 0
	}
	return lines, min(d.x, width-1), d.y + 1
}

func (v *View) tooSmall(width, height int) (lines []string) {
	for _, r := range flow("The memory view needs 40 columns and 10 lines. Esc goes back.", typeset.None, width, "", "") {
		if len(lines) < height {
			lines = append(lines, r.Write(false))
		}
	}
	return lines
}

// head says where one is: the tabs, or the way down from one.
func (v *View) head(width int) typeset.Row {
	if len(v.stack) > 0 {
		return v.way(width)
	}
	for _, style := range []func(i int, name string) string{
		func(i int, name string) string { return name },
		func(i int, name string) string { return name[:min(len(name), 4)] },
	} {
		var r typeset.Row
		for i, t := range v.tabs {
			number := string(rune('1' + i))
			if i == v.at {
				r = append(r, typeset.Bold.Of("["+number+" "+t.title()+"]"))
			} else {
				r = append(r, typeset.Faint.Of(" "+number+" "+style(i, t.title())+" "))
			}
		}
		if r.Columns() <= width {
			return r
		}
	}
	return typeset.Row{typeset.Bold.Of("[" + v.tabs[v.at].title() + "]"), typeset.Faint.

		// way is the screens that one has come through; its end is what counts.
		Of(" tab: next of " + string(rune('0'+len(v.tabs))))}
}

func (v *View) way(width int) typeset.Row {
	names := []string{v.tabs[v.at].title()}
	for _, s := range v.stack {
		names = append(names, oneLine(s.title()))
	}
	last := typeset.Bold.Of(names[len(names)-1])
	for first := range names {
		before := strings.Join(names[first:len(names)-1], " › ")
		if first > 0 {
			before = strings.TrimSuffix("… › "+before, " › ")
		}
		if r := (typeset.Row{typeset.Faint.Of(before + " › "), last}); r.Columns() <= width {
			return r
		}
	}
	return typeset.Row{last}.Fit(width)
}

// status says what goes on, or what a key came to.
func (v *View) status(width int) typeset.Row {
	if doing := v.doing(); doing != "" {
		frames := []rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
		return typeset.Row{typeset.Cyan.Of(string(frames[v.frame%len(frames)]) + " "), typeset.None.Of(doing)}.Fit(width)
	}
	return v.note
}

// hint is a key and what it does.
type hint struct{ key, does string }

// foot is as many of the keys as there is room for, the most needed first.
func (v *View) foot(width int) typeset.Row {
	end := " · esc back · ? keys"
	switch {
	case v.top().editing() != nil:
		end = ""
	case len(v.stack) == 0:
		end = " · q leave · ? keys"
	}
	said := ""
	for _, h := range v.top().hints() {
		part := h.key + " " + h.does
		if said != "" {
			part = " · " + part
		}
		if typeset.Columns(said+part+end) > width {
			break
		}
		said += part
	}
	if said == "" {
		end = strings.TrimPrefix(end, " · ")
	}
	return typeset.Faint.Row(said + end)
}
