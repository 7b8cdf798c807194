package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// view is the rows of the input around the cursor, at most height of them, and
// where the cursor stands among them.
func (in *input) view(width, height int, prompt string, i typeset.Ink) (rows []typeset.Row, x, y int) {
	mark := i.Row(prompt)
	under := typeset.None.Row(strings.Repeat(" ", typeset.Columns(prompt)))
	if typeset.Columns(prompt)+2 > width {
		mark, under = nil, nil
	}
	margin := mark.Columns()
	start, end := in.lineStart(), in.lineEnd()
	rows, x, y = lay(in.text[start:end], in.at-start, max(1, width-margin))
	// The lines around it, as long as there is room.
	for from := start; from > 0 && y < height; {
		to := from - 1
		from = strings.LastIndexByte(in.text[:to], '\n') + 1
		above, _, _ := lay(in.text[from:to], -1, max(1, width-margin))
		rows, y = append(above, rows...), y+len(above)
		start = from
	}
	for to := end; to < len(in.text) && len(rows) < y+height; {
		from := to + 1
		if i := strings.IndexByte(in.text[from:], '\n'); i >= 0 {
			to = from + i
		} else {
			to = len(in.text)
		}
		below, _, _ := lay(in.text[from:to], -1, max(1, width-margin))
		rows = append(rows, below...)
	}
	first := max(0, min(y-height/2, len(rows)-height))
	last := min(len(rows), first+height)
	out := make([]typeset.Row, 0, last-first)
	for n := first; n < last; n++ {
		with := under
		if n == 0 && start == 0 {
			with = mark
		}
		out = append(out, append(append(typeset.Row(nil), with...), rows[n]...))
	}
	return out, x + margin, y - first
}

// lay breaks a line at characters, so that a cursor has one place in it. What
// would not be seen is shown as an escape; x, y is where offset at comes to.
func lay(text string, at, width int) (rows []typeset.Row, x, y int) {
	var b strings.Builder
	n := 0
	turn := func() {
		rows = append(rows, typeset.None.Row(b.String()))
		b.Reset()
		n = 0
	}
	for offset := 0; ; {
		if offset == at {
			if n >= width {
				turn()
			}
			x, y = n, len(rows)
		}
		if offset >= len(text) {
			break
		}
		first, w := typeset.Cluster(text[offset:])
		offset += len(first)
		shown := first
		if first == "\t" {
			w = typeset.TabStop - n%typeset.TabStop
			shown = strings.Repeat(" ", w)
		} else if !typeset.Plain(first) {
			shown = typeset.Clean(first)
			w = typeset.Columns(shown)
		}
		if w > width {
			shown, w = "…", 1
		}
		if n+w > width {
			turn()
		}
		b.WriteString(shown)
		n += w
		if at > 0 && offset > at && offset-len(first) < at { // within a character: at its end
			x, y = min(n, width-1), len(rows)
		}
	}
	turn()
	return rows, x, y
}
