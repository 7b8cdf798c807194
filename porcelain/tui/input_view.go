package tui

import "strings"

// view is the rows of the input around the cursor, at most height of them, and
// where the cursor stands among them.
func (in *input) view(width, height int, prompt string, i ink) (rows []row, x, y int) {
	mark := row{{prompt, i}}
	under := row{{strings.Repeat(" ", columns(prompt)), noInk}}
	if columns(prompt)+2 > width {
		mark, under = nil, nil
	}
	margin := mark.columns()
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
	out := make([]row, 0, last-first)
	for n := first; n < last; n++ {
		with := under
		if n == 0 && start == 0 {
			with = mark
		}
		out = append(out, append(append(row(nil), with...), rows[n]...))
	}
	return out, x + margin, y - first
}

// lay breaks a line at characters, so that a cursor has one place in it. What
// would not be seen is shown as an escape; x, y is where offset at comes to.
func lay(text string, at, width int) (rows []row, x, y int) {
	var b strings.Builder
	n := 0
	turn := func() {
		rows = append(rows, row{{b.String(), noInk}})
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
		first, w := cluster(text[offset:])
		offset += len(first)
		shown := first
		if first == "\t" {
			w = tabStop - n%tabStop
			shown = strings.Repeat(" ", w)
		} else if !plain(first) {
			shown = clean(first)
			w = columns(shown)
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
