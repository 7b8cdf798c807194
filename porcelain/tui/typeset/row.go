package typeset

import "strings"

// Span is text of one ink. It is clean, and holds no newline but where Wrap is to break.
type Span struct {
	Text string
	Ink  Ink
}

// Row is one line of a screen, or a text that Wrap makes rows of.
type Row []Span

// Columns is the width of a row without tabs.
func (r Row) Columns() (n int) {
	for _, s := range r {
		n += Columns(s.Text)
	}
	return n
}

// Fit cuts a row to a width; what was cut ends in "…".
func (r Row) Fit(width int) Row {
	if r.Columns() <= width {
		return r
	}
	var out Row
	room := max(0, width)
	for _, s := range r {
		n := Columns(s.Text)
		if n < room {
			out, room = append(out, s), room-n
			continue
		}
		return append(out, s.Ink.Of(Fit(s.Text+"…", room)))
	}
	return out
}

// Write is a row as a terminal gets it, without its inks where colour is false.
// Neighbours of one ink are painted at once.
func (r Row) Write(colour bool) string {
	var b strings.Builder
	painted := false
	for i, s := range r {
		if painted = painted && r[i-1].Ink == s.Ink; !painted && colour && s.Ink != None {
			b.WriteString("\x1b[" + string(s.Ink) + "m")
			painted = true
		}
		b.WriteString(s.Text)
		if painted && (i+1 == len(r) || r[i+1].Ink != s.Ink) {
			b.WriteString("\x1b[0m")
		}
	}
	return b.String()
}

// Lines is rows as a terminal gets them.
func Lines(rows []Row, colour bool) []string {
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = r.Write(colour)
	}
	return lines
}

// Painted reads the inks of a page that is written already, such as one of
// package memory. Any other escape becomes visible.
func Painted(text string) Row {
	var r Row
	how := None
	add := func(text string) {
		if text != "" {
			r = append(r, how.Of(Clean(text)))
		}
	}
	for text != "" {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			break
		}
		rest := text[i+2:]
		end := strings.IndexFunc(rest, func(c rune) bool { return (c < '0' || c > '9') && c != ';' })
		if end < 0 || rest[end] != 'm' {
			add(text[:i+2])
			text = rest
			continue
		}
		add(text[:i])
		if how = Ink(rest[:end]); how == "0" {
			how = None
		}
		text = rest[end+1:]
	}
	add(text)
	return r
}
