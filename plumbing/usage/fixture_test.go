package usage

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/file"
)

var bg = context.Background()

func n(v int64) *int64           { return &v }
func dollars(v float64) *float64 { return &v }
func text(s string) *string      { return &s }

// noon is the clock of the tests, in a zone whose day is not UTC's.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.FixedZone("west", -8*3600))

func ledger(t *testing.T) Ledger {
	t.Helper()
	return Ledger{Config: file.Tree{Dir: t.TempDir()}, Slug: "p-0123", Now: func() time.Time { return noon }, Wait: time.Second}
}

func call(id string) Line {
	return Line{CallID: id, Estimate: 100, Model: "m", Provider: "p", Purpose: Compact,
		Usage: &Tokens{InputTokens: n(70), OutputTokens: n(5)}}
}

func put(t *testing.T, l Ledger, lines ...Line) {
	t.Helper()
	for _, line := range lines {
		if err := l.Append(bg, line); err != nil {
			t.Fatal(err)
		}
	}
}

// raw appends bytes that no lecode has written.
func raw(t *testing.T, l Ledger, bytes string) {
	t.Helper()
	f, err := os.OpenFile(l.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(bytes); err != nil {
		t.Fatal(err)
	}
}

func totals(t *testing.T, l Ledger, f Filter) Totals {
	t.Helper()
	got, damaged, err := l.Totals(bg, f)
	if err != nil || len(damaged) > 0 {
		t.Fatal(err, damaged)
	}
	return got
}
