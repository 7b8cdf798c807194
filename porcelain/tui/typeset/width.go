package typeset

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TabStop is how many columns a tab goes to the next multiple of.
const TabStop = 4

// Cluster takes the first character off a text that is not empty, as a reader
// counts characters, and says how many columns it has at most: terminals do not
// agree on emoji.
func Cluster(text string) (first string, columns int) {
	if c := text[0]; c < 0x80 && (len(text) == 1 || text[1] < 0x80) {
		if c < ' ' || c == 0x7f {
			return text[:1], 0
		}
		return text[:1], 1
	}
	first, columns = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return first, max(columns, ansi.StringWidthWc(first))
}

// Columns is the width of a text without tabs, newlines and escapes.
func Columns(text string) (n int) {
	for text != "" {
		first, w := Cluster(text)
		n += w
		text = text[len(first):]
	}
	return n
}

// Fit cuts a line to a width; what was cut ends in "…".
func Fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	end, at, n := 0, 0, 0
	for at < len(text) {
		first, w := Cluster(text[at:])
		if n += w; n > width {
			return text[:end] + "…"
		}
		if at += len(first); n < width {
			end = at
		}
	}
	return text
}

// Pad makes a text as wide as a column of a table, which it begins in.
func Pad(text string, width int) string {
	text = Fit(text, width)
	return text + strings.Repeat(" ", max(0, width-Columns(text)))
}

// PadLeft makes a text as wide as a column of a table, which it ends in.
func PadLeft(text string, width int) string {
	text = Fit(text, width)
	return strings.Repeat(" ", max(0, width-Columns(text))) + text
}

// Untab writes tabs as spaces, counted from a column.
func Untab(text string, from int) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	for at := from; text != ""; {
		first, w := Cluster(text)
		text = text[len(first):]
		if first == "\t" {
			first = strings.Repeat(" ", TabStop-at%TabStop)
			w = len(first)
		}
		b.WriteString(first)
		at += w
	}
	return b.String()
}

// Head is the beginning of a text, at most so many bytes, and no part of a character.
func Head(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	for bytes > 0 && !utf8.RuneStart(text[bytes]) {
		bytes--
	}
	return text[:bytes]
}

// Tail is the end of a text, at most so many bytes, and no part of a character.
func Tail(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	at := len(text) - bytes
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return text[at:]
}
