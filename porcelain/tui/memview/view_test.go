package memview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// TestScreens: each screen as it looks on a narrow, a usual and a wide terminal.
func TestScreens(t *testing.T) {
	for name, keys := range map[string][]string{
		"facts": nil, "facts_filter": {"/", "tabs"}, "why": {"enter"}, "why_hidden": {"down", "down", "w"}, "recall": {"r"},
		"forget": {"f"}, "receipt": {"f", "y"}, "correct_session": {"c"}, "correct_messages": {"c", "enter", "space", "down"},
		"correct_text": {"c", "enter", "space", "down", "enter"}, "correct_confirm": {"c", "enter", "enter", " Always.", "enter"},
		"notes": {"2"}, "notes_search": {"2", "/", "tabs", "enter"}, "note": {"2", "enter"},
		"proposals": {"3"}, "proposal": {"3", "enter"}, "remember": {"a"}, "remember_confirm": {"a", "enter", "enter", "enter"}, "prompt": {"4"}, "summaries": {"5"}, "summary": {"5", "enter"}, "help": {"?"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHand(t, nil)
			h.press(keys...)
			for _, size := range [][2]int{{40, 14}, {80, 24}, {140, 40}} {
				golden(t, fmt.Sprintf("%s_%d", name, size[0]), h.screen(size[0], size[1]))
			}
		})
	}
}

// TestColour: with colour on, a status still is a word, and without none is written.
func TestColour(t *testing.T) {
	f := newFake()
	f.Colour = true
	if s := newHand(t, f).screen(80, 24); !strings.Contains(s, "\x1b[32mvalid") || !strings.Contains(s, "\x1b[33mhidden") || !strings.Contains(s, "\x1b[31mmissing") {
		t.Errorf("%q", s)
	}
	h := newHand(t, nil)
	for _, k := range []string{"1", "2", "3", "4", "5", "1", "w"} {
		if h.press(k); strings.Contains(h.screen(80, 24), "\x1b") {
			t.Errorf("%s: colours without colour", k)
		}
	}
}

// TestTooSmall: below 40 columns or 10 lines it says so, and still can be left.
func TestTooSmall(t *testing.T) {
	h := newHand(t, nil)
	for _, s := range [][2]int{{39, 24}, {80, 9}, {5, 3}, {1, 1}} {
		if got := h.screen(max(1, s[0]), s[1]); s[0] > 30 && !strings.Contains(strings.Join(strings.Fields(got), " "), "needs 40 columns and 10 lines") {
			t.Errorf("%v: %s", s, got)
		}
	}
	if h.press("esc"); !h.Done() {
		t.Error("it stays")
	}
}

// TestTabs: keys go between the tabs, and each is read once.
func TestTabs(t *testing.T) {
	h := newHand(t, nil)
	h.press("tab")
	h.sees("[2 Notes]", "MEMORY.md")
	h.press("shift+tab", "shift+tab")
	h.sees("[5 Summaries]")
	h.press("3", "9", "1", "2", "3")
	h.sees("[3 Proposals]")
	if n := len(h.f.said("notes")); n != 1 {
		t.Errorf("the notes were read %d times", n)
	}
	h.press("2", "ctrl+r")
	if n := len(h.f.said("notes")); n != 2 {
		t.Errorf("the notes were read %d times, once more wanted", n)
	}
}

// TestLeave: esc and q go back and at the top leave; ctrl+c leaves from everywhere, and ends what runs.
func TestLeave(t *testing.T) {
	h := newHand(t, nil)
	h.press("w", "esc")
	if h.sees("[1 Facts]"); h.Done() {
		t.Error("it left")
	}
	if h.press("w", "q", "q"); !h.Done() {
		t.Error("q at the top does not leave")
	}
	if cmd := h.Update(presses("w")[0]); cmd != nil {
		t.Error("a view that was left still works")
	}
	for _, deep := range [][]string{nil, {"/"}, {"c", "enter", "enter", "x"}} {
		h := newHand(t, nil)
		h.press(deep...)
		if h.press("ctrl+c"); !h.Done() || h.ctx.Err() == nil {
			t.Errorf("%v: ctrl+c does not leave", deep)
		}
	}
}

