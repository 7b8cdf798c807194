package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/lecode/lecode/plumbing/prompt"
)

// tabStop is how many columns a tab goes to the next multiple of.
const tabStop = 4

// clean is text that may be shown: whatever would act on the terminal, or would
// not be seen, is an escape such as <U+001B>. Lines end in newlines; tabs stay.
func clean(text string) string {
	if plain(text) {
		return text
	}
	return prompt.Show(strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
}

// plain reports whether text is printable ASCII, tabs and newlines.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' && c != '\n' || c > '~' {
			return false
		}
	}
	return true
}

// line is text that may be shown, in one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

// output is what a program printed, to be shown: its colours are dropped, all
// else as clean has it. A return without a newline begins a line, as it does
// where the program draws its progress.
func output(text string) string {
	if strings.Contains(text, "\x1b[") {
		text = withoutColours(text)
	}
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return clean(text)
}

// withoutColours drops the sequences that set colours and weights, and no others.
func withoutColours(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "\x1b[")
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i])
		n := i + 2
		for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == ';' || text[n] == ':') {
			n++
		}
		if n < len(text) && text[n] == 'm' {
			n++
		} else {
			b.WriteString(text[i:n])
		}
		text = text[n:]
	}
}

// cluster takes the first character off a text, as a reader counts characters,
// and says how many columns it has at most: terminals do not agree on emoji.
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

// columns is the width of a text without tabs, newlines and escapes.
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
	if columns(text) <= width {
		return text
	}
	var b strings.Builder
	for n := 0; ; {
		first, w := cluster(text)
		if n += w; n > width-1 {
			break
		}
		b.WriteString(first)
		text = text[len(first):]
	}
	if width > 0 {
		b.WriteString("…")
	}
	return b.String()
}

// untab writes tabs as spaces, counted from a column.
func untab(text string, from int) string {
	if !strings.Contains(text, "\t") {
		return text
	}
	var b strings.Builder
	for at := from; text != ""; {
		first, w := cluster(text)
		text = text[len(first):]
		if first == "\t" {
			first = strings.Repeat(" ", tabStop-at%tabStop)
			w = len(first)
		}
		b.WriteString(first)
		at += w
	}
	return b.String()
}
