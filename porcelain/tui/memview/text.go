package memview

import (
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// maxShown is how many bytes of one text are laid out; where there are more, it says so.
const maxShown = 256 << 10

// oneLine is text that may be shown, in one line.
func oneLine(text string) string {
	text, _ = cut(text, maxShown)
	return typeset.Line(text)
}

// glimpse is the beginning of a text in one line, more than a row of a list holds.
func glimpse(text string) string {
	text, _ = cut(text, 1024)
	return typeset.Line(text)
}

// flow wraps a text as it came, of one ink. The rows begin with first and later with next.
func flow(s string, i typeset.Ink, width int, first, next string) []typeset.Row {
	s, more := cut(s, maxShown)
	rows := typeset.Wrap(i.Row(typeset.Clean(s)), width, typeset.None.Row(first), typeset.None.Row(next))
	if more {
		rows = append(rows, flow("[only the beginning is shown here]", typeset.Faint, width, next, next)...)
	}
	return rows
}

// cut is the beginning of a text of at most n bytes, whole characters, and
// whether something is missing.
func cut(text string, n int) (string, bool) {
	if len(text) <= n {
		return text, false
	}
	return typeset.Head(text, n), true
}
