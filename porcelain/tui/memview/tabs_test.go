package memview

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// TestNotes: what a search finds is shown instead of the files, and a hit is gone to.
func TestNotes(t *testing.T) {
	h := newHand(t, nil)
	h.press("2", "/", "tab.", "enter")
	h.sees("1 line for tab., and more", "› MEMORY.md:20")
	h.press("enter")
	if s := h.top().(*sheet); s.at == 0 && s.draw(h.View, 80, 10).rows[0] == nil {
		t.Error("nothing is shown")
	}
	h.screen(80, 14)
	if s := h.top().(*sheet); s.at < 15 {
		t.Errorf("line 20 is not gone to: row %d", s.at)
	}
	h.press("esc", "ctrl+r", "a")
	h.sees("daily/2026-12-01.md", "log of a day")
	h.press("/", "x", "esc", "/", "x", "enter", "/", "ctrl+u", "enter")
	h.sees("MEMORY.md", "in every prompt")
	if d := cmp.Diff([]string{"search tab.", "search tab.", "search x"}, h.f.said("search")); d != "" {
		t.Error(d)
	}
	h.f.fails["search"] = plumbing.Fail(plumbing.ErrInvalid, "the pattern has no end", "")
	h.press("/", "(", "enter")
	h.sees("the pattern has no end", "daily/2026-12-01.md")
}

// TestRecallPages goes through the pages of the evidence, and back.
func TestRecallPages(t *testing.T) {
	h := newHand(t, nil)
	h.press("r")
	h.sees("characters from 0 to 4095", "from 0", "n next page")
	h.press("p", "n")
	h.sees("characters from 4096, the last of it", "p page before")
	h.press("n", "ctrl+r", "p")
	h.sees("characters from 0 to 4095")
	if d := cmp.Diff([]string{"recall " + useTabs + " 0", "recall " + useTabs + " 4096", "recall " + useTabs + " 4096", "recall " + useTabs + " 0"}, h.f.said("recall")); d != "" {
		t.Error(d)
	}
	h.press("w")
	h.sees("It holds")
	h.press("esc", "esc", "down", "down", "r")
	h.sees("The evidence does not hold (hidden: ")
}

// TestSection: enter shows the section as it is sent.
func TestSection(t *testing.T) {
	h := newHand(t, nil)
	h.press("4", "enter")
	h.sees("# facts", `{"id":"`+useTabs+`"`, "> - We use tabs.")
}

// TestEveryCodeHasWords: no code of the stores is shown bare.
func TestEveryCodeHasWords(t *testing.T) {
	for _, c := range []learn.Reason{learn.ResponseSchema, learn.InvalidJSON, learn.OutputTooLarge, learn.UnexpectedToolCalls, learn.IncompleteResponse, learn.StaleContext,
		learn.ExtractionError, learn.CandidateSchema, learn.InvalidText, learn.InvalidSource, learn.InvalidPreferenceSource, learn.TemporaryPreference,
		learn.ExactTextMismatch, learn.UnverifiedProjectEvidence, learn.SecretLike, learn.InvalidConflicts} {
		if reasonWords(string(c)) == string(c) {
			t.Errorf("%s has no words", c)
		}
	}
	for _, o := range []string{learned.NoCandidates, learned.Rejected, learned.Learned, learned.Proposed, learned.Failed, learned.Stale} {
		if outcomeWords(o) == o {
			t.Errorf("%s has no words", o)
		}
	}
	for _, w := range []string{prompt.WhyMaxBytes, prompt.WhyFactsMaxBytes, prompt.WhyNotText, prompt.WhyRefused, "hidden", "stale", "missing", "unverified"} {
		if leftOutWords(w) == w {
			t.Errorf("%s has no words", w)
		}
	}
	for _, s := range []source.Status{source.Valid, source.Hidden, source.Stale, source.Missing, source.Unverified} {
		if statusMeans(s) == string(s) {
			t.Errorf("%s has no words", s)
		}
	}
	for _, s := range []session.Standing{session.Holds, session.Forgotten, session.Malformed, session.Broken, session.Hidden, session.Uncovered, session.Changed, session.Damaged} {
		if standingMeans(Summary{Standing: s}) == string(s) {
			t.Errorf("%s has no words", s)
		}
	}
	for _, k := range compact.Kinds {
		if kindWords(k) == string(k) {
			t.Errorf("%s has no words", k)
		}
	}
}
