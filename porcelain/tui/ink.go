package tui

import "strings"

// ink is how a piece of text looks: the parameters of an SGR sequence, of the
// sixteen colours that the person's own theme defines; "" is as it is.
type ink string

const (
	noInk   ink = ""
	bold    ink = "1"
	faint   ink = "2"
	italic  ink = "3"
	reverse ink = "7"
	struck  ink = "9"
	red     ink = "31"
	green   ink = "32"
	yellow  ink = "33"
	blue    ink = "34"
	magenta ink = "35"
	cyan    ink = "36"
)

// and is both inks at once.
func (i ink) and(other ink) ink {
	if i == "" || other == "" {
		return i + other
	}
	return i + ";" + other
}

// palette paints, or does not where the person wants no colour.
type palette struct{ colour bool }

// span is text of one ink; it holds no newline but where wrap is to break.
type span struct {
	text string
	ink  ink
}

// row is one line of the screen.
type row []span

func (r row) columns() (n int) {
	for _, s := range r {
		n += columns(s.text)
	}
	return n
}

// write is a row as the terminal gets it; neighbours of one ink are painted at once.
func (p palette) write(r row) string {
	var b strings.Builder
	painted := false
	for i, s := range r {
		if painted = painted && r[i-1].ink == s.ink; !painted && p.colour && s.ink != noInk {
			b.WriteString("\x1b[" + string(s.ink) + "m")
			painted = true
		}
		b.WriteString(s.text)
		if painted && (i+1 == len(r) || r[i+1].ink != s.ink) {
			b.WriteString("\x1b[0m")
		}
	}
	return b.String()
}

// writeAll is rows as lines.
func (p palette) writeAll(rows []row) []string {
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = p.write(r)
	}
	return lines
}

// rowOf is a row of one ink.
func rowOf(i ink, text string) row { return row{{text, i}} }