// TestErrors: a failure is shown on the screen that it is of, with the way out, and reading again helps.
func TestErrors(t *testing.T) {
	bad := plumbing.Fail(plumbing.ErrCorrupt, "the store is broken\x1b[2J", "run lecode fsck")
	for what, keys := range map[string][]string{
		"facts": nil, "why": {"w"}, "recall": {"r"}, "foresee": {"f"}, "sessions": {"c"}, "messages": {"c", "enter"},
		"evidence": {"c", "enter", "enter"}, "notes": {"2"}, "note": {"2", "enter"}, "search": {"2", "/", "x", "enter"}, "learning": {"3"}, "quoted": {"3", "enter"},
		"injected": {"4"}, "summaries": {"5"}, "loss": {"5", "enter"},
	} {
		t.Run(what, func(t *testing.T) {
			f := newFake()
			f.fails[what] = bad
			h := newHand(t, f)
			h.press(keys...)
			h.sees("the store is broken<U+001B>[2J: run lecode fsck")
			f.mu.Lock()
			delete(f.fails, what)
			f.mu.Unlock()
			h.press("ctrl+r")
			if s := h.screen(100, 40); what != "evidence" && strings.Contains(s, "store is broken") {
				t.Errorf("it stays broken:\n%s", s)
			}
		})
	}
}

// TestSlow: what takes its time says what it does, can be interrupted, and what comes after that is dropped.
func TestSlow(t *testing.T) {
	h := newHand(t, nil)
	reading := h.Update(presses("w")[0])
	if s := h.screen(80, 24); strings.Contains(s, "interrupts") {
		t.Errorf("it says so at once:\n%s", s)
	}
	h.f.mu.Lock()
	h.f.now = noon.Add(time.Second)
	h.f.mu.Unlock()
	h.sees("looking where it was said · esc interrupts")
	h.press("esc")
	h.sees("interrupted; ctrl+r reads again", "why "+useTabs)
	h.run(reading)
	if s := h.screen(80, 24); strings.Contains(s, "holds") {
		t.Errorf("it is shown all the same:\n%s", s)
	}
	h.press("ctrl+r")
	h.sees("It holds")
}

// TestTicks: a tick comes as long as something runs, and no longer.
func TestTicks(t *testing.T) {
	h := newHand(t, nil)
	ticks := 0
	h.ticking = false // the hand gives no ticks
	h.tick = func() tea.Cmd { ticks++; return nil }
	reading := h.Update(presses("w")[0])
	h.Update(tickMsg{h.View})
	h.Update(tickMsg{New(t.Context(), h.f.Deps)}) // another view's
	if ticks != 2 {
		t.Errorf("%d ticks while something runs", ticks)
	}
	h.run(reading)
	if h.Update(tickMsg{h.View}); ticks != 2 {
		t.Error("it ticks while nothing runs")
	}
}

// TestForget: only y forgets; the receipt is shown whole, and everything is read anew.
func TestForget(t *testing.T) {
	h := newHand(t, nil)
	h.press("2", "1", "f")
	h.sees("the fact with 1 revision", "records 2-3: no model is shown them again", "1 summary of session s-now no longer counts",
		"1 other fact stops holding (of the 5000 that were looked at; there are more)", "Tabs are eight wide.", "What stays on disk:")
	h.press("n", "enter", "esc", "f", "esc")
	if list := h.f.said("forget"); list != nil {
		t.Fatalf("forgot without being told: %v", list)
	}
	h.press("f", "y")
	h.sees("Forgot "+useTabs+" with 1 revision.", "records 2-3", "Generation: 4, before 3.", "Still on disk:", "lecode fsck --forgotten")
	h.press("esc")
	if s := h.screen(100, 40); strings.Contains(s, "Indent with tabs") {
		t.Errorf("it is still listed:\n%s", s)
	}
	h.press("2")
	if n := len(h.f.said("notes")); n != 2 {
		t.Errorf("the notes were read %d times", n)
	}
}

