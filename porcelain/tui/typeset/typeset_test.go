package typeset_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/porcelain/tui/typeset"
	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
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
		if got := typeset.Clean(c.in); got != c.want {
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
		if got := typeset.Output(c.in); got != c.want {
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
		{"a abcdefgh", 4, []string{"a", "abcd", "efgh"}},
		{"漢字漢字", 5, []string{"漢字", "漢字"}},
		{"漢", 1, []string{"…"}},
		{"a\tb", 8, []string{"a   b"}},
		{"a\n\nb", 8, []string{"a", "", "b"}},
		{"  indented words", 10, []string{"  indented", "words"}},
		{"one  two", 5, []string{"one", "two"}},
		{"    abcdef", 6, []string{"    ", "abcdef"}},
	} {
		var got []string
		for _, r := range typeset.Wrap(typeset.None.Row(c.in), c.width, nil, nil) {
			got = append(got, r.Write(false))
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
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"漢字漢", 4, "漢…"}, {"漢字", 4, "漢字"}, {"abc", 0, ""}, {"abc", 1, "…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"", 3, ""}} {
		if got := typeset.Fit(c.in, c.width); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
		if got := (typeset.Red.Row(c.in)).Fit(c.width).Write(false); got != c.want {
			t.Errorf("row.fit(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := (typeset.Row{typeset.Red.Of("ab"), typeset.Bold.Of("cd")}).Fit(3).Write(true); got != "\x1b[31mab\x1b[0m\x1b[1m…\x1b[0m" {
		t.Errorf("%q", got)
	}
}

func TestWrapIsNeverTooWide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		width, text := 1+r.IntN(40), typesettest.Text(r, r.IntN(60))
		typesettest.Check(t, "wrap", typeset.Lines(typeset.Wrap(typeset.Row{typeset.Bold.Of(typeset.Clean(text)), typeset.Red.Of(typeset.Clean(typesettest.Text(r, 5)))}, width, typeset.None.Row("• "), typeset.None.Row("  ")), true), width)
	}
}

// TestWrite: neighbours of one ink are painted at once, and nothing is where colours are not wanted.
func TestWrite(t *testing.T) {
	r := typeset.Row{typeset.None.Of("a"), typeset.Bold.Of("b"), typeset.Bold.Of(" "), typeset.Bold.Of("c"), typeset.Red.Of("d"), typeset.None.Of("e")}
	for _, tt := range []struct {
		colour bool
		want   string
	}{
		{true, "a\x1b[1mb c\x1b[0m\x1b[31md\x1b[0me"},
		{false, "ab cde"},
	} {
		if got := r.Write(tt.colour); got != tt.want {
			t.Errorf("write is %q, want %q", got, tt.want)
		}
	}
}

func TestPainted(t *testing.T) {
	want := typeset.Row{typeset.None.Of("a "), typeset.Bold.Of("b"), typeset.None.Of(" c"), typeset.None.Of("<U+001B>["), typeset.None.Of("2J")}
	if d := cmp.Diff(want.Write(true), typeset.Painted("a \x1b[1mb\x1b[0m c\x1b[2J").Write(true)); d != "" {
		t.Error(d)
	}
}
