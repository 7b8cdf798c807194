package memview

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// editor is a text that is being typed.
type editor struct {
	text string
	at   int  // of the cursor, in bytes; never within a character
	most int  // bytes
	one  bool // one line: line breaks of a paste become spaces

	width int // as it was drawn last
}

func newEditor(text string, most int, one bool) *editor {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return &editor{text: text, at: len(text), most: most, one: one, width: 40}
}

// insert puts text in at the cursor; the answer is what is wrong, "" where nothing is.
func (e *editor) insert(text string) string {
	if len(e.text)+len(text) > e.most {
		return fmt.Sprintf("that is too long: %d bytes at most; nothing of it was taken", e.most)
	}
	e.text = e.text[:e.at] + text + e.text[e.at:]
	e.at += len(text)
	return ""
}

// paste puts in what was pasted, its line ends as newlines.
func (e *editor) paste(text string) string {
	text = strings.ToValidUTF8(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\uFFFD")
	if e.one {
		text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", " ")
	}
	return e.insert(text)
}

// key edits; said is what is wrong, ok false: the key means nothing here.
func (e *editor) key(k press) (said string, ok bool) {
	switch k.name {
	case "left", "ctrl+b":
		e.at -= len(e.before())
	case "right", "ctrl+f":
		e.at += len(e.after())
	case "home", "ctrl+a":
		e.at = strings.LastIndexByte(e.text[:e.at], '\n') + 1
	case "end", "ctrl+e":
		e.at = e.lineEnd()
	case "up":
		e.vertical(-1)
	case "down":
		e.vertical(1)
	case "backspace", "ctrl+h":
		e.remove(e.at-len(e.before()), e.at)
	case "delete", "ctrl+d":
		e.remove(e.at, e.at+len(e.after()))
	case "ctrl+w", "alt+backspace":
		e.remove(e.wordStart(), e.at)
	case "ctrl+u":
		e.remove(strings.LastIndexByte(e.text[:e.at], '\n')+1, e.at)
	case "ctrl+k":
		e.remove(e.at, e.lineEnd())
	case "alt+enter", "ctrl+j", "shift+enter":
		if e.one {
			return "", false
		}
		return e.insert("\n"), true
	default:
		if k.text == "" {
			return "", false
		}
		return e.insert(k.text), true
	}
	return "", true
}

func (e *editor) lineEnd() int {
	if i := strings.IndexByte(e.text[e.at:], '\n'); i >= 0 {
		return e.at + i
	}
	return len(e.text)
}

func (e *editor) remove(from, to int) {
	e.text, e.at = e.text[:from]+e.text[to:], from
}

// before is the character before the cursor, as a reader counts them.
func (e *editor) before() string {
	rest := e.text[strings.LastIndexByte(e.text[:e.at], '\n')+1 : e.at]
	if rest == "" {
		return e.text[max(0, e.at-1):e.at] // a newline, or nothing
	}
	first := ""
	for rest != "" {
		first, _ = typeset.Cluster(rest)
		rest = rest[len(first):]
	}
	return first
}

func (e *editor) after() string {
	if e.at == len(e.text) {
		return ""
	}
	first, _ := typeset.Cluster(e.text[e.at:])
	return first
}

func (e *editor) wordStart() int {
	kept := strings.TrimRight(e.text[:e.at], " \t\n")
	return strings.LastIndexAny(kept, " \t\n") + 1
}

// vertical goes a drawn row up or down, to the same column or the last before it.
func (e *editor) vertical(step int) {
	var x, y int
	type place struct{ at, x, y int }
	var all []place
	e.lay(e.width, func(at, atX, atY int) {
		if at == e.at {
			x, y = atX, atY
		}
		all = append(all, place{at, atX, atY})
	})
	for _, p := range all {
		if p.y == y+step && p.x <= x {
			e.at = p.at
		}
	}
}

// draw is the rows around the cursor, and where it stands among them.
func (e *editor) draw(width, height int, first, next string) drawn {
	e.width = max(1, width-typeset.Columns(first))
	var x, y int
	rows := e.lay(e.width, func(at, atX, atY int) {
		if at == e.at {
			x, y = atX, atY
		}
	})
	if x == e.width { // behind a full row
		x, y = 0, y+1
		if y == len(rows) {
			rows = append(rows, "")
		}
	}
	from := max(0, min(y-height/2, len(rows)-height))
	var out []typeset.Row
	for i := from; i < min(len(rows), from+height); i++ {
		lead := next
		if i == 0 {
			lead = first
		}
		out = append(out, typeset.Row{typeset.Cyan.Of(lead), typeset.None.Of(rows[i])})
	}
	return drawn{out, x + typeset.Columns(first), y - from}
}

// lay breaks the text at characters, so that a cursor has one place in it, and
// says where each character begins.
func (e *editor) lay(width int, visit func(at, x, y int)) (rows []string) {
	var b strings.Builder
	n := 0
	turn := func() {
		rows = append(rows, b.String())
		b.Reset()
		n = 0
	}
	for at := 0; at < len(e.text); {
		first, w := typeset.Cluster(e.text[at:])
		if first == "\n" {
			visit(at, n, len(rows))
			at += len(first)
			turn()
			continue
		}
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
		visit(at, n, len(rows))
		b.WriteString(shown)
		at, n = at+len(first), n+w
	}
	visit(len(e.text), n, len(rows))
	turn()
	return rows
}
