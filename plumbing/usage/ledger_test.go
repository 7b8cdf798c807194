package usage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// TestAppend: the line is canonical, dated, private, and there when Append returns.
func TestAppend(t *testing.T) {
	l := ledger(t)
	line := call("c1")
	line.SessionID = text("s1")
	put(t, l, line)
	b, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"call_id":"c1","estimate":100,"model":"m","priced":null,"provider":"p","purpose":"compact","session_id":"s1","time":"2026-03-10T20:00:00.000Z","type":"call","usage":{"cache_read_tokens":null,"cache_write_tokens":null,"cost":null,"input_tokens":70,"output_tokens":5}}` + "\n"
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
	if _, err := canon.Check(b[:len(b)-1], nil); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(l.Path())
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestAppendRefuses what would make a total a lie.
func TestAppendRefuses(t *testing.T) {
	l := ledger(t)
	for name, change := range map[string]func(*Line){
		"no call ID":        func(c *Line) { c.CallID = "" },
		"no provider":       func(c *Line) { c.Provider = "" },
		"no purpose":        func(c *Line) { c.Purpose = "" },
		"a long model":      func(c *Line) { c.Model = strings.Repeat("m", maxWord+1) },
		"negative estimate": func(c *Line) { c.Estimate = -1 },
		"negative tokens":   func(c *Line) { c.Usage.InputTokens = n(-1) },
		"too many tokens":   func(c *Line) { c.Usage.OutputTokens = n(MaxTokens + 1) },
		"negative cost":     func(c *Line) { c.Usage.Cost = dollars(-0.1) },
		"no time":           func(c *Line) { c.Time = "yesterday" },
	} {
		line := call("c")
		change(&line)
		if err := l.Append(bg, line); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(l.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a ledger was made: %v", err)
	}
}

// TestAppendAfterCancel: the call was made, so its line is written.
func TestAppendAfterCancel(t *testing.T) {
	l := ledger(t)
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if err := l.Append(ctx, call("c")); err != nil {
		t.Fatal(err)
	}
	if got := totals(t, l, Filter{}); got.Calls != 1 {
		t.Errorf("%+v", got)
	}
}

// TestTornTail: what is behind the last newline is no line; the next writer sets it aside.
func TestTornTail(t *testing.T) {
	l := ledger(t)
	put(t, l, call("c1"))
	for i, torn := range []string{`{"call_id":"c2","est`, strings.Repeat("x", 10_000), "\x00"} {
		raw(t, l, torn)
		if got := totals(t, l, Filter{}); got.Calls != int64(i+1) {
			t.Errorf("with a torn tail: %+v", got)
		}
		put(t, l, call(fmt.Sprint("d", i)))
		aside, err := os.ReadFile(filepath.Join(l.Config.Dir, "usage", fmt.Sprintf("p-0123.torn-%d", i+1)))
		if err != nil || string(aside) != torn {
			t.Errorf("set aside: %q, %v", aside, err)
		}
		if got := totals(t, l, Filter{}); got.Calls != int64(i+2) {
			t.Errorf("afterwards: %+v", got)
		}
	}
}

// TestDamagedLines are named, count nowhere, and hide no other.
func TestDamagedLines(t *testing.T) {
	l := ledger(t)
	put(t, l, call("c1"))
	long := `{"call_id":"` + strings.Repeat("x", maxLine) + `"}`
	bad := []string{"", "x", "{}", `{"type":"call"}`, `{"type":"call","type":"call"}`, long, "\xff", `{"call_id":"z","estimate":1,"model":"m","provider":"p","purpose":"x","time":"no","type":"call"}`}
	for _, b := range bad {
		raw(t, l, b+"\n")
	}
	put(t, l, call("c2"))
	got, damaged, err := l.Totals(bg, Filter{})
	if err != nil || got.Calls != 2 || got.InputTokens != 140 {
		t.Errorf("%+v, %v", got, err)
	}
	if len(damaged) != len(bad) {
		t.Fatalf("%d lines are named: %v", len(damaged), damaged)
	}
	for i, d := range damaged {
		if d.Line != int64(i+2) || strings.Contains(d.Error(), "xxxx") {
			t.Errorf("line %d: %v", i+2, d)
		}
	}
}

// TestOneCallCountsOnce, however often its line was written; the first counts.
func TestOneCallCountsOnce(t *testing.T) {
	l := ledger(t)
	again := call("c1")
	again.Usage = &Tokens{InputTokens: n(9999), OutputTokens: n(1)}
	put(t, l, call("c1"), call("c2"), call("c1"), again)
	if got := totals(t, l, Filter{}); got.Calls != 2 || got.InputTokens != 140 {
		t.Errorf("%+v", got)
	}
}

// TestLinks where the ledger should be are refused, for reading and writing.
func TestLinks(t *testing.T) {
	for _, how := range []func(old, new string) error{os.Symlink, os.Link} {
		l := ledger(t)
		victim := filepath.Join(t.TempDir(), "victim")
		if err := os.WriteFile(victim, []byte("mine\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(l.Path()), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := how(victim, l.Path()); err != nil {
			t.Skipf("no links here: %v", err)
		}
		if err := l.Append(bg, call("c")); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("append: %v", err)
		}
		if _, _, err := l.Totals(bg, Filter{}); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("totals: %v", err)
		}
		if b, _ := os.ReadFile(victim); string(b) != "mine\n" {
			t.Errorf("the file behind the link: %q", b)
		}
	}
}

// TestWritersAtOnce lose no line and mix none.
func TestWritersAtOnce(t *testing.T) {
	l := ledger(t)
	l.Wait = 30 * time.Second
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 10 {
				if err := l.Append(bg, call(fmt.Sprintf("c%d-%d", w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := totals(t, l, Filter{}); got.Calls != 80 {
		t.Errorf("%+v", got)
	}
}

// TestHeldLock ends in a word about who holds it.
func TestHeldLock(t *testing.T) {
	l := ledger(t)
	l.Wait = time.Millisecond
	lock, err := l.Config.TryLock(l.lockName(), "lecode slug --adopt")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if err := l.Append(bg, call("c")); !errors.Is(err, plumbing.ErrBusy) || !strings.Contains(err.Error(), "slug --adopt") {
		t.Errorf("%v", err)
	}
}
