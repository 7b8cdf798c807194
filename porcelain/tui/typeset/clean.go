package typeset

import (
	"strings"

	"github.com/lecode/lecode/plumbing/prompt"
)

// Clean is text that may be shown: whatever would act on the terminal, or would
// not be seen, is an escape such as <U+001B>. Lines end in newlines; tabs stay.
func Clean(text string) string {
	if Plain(text) {
		return text
	}
	return prompt.Show(strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD"))
}

// Plain reports whether text is printable ASCII, tabs and newlines.
func Plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' && c != '\n' || c > '~' {
			return false
		}
	}
	return true
}

// Line is text that may be shown, in one line.
func Line(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// Output is what a program printed, to be shown: its colours are dropped, all
// else as Clean has it. A return without a newline begins a line, as it does
// where the program draws its progress.
func Output(text string) string {
	if strings.Contains(text, "\x1b[") {
		text = withoutColours(text)
	}
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return Clean(text)
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