// TestForgetFails: the reason is shown, what would be forgotten stays seen, and y tries again.
func TestForgetFails(t *testing.T) {
	f := newFake()
	f.fails["forget"] = plumbing.Fail(plumbing.ErrRefused, "memory_forget was not allowed", "permissions.memory_forget says when to ask")
	h := newHand(t, f)
	h.press("f", "y")
	h.sees("error: memory_forget was not allowed: permissions.memory_forget", "Forgotten for good:")
	f.mu.Lock()
	delete(f.fails, "forget")
	f.mu.Unlock()
	h.press("y")
	h.sees("Forgot " + useTabs)
}

// TestInterruptWrite: esc ends a write that waits, say for a permission, and its end is told whatever it is.
func TestInterruptWrite(t *testing.T) {
	f := newFake()
	f.Correct = func(ctx context.Context, _ Correction) error { <-ctx.Done(); return ctx.Err() }
	h := newHand(t, f)
	h.press("c", "enter", "enter", "enter")
	writing := h.Update(presses("y")[0])
	h.press("y", "q", "?", "esc")
	h.sees("interrupting: correcting the fact")
	h.run(writing)
	h.sees("error: interrupted", "Correct "+useTabs)
}

// TestPaging goes through 45 facts by pages and by the cursor.
func TestPaging(t *testing.T) {
	f := newFake()
	f.facts = nil
	for i := range 45 {
		f.facts = append(f.facts, listed(fmt.Sprintf("f-%024d", i), fmt.Sprintf("Fact number %d.", i), source.Valid, ""))
	}
	h := newHand(t, f)
	h.sees("1-20 of 45 facts", "n p pages")
	h.press("n")
	h.sees("21-40 of 45 facts", "› valid Fact number 20.")
	h.press("pgdown", "end", "down")
	h.sees("41-45 of 45 facts", "› valid Fact number 40.")
	h.press("n", "p")
	h.sees("21-40 of 45 facts", "› valid Fact number 39.")
	h.press("home", "up", "home", "p", "up")
	h.sees("1-20 of 45 facts", "› valid Fact number 0.")
	h.press("n", "n", "/", "number 3", "enter")
	h.sees("1-11 with “number 3”")
	if d := cmp.Diff("facts 0 number 3", f.said("facts")[len(f.said("facts"))-1]); d != "" {
		t.Error(d)
	}
	h.press("/", "ctrl+u", "nothing", "esc")
	h.sees("1-11 with “number 3”")
	h.press("/", "ctrl+u", "nothing", "enter")
	h.sees("No fact's text holds these words")
	h.press("enter", "c", "f", "down", "/", "ctrl+u", "enter")
	h.sees("1-20 of 45 facts")
}

// TestLastPageGone: where all facts of the last page were forgotten, the one before is shown.
func TestLastPageGone(t *testing.T) {
	f := newFake()
	f.facts = nil
	for i := range 21 {
		f.facts = append(f.facts, listed(fmt.Sprintf("f-%024d", i), fmt.Sprintf("Fact number %d.", i), source.Valid, ""))
	}
	h := newHand(t, f)
	h.press("n", "f", "y", "esc")
	h.sees("1-20 of 20 facts", "› valid Fact number 19.")
}

// TestEmpty: where there is nothing yet, each tab says how to begin.
func TestEmpty(t *testing.T) {
	f := newFake()
	f.facts = nil
	h := newHand(t, f)
	h.sees("There are no facts yet.", "press a here")
	h.press("w", "down", "n", "p")
	if len(h.stack) > 0 {
		t.Error("a screen was opened about nothing")
	}
}

// TestExplained: what is no plumbing.Error is said too, and what was interrupted is no alarm.
func TestExplained(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("disk\nfull"), "disk full"}, {context.Canceled, "interrupted"},
		{fmt.Errorf("read: %w", plumbing.Fail(plumbing.ErrBusy, "it is held", "wait")), "read: it is held: wait"},
	} {
		if got := explained(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}

// TestNoFactUnseen: where the facts cannot be read, no key acts on one that is not seen.
func TestNoFactUnseen(t *testing.T) {
	h := newHand(t, nil)
	h.f.fails["facts"] = errors.New("the disk is gone")
	h.press("ctrl+r", "f", "enter")
	h.sees("error: the disk is gone", "ctrl+r reads again", "[1 Facts]")
	delete(h.f.fails, "facts")
	h.press("ctrl+r", "f")
	h.sees("Forget " + useTabs)
}
