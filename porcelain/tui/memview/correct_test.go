package memview

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
)

// TestCorrect: a message is chosen, the text written, and it is done once, with what was seen.
func TestCorrect(t *testing.T) {
	h := newHand(t, nil)
	h.press("c")
	h.sees("› the fact's own: (no title)", "open now: Set up the build", "s-bad, 1 message, 30 min, corrupt")
	h.press("down", "enter", "up")
	h.sees("chosen: record 248")
	h.press("enter")
	h.sees("Said in record 248 of session s-now:", "answer 248", "> Indent with tabs, never with spaces")
	h.press("ctrl+u", "Tabs, 漢字 é.", "alt+enter", "q?1", "enter")
	h.sees("Correct "+useTabs+", revision 1?", "- Indent with tabs", "+ Tabs, 漢字 é. q?1", "session s-now, record 248")
	if h.f.said("correct") != nil {
		t.Fatal("it was corrected without being asked")
	}
	h.press("enter", "y")
	if d := cmp.Diff([]string{"correct " + useTabs + " 1 s-now [248] 3 Tabs, 漢字 é.\nq?1"}, h.f.said("correct")); d != "" {
		t.Error(d)
	}
	h.sees("corrected: revision 1 is now 2", "It holds")
	h.press("esc")
	h.sees("[1 Facts]")
}

// TestCorrectRange: a range is marked from either end, and one message again where that is ended.
func TestCorrectRange(t *testing.T) {
	h := newHand(t, nil)
	h.press("c", "enter")
	h.sees("chosen: record 2")
	h.press("down", "down", "space", "up", "up", "up")
	h.sees("chosen: what is visible from record 1 to 4", "space ends the range")
	h.press("enter")
	if d := cmp.Diff([]string{"evidence 0198c7d2-5a5e-7cc0-8f3f-52a1c0ffee00 1 4"}, h.f.said("evidence")); d != "" {
		t.Error(d)
	}
	h.sees("Some of these words are not the user's")
	h.press("esc", "space")
	h.sees("chosen: record 1")
	h.press("space")
	h.sees("a range begins at record 1 · space ends the range")
	h.press("esc") // takes back the range, not the step
	h.sees("chosen: record 1", "enter takes it")
	h.press("v")
	h.sees("record 1", "question 1")
}

// TestCorrectScroll goes through a session of 250 messages, which are read as they are come to.
func TestCorrectScroll(t *testing.T) {
	h := newHand(t, nil)
	h.press("c", "down", "enter", "home")
	h.sees("chosen: record 1")
	h.press("end")
	h.sees("chosen: record 250")
	for range 160 {
		h.press("up")
	}
	h.sees("chosen: record 90")
	h.press("home")
	for range 120 {
		h.press("down")
	}
	h.sees("chosen: record 121")
	h.press("ctrl+r")
	h.sees("chosen: record 121")
	h.press("pgup", "pgdown", "pgdown")
	if n := len(h.f.said("messages")); n > 8 {
		t.Errorf("the session was read %d times", n)
	}
}

// TestCorrectFails: each failure says the way out, and what was written and chosen is kept.
func TestCorrectFails(t *testing.T) {
	for _, c := range []struct {
		kind error
		says string
	}{
		{plumbing.ErrConflict, "r reads the fact as it is now"}, {plumbing.ErrRefused, "Esc goes back to the text"},
		{plumbing.ErrNotFound, "Nothing was changed"}, {plumbing.ErrBusy, "y tries again"},
	} {
		f := newFake()
		f.fails["correct"] = plumbing.Fail(c.kind, "it is at revision 7", "look again")
		h := newHand(t, f)
		h.press("c", "enter", "enter", " New.", "enter", "y")
		h.sees("error: it is at revision 7: look again", c.says, "+ Indent with tabs, never with spaces, in every file of this project. New.")
		h.press("r")
		h.sees("Correct " + useTabs)
		if s := h.screen(80, 30); strings.Contains(s, "revision 7") {
			t.Errorf("the failure stays:\n%s", s)
		}
		h.press("esc", "esc", "down", "enter")
		h.sees("> Indent with tabs, never with spaces, in every file of this project. New.", "Said in record 3")
		f.mu.Lock()
		delete(f.fails, "correct")
		f.mu.Unlock()
		h.press("enter", "y")
		h.sees("corrected: revision 1 is now 2")
	}
}

