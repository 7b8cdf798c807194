package memview

import "strings"

// ink is how a piece of text looks: the parameters of an SGR sequence, of the
// sixteen colours that the person's own theme defines; "" is as it is.
type ink string

const (
	noInk   ink = ""
	bold    ink = "1"
	faint   ink = "2"
	reverse ink = "7"
	red     ink = "31"
	green   ink = "32"
	yellow  ink = "33"
	cyan    ink = "36"
)

// span is text of one ink.
type span struct {
	text string
	ink  ink
}

// row is one line of the screen.
type row []span

func plain(text string) row          { return row{{text, noInk}} }
func painted(i ink, text string) row { return row{{text, i}} }

func (r row) columns() (n int) {
	for _, s := range r {
		n += columns(s.text)
	}
	return n
}

// write is a row as the terminal gets it.
func (r row) write(colour bool) string {
	var b strings.Builder
	for _, s := range r {
		if !colour || s.ink == noInk || s.text == "" {
			b.WriteString(s.text)
			continue
		}
		b.WriteString("\x1b[" + string(s.ink) + "m" + s.text + "\x1b[0m")
	}
	return b.String()
}

// fit cuts a row to a width; what was cut ends in "…".
func (r row) fit(width int) row {
	if r.columns() <= width {
		return r
	}
	var out row
	room := max(0, width)
	for _, s := range r {
		n := columns(s.text)
		if n < room {
			out, room = append(out, s), room-n
			continue
		}
		return append(out, span{fit(s.text+"…", room), s.ink})
	}
	return out
}

// filled is a row made as wide as a column of a table.
func filled(text string, width int) string {
	text = fit(text, width)
	return text + strings.Repeat(" ", max(0, width-columns(text)))
}

// marked reads the colours of a page that package memory has written: its text
// is clean already, and whatever else begins with an escape becomes visible.
func marked(text string) row {
	var r row
	how := noInk
	for text != "" {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			break
		}
		r = append(r, span{clean(text[:i]), how})
		rest := text[i+2:]
		end := strings.IndexFunc(rest, func(c rune) bool { return (c < '0' || c > '9') && c != ';' })
		if end < 0 || rest[end] != 'm' {
			r, text = append(r, span{clean("\x1b["), how}), rest
			continue
		}
		if how = ink(rest[:end]); how == "0" {
			how = noInk
		}
		text = rest[end+1:]
	}
	return append(r, span{clean(text), how})
}

// with is both inks at once.
func (i ink) with(other ink) ink {
	if i == "" || other == "" {
		return i + other
	}
	return i + ";" + other
}

// right is a text at the right of a column of a table.
func right(text string, width int) string {
	text = fit(text, width)
	return strings.Repeat(" ", max(0, width-columns(text))) + text
}
