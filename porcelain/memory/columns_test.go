package memory

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/prompt"
)

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{
		"":          0,
		"abc":       3,
		"日本語":       6,
		"ｆｕｌｌ":      8,
		"ﾊﾝｶｸ":      4,
		"한국어":       6,
		"e\u0301":   1, // a combining mark
		"नि":        2, // a spacing mark takes its place
		"🫖":         2,
		"👩\u200d👧":  4, // one picture of two columns on some terminals, two on others
		"❤\ufe0f":   2,
		"🇩🇪":        2,
		"a…b":       3,
		"ا":         1,
		"\u3000":    2, // the ideographic space
		"tab <U+1>": 9,
	} {
		if got := columns(s); got != want {
			t.Errorf("columns(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s           string
		n           int
		want, front string
	}{
		{"tabs", 4, "tabs", "tabs"},
		{"tabs!", 4, "tab…", "…bs!"},
		{"日本語", 6, "日本語", "日本語"},
		{"日本語", 5, "日本…", "…本語"},
		{"日本語", 4, "日…", "…語"},
		{"ab cd", 4, "ab…", "… cd"},
		{"xye\u0301", 2, "x…", "…e\u0301"},
		{"日", 1, "…", "…"},
	} {
		if got := cut(c.s, c.n); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.s, c.n, got, c.want)
		}
		if got := cutFront(c.s, c.n); got != c.front {
			t.Errorf("cutFront(%q, %d) = %q, want %q", c.s, c.n, got, c.front)
		}
	}
}

func TestWrapWide(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want []string
	}{
		{"", 10, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a bcdefghij", 4, []string{"a bc", "defg", "hij"}},
		{"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		{"日本 語", 5, []string{"日本", "語"}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.s, c.n)); diff != "" {
			t.Errorf("wrap(%q, %d): %s", c.s, c.n, diff)
		}
	}
}

// FuzzFits holds what is cut or wrapped to the width, and wrapping to losing nothing but spaces.
func FuzzFits(f *testing.F) {
	for _, s := range []string{"one two", "日本語 e\u0301", "👩\u200d👧 \ufe0f", "\x1b[31m", strings.Repeat("x", 99)} {
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		if !utf8.ValidString(s) {
			return
		}
		s = oneLine(s)
		room := max(int(n), 2)
		if got := cut(s, room); columns(got) > room || !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Errorf("cut(%q, %d) = %q", s, room, got)
		}
		if got := cutFront(s, room); columns(got) > room || !strings.HasSuffix(s, strings.TrimPrefix(got, "…")) {
			t.Errorf("cutFront(%q, %d) = %q", s, room, got)
		}
		parts := wrap(s, room)
		for _, p := range parts {
			if columns(p) > room {
				t.Errorf("wrap(%q, %d) has %q", s, room, p)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(strings.Join(parts, "")) != bare(s) {
			t.Errorf("wrap(%q, %d) = %q", s, room, parts)
		}
		if shown := prompt.Show(s); shown != s {
			t.Errorf("oneLine leaves what cannot be seen: %q", s)
		}
	})
}