// TestCorrectText: what may be no fact's text is said before anything is asked.
func TestCorrectText(t *testing.T) {
	h := newHand(t, nil)
	h.press("c", "enter", "enter", "ctrl+u", "enter")
	h.sees("> ", "Said in record 2")
	h.run(h.Update(tea.PasteMsg{Content: "two\r\nlines\x1b"}))
	h.sees("> two lines<U+001B>")
	h.press("enter")
	if _, is := h.top().(*wordingStep); !is || h.note == nil {
		t.Error("a control character was taken")
	}
	h.press("backspace")
	h.run(h.Update(tea.PasteMsg{Content: strings.Repeat("x", 5000)}))
	h.sees("that is too long: 4096 bytes at most")
	h.press("enter")
	h.sees("+ two lines")
}

// TestTakeUp: a proposal that contradicts a fact begins its correction, with its words and text.
func TestTakeUp(t *testing.T) {
	h := newHand(t, nil)
	h.press("3", "enter", "a")
	h.sees("chosen: record 5")
	h.press("enter")
	h.sees("> Indent with four spaces.", "Said in record 5 of session s-now:")
	h.press("enter", "y")
	if d := cmp.Diff([]string{"correct " + useTabs + " 1 s-now [5] 3 Indent with four spaces."}, h.f.said("correct")); d != "" {
		t.Error(d)
	}
	h.press("esc")
	h.sees("[3 Proposals]")
	h.press("down", "a")
	h.sees("chosen: record 7")
	h.press("enter", "enter")
	h.sees("Remember this?", "+ I'd rather have short lines.")
	h.press("y")
	if d := cmp.Diff([]string{"remember s-now [7] 3 I'd rather have short lines."}, h.f.said("remember")); d != "" {
		t.Error(d)
	}
}

// TestRemember: a new fact begins with the words that a person said, and is made after a question.
func TestRemember(t *testing.T) {
	h := newHand(t, nil)
	h.f.outcome = fact.Created
	h.press("a")
	h.sees("Facts › remember", "Which session", "› open now: Set up the build")
	h.press("enter")
	h.sees("chosen: record 249")
	h.press("enter")
	h.sees("Said in record 249 of session s-now:", "> question 249")
	h.press("!", "enter")
	h.sees("Remember this? y does it", "+ question 249!")
	if h.f.said("remember") != nil {
		t.Fatal("it was remembered without being asked")
	}
	h.press("y")
	if d := cmp.Diff([]string{"remember s-now [249] 3 question 249!"}, h.f.said("remember")); d != "" {
		t.Error(d)
	}
	h.sees("why "+useTabs, "remembered")
}

// TestRememberFails: what was written is kept where it is refused, and what is known already is not said to be new.
func TestRememberFails(t *testing.T) {
	h := newHand(t, nil)
	h.f.fails["remember"] = plumbing.Fail(plumbing.ErrConflict, "the generation is 4, not 3", "take the evidence again")
	h.press("a", "enter", "enter", "ctrl+u", "So it is.", "enter", "y")
	h.sees("error: the generation is 4, not 3: take the evidence again", "esc twice chooses them again", "+ So it is.")
	delete(h.f.fails, "remember")
	h.f.outcome = fact.Deduplicated
	h.press("y")
	h.sees("this fact knows it already")
}

// TestMessagesFail: where older messages cannot be read, the others stay.
func TestMessagesFail(t *testing.T) {
	f := newFake()
	h := newHand(t, f)
	h.press("c", "down", "enter", "home", "end")
	f.Deps.Messages = nil
	inner := h.View.d.Messages
	h.View.d.Messages = func(ctx context.Context, w Window) (Messages, error) {
		if w.Back && w.From > 0 {
			return Messages{}, plumbing.Fail(plumbing.ErrCorrupt, "the log breaks", "run lecode fsck")
		}
		return inner(ctx, w)
	}
	for range 120 {
		h.press("up")
	}
	h.sees("error: the log breaks: run lecode fsck", "chosen: record 151")
}
