package memview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/lecode/lecode/plumbing/prompt"
)

// tabStop is how many columns a tab goes to the next multiple of.
const tabStop = 4

// maxShown is how many bytes of one text are laid out; where there are more, it says so.
const maxShown = 256 << 10

// clean is text that may be shown: whatever would act on the terminal, or would
// not be seen, is an escape such as <U+001B>. Lines end in newlines; tabs stay.
func clean(text string) string {
	if ascii(text) {
		return text
	}
	return prompt.Show(strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
}

// ascii reports whether text is printable ASCII, tabs and newlines.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' && c != '\n' || c > '~' {
			return false
		}
	}
	return true
}

// oneLine is text that may be shown, in one line.
func oneLine(text string) string {
	if len(text) > maxShown {
		text = text[:maxShown]
	}
	return strings.Join(strings.Fields(clean(text)), " ")
}

// glimpse is the beginning of a text in one line, more than a row of a list holds.
func glimpse(text string) string {
	text, _ = cut(text, 1024)
	return oneLine(text)
}

// cluster takes the first character off a text, as a reader counts characters,
// and says how many columns it has at most: terminals do not agree on emoji, so
// the width of lipgloss and that of older terminals are both asked.
func cluster(text string) (first string, columns int) {
	if c := text[0]; c < 0x80 && (len(text) == 1 || text[1] < 0x80) {
		if c < ' ' || c == 0x7f {
			return text[:1], 0
		}
		return text[:1], 1
	}
	first, columns = ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return first, max(columns, ansi.StringWidthWc(first))
}

// columns is the width of a clean text without tabs and newlines.
func columns(text string) (n int) {
	for text != "" {
		first, w := cluster(text)
		n += w
		text = text[len(first):]
	}
	return n
}

// fit cuts a line to a width; what was cut ends in "…".
func fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	end, at, n := 0, 0, 0
	for at < len(text) {
		first, w := cluster(text[at:])
		if n += w; n > width {
			return text[:end] + "…"
		}
		if at += len(first); n < width {
			end = at
		}
	}
	return text
}

// cut is the beginning of a text of at most n bytes, whole characters, and
// whether something is missing.
func cut(text string, n int) (string, bool) {
	if len(text) <= n {
		return text, false
	}
	return strings.ToValidUTF8(text[:n], ""), true
}
