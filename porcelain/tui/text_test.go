package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"a\r\nb", "a\nb"},
		{"\x1b[2J", "<U+001B>[2J"},
		{"\x9b31m", "\uFFFD31m"},
		{"\u009b31m", "<U+009B>31m"},
		{"a\u202eb", "a<U+202E>b"},
		{"漢字 é", "漢字 é"},
	} {
		if got := clean(c.in); got != c.want {
			t.Errorf("clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestOutput(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\x1b[1;31mred\x1b[0m", "red"},
		{"\x1b[2J\x1b[3", "<U+001B>[2J<U+001B>[3"},
		{"10%\r20%\r\n", "10%\n20%\n"},
		{"\x1b]52;c;aGk=\a", "<U+001B>]52;c;aGk=<U+0007>"},
	} {
		if got := output(c.in); got != c.want {
			t.Errorf("output(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a abcdefgh", 4, []string{"a ", "abcd", "efgh"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢", 1, []string{"…"}},
		{"a\tb", 8, []string{"a   b"}},
		{"a\n\nb", 8, []string{"a", "", "b"}},
		{"  indented words", 10, []string{"  indented", "words"}},
	} {
		var got []string
		for _, r := range wrapText(c.in, noInk, c.width) {
			got = append(got, palette{}.write(r))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("wrap(%q, %d): -want +got\n%s", c.in, c.width, d)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"漢字漢", 4, "漢…"}, {"abc", 0, ""}, {"abc", 1, "…"}} {
		if got := fit(c.in, c.width); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

// randomText is text of all that may go wrong.
func randomText(r *rand.Rand, n int) string {
	pieces := []string{"a", "word ", " ", "\n", "\t", "漢字", "e\u0301", "👩‍👩‍👧‍👦", "❤️", "🇩🇪", "שלום ", "مرحبا", "\u202e", "\u200b", "\x1b[31m", "\x9b",
		"\x00", "**", "`", "```\n", "# ", "- ", "1. ", "> ", "| a | b |\n|---|---|\n", "<b>", "&#27;", "[x](y)", "\\", "\u0300", "𝒜", "｡", "ﷺ", "\r", "_", "~~"}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// checkLines: no line is wider than the terminal, and no escape is there but those of colours.
func checkLines(t *testing.T, what string, lines []string, width int) {
	t.Helper()
	for _, l := range lines {
		bare := withoutColours(l)
		if strings.ContainsAny(bare, "\x1b\u009b\r\n\t\a") || !utf8.ValidString(bare) {
			t.Fatalf("%s: a control character in %q", what, l)
		}
		if n := columns(bare); n > width {
			t.Fatalf("%s: %d columns of %d: %q", what, n, width, l)
		}
	}
}

func TestWrapIsNeverTooWide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		width, text := 1+r.IntN(40), randomText(r, r.IntN(60))
		checkLines(t, "wrap", palette{colour: true}.writeAll(wrap([]span{{clean(text), bold}, {clean(randomText(r, 5)), red}}, width, row{{"• ", noInk}}, row{{"  ", noInk}})), width)
	}
}

// TestWrite: neighbours of one ink are painted at once, and nothing is where colours are not wanted.
func TestWrite(t *testing.T) {
	r := row{{"a", noInk}, {"b", bold}, {" ", bold}, {"c", bold}, {"d", red}, {"e", noInk}}
	for _, tt := range []struct {
		p    palette
		want string
	}{
		{palette{true}, "a\x1b[1mb c\x1b[0m\x1b[31md\x1b[0me"},
		{palette{}, "ab cde"},
	} {
		if got := tt.p.write(r); got != tt.want {
			t.Errorf("write is %q, want %q", got, tt.want)
		}
	}
}
