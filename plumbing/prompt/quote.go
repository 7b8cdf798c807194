package prompt

import "strings"

// quoter writes a text line by line behind "> ", made visible, one character at a time.
type quoter struct {
	src  string
	used int    // bytes of src that out shows
	out  []byte // whole lines, and where open the beginning of one
	open bool
}

// step takes one character, or one line end. A BOM at the start is taken and not shown.
func (q *quoter) step() {
	rest := q.src[q.used:]
	if q.used == 0 && strings.HasPrefix(rest, "\uFEFF") {
		q.used += len("\uFEFF")
		return
	}
	if n := lineEnd(rest); n > 0 {
		q.used += n
		if !q.open {
			q.out = append(q.out, '>')
		}
		q.out = append(q.out, '\n')
		q.open = false
		return
	}
	if !q.open {
		q.out = append(q.out, "> "...)
		q.open = true
	}
	n, shown := next(rest)
	q.used += n
	q.out = append(q.out, shown...)
}

// end closes a last line that has no line end of its own.
func (q *quoter) end() {
	if q.open {
		q.out = append(q.out, '\n')
		q.open = false
	}
}

// lineEnd returns the length of the line end that s begins with, 0 where there is none.
func lineEnd(s string) int {
	switch {
	case strings.HasPrefix(s, "\n"):
		return 1
	case strings.HasPrefix(s, "\r\n"):
		return 2
	}
	return 0
}
