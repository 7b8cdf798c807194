package memory

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                            nil,
		"  ":                          nil,
		"show":                        {"show"},
		" facts\t20 ":                 {"facts", "20"},
		"search two  words  ":         {"search", "two  words"},
		"search -- -x":                {"search", "-x"},
		"search -- --":                {"search", "--"},
		"search a -- b":               {"search", "a -- b"},
		"search":                      {"search"},
		"search --":                   {"search"},
		"correct f 1 s 2 3 Use  two.": {"correct", "f", "1", "s", "2", "3", "Use  two."},
		"correct f 1 s 2 3 -- -x":     {"correct", "f", "1", "s", "2", "3", "-x"},
		"correct -- f 1 s 2 3 -- -x":  {"correct", "f", "1", "s", "2", "3", "-- -x"},
		"log -- 2026-01-02":           {"log", "2026-01-02"},
		"nope a  b":                   {"nope", "a", "b"},
		"search\u3000全角":              {"search", "全角"},
		"correct f 1 s 2 3 a\nb":      {"correct", "f", "1", "s", "2", "3", "a\nb"},
	} {
		if diff := cmp.Diff(want, Split(line)); diff != "" {
			t.Errorf("Split(%q): %s", line, diff)
		}
	}
}

// TestWrongWords: what is wrong with the words is said before any store is asked (there is none here).
func TestWrongWords(t *testing.T) {
	f := "f-0123456789abcdef01234567"
	for _, c := range []struct {
		words string
		says  string
	}{
		{"", "no word given"},
		{"shwo", `"shwo" is not a word of memory`},
		{"show x", "show takes no argument, not 1"},
		{"edit x", "edit takes no argument"},
		{"search", "search takes one argument, not 0"},
		{"log a b", "log takes 0 to 1 arguments"},
		{"notes x", "notes takes no argument"},
		{"facts -1", `offset "-1"`},
		{"facts 010", `offset "010"`},
		{"facts 1e2", `offset "1e2"`},
		{"facts 99999999999999999999", "offset"},
		{"recall", "recall takes 1 to 2 arguments"},
		{"recall f x", `offset "x"`},
		{"read s 1", "read takes 3 to 4 arguments, not 2"},
		{"read s 0 1", `start-seq "0"`},
		{"read s 1 x", `end-seq "x"`},
		{"read s 1 1 -5", `offset "-5"`},
		{"correct " + f + " 1 s 1 1", "correct takes 6 arguments, not 5"},
		{"correct " + f + " 0 s 1 1 t", `revision "0"`},
		{"correct " + f + " 1 s a 1 t", `start-seq "a"`},
		{"forget", "forget takes one argument"},
		{"forget a b", "forget takes one argument, not 2"},
	} {
		_, err := Run(context.Background(), Deps{}, strings.Fields(c.words))
		if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want invalid, %s", c.words, err, c.says)
		}
	}
}

// TestTable holds the table to the seed.
func TestTable(t *testing.T) {
	want := []string{"show", "edit", "search <pattern>", "log [date]", "notes", "facts [offset]", "recall <fact-id> [offset]",
		"read <session-id> <start-seq> <end-seq> [offset]",
		"correct <fact-id> <revision> <session-id> <start-seq> <end-seq> <text>", "forget <fact-id>", "help"}
	var got []string
	for _, w := range Words() {
		got = append(got, w.line())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHelpFits(t *testing.T) {
	for _, width := range []int{40, 60, 80, 200} {
		a, err := Run(context.Background(), Deps{Call: "/memory"}, []string{"help"})
		if err != nil {
			t.Fatal(err)
		}
		text := a.Print(Style{Width: width})
		fits(t, text, width)
		if !strings.Contains(text, "/memory facts [offset]") || strings.Contains(text, "\x1b") {
			t.Errorf("width %d:\n%s", width, text)
		}
	}
}

func fits(t *testing.T, text string, width int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := columns(strings.TrimSuffix(line, "\n")); n > width {
			t.Errorf("%d columns, want at most %d: %s", n, width, line)
		}
	}
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 12, 2, 8, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		-time.Hour: "now", 0: "now", 59 * time.Second: "now", time.Minute: "1 min", 59 * time.Minute: "59 min",
		time.Hour: "1 h", 47 * time.Hour: "47 h", 48 * time.Hour: "2 d", 364 * 24 * time.Hour: "364 d", 366 * 24 * time.Hour: "1 y",
	} {
		if got := age(now, now.Add(-d)); got != want {
			t.Errorf("age %v: %q, want %q", d, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 9999: "9999 B", 10_000: "10 KiB", 48 << 20: "48 MiB", 10 << 30: "10 GiB"} {
		if got := Size(n); got != want {
			t.Errorf("size %d: %q, want %q", n, got, want)
		}
	}
}

func TestRanges(t *testing.T) {
	for want, seqs := range map[string][]int64{"": nil, "7": {7}, "1-3,5,8-9": {1, 2, 3, 5, 8, 9}} {
		if got := Ranges(seqs); got != want {
			t.Errorf("ranges %v: %q, want %q", seqs, got, want)
		}
	}
}
