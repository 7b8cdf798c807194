// Package typesettest is for the tests of what is shown in a terminal: text that
// goes wrong wherever it can, and a check of what a terminal would be given.
package typesettest

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// Text is n pieces of all that may go wrong.
func Text(r *rand.Rand, n int) string {
	pieces := []string{"a", "word ", " ", "\n", "\t", "漢字", "e\u0301", "👩‍👩‍👧‍👦", "❤️", "🇩🇪", "שלום ", "مرحبا", "\u202e", "\u200b", "\x1b[31m", "\x9b",
		"\x00", "**", "`", "```\n", "# ", "- ", "1. ", "> ", "| a | b |\n|---|---|\n", "<b>", "&#27;", "[x](y)", "\\", "\u0300", "𝒜", "｡", "ﷺ", "\r", "\r\n", "_", "~~",
		"\ufe0f", "\U000e0041", "\xff", "longwordwithoutanyspaceinit", "\x1b]52;c;aGk=\a", "\u2028", "한", "\u1100"}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// Check fails where a line is wider than the terminal, or an escape is there but those of colours.
func Check(t *testing.T, what string, lines []string, width int) {
	t.Helper()
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, l := range lines {
		bare := colours.ReplaceAllString(l, "")
		if strings.ContainsAny(bare, "\x1b\u009b\r\n\t\a\u202e") || !utf8.ValidString(bare) {
			t.Fatalf("%s: a control character in %q", what, l)
		}
		if n := typeset.Columns(bare); n > width {
			t.Fatalf("%s: %d columns of %d: %q", what, n, width, l)
		}
	}
}
