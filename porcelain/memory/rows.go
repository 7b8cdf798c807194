package memory

import (
	"fmt"
	"strings"
	"time"
)

// column is one column of a table: its title, and whether its cells stand at the right.
type column struct {
	title string
	right bool
}

// rows writes a table. Columns stand beside one another as far as the width
// goes; those that have no place there follow on further lines, indented. The
// last column takes what room is left, at least leastText columns, and alone
// is cut: everything else can be copied whole. Cells are one line each, and
// have gone through prompt.Show.
func (p *page) rows(head []column, cells [][]string) {
	widths, titles := make([]int, len(head)), make([]string, len(head))
	for i, h := range head {
		titles[i], widths[i] = h.title, columns(h.title)
		for _, row := range cells {
			widths[i] = max(widths[i], columns(row[i]))
		}
	}
	lines := p.layout(widths)
	p.row(head, widths, lines, titles, dim)
	for _, row := range cells {
		p.row(head, widths, lines, row, "")
	}
}

// leastText is the least room that the last column is worth being beside others for.
const leastText = 24

// layout tells for each line of a row behind which column it ends.
func (p *page) layout(widths []int) (ends []int) {
	at := 0
	for i, w := range widths {
		if i == len(widths)-1 {
			w = min(w, leastText)
		}
		if i > 0 && at+w > p.width() {
			ends = append(ends, i)
			at = 2
		}
		at += w + 2
	}
	return append(ends, len(widths))
}

func (p *page) row(head []column, widths, ends []int, cells []string, code string) {
	from := 0
	for n, end := range ends {
		indent := strings.Repeat(" ", min(2*n, 2))
		line, empty := "", true
		for i := from; i < end; i++ {
			cell := cells[i]
			if i == len(cells)-1 {
				cell = cut(cell, p.width()-len(indent)-columns(line))
			}
			empty = empty && cell == ""
			space := strings.Repeat(" ", max(widths[i]-columns(cell), 0))
			if head[i].right {
				line += space + cell + "  "
			} else {
				line += cell + space + "  "
			}
		}
		if from = end; !empty {
			p.line(indent, indent, strings.TrimRight(line, " "), code)
		}
	}
}

// age is how long ago something was, as people say it.
func age(now, then time.Time) string {
	switch d := now.Sub(then); {
	case d < time.Minute: // also what a clock that was set back puts ahead
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d < 365*24*time.Hour:
		return fmt.Sprintf("%d d", d/(24*time.Hour))
	default:
		return fmt.Sprintf("%d y", d/(365*24*time.Hour))
	}
}
