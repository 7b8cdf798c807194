package tui

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
)

// until waits for a gate to open.
func until(ctx context.Context, gate chan struct{}) error {
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestTurn goes through a turn: streaming, a call, a diff, the end.
func TestTurn(t *testing.T) {
	s, f, printed := newTest(t)
	release := make(chan struct{})
	f.do = func(ctx context.Context, text string) (agent.Outcome, error) {
		return agent.Outcome{}, until(ctx, release)
	}
	s.send(t, printed, press("Fix it.", "enter")...)
	s.send(t, printed, events(agent.Streamed{Text: "First block.\n\nSecond "}, agent.Streamed{Text: "**blo"}))
	golden(t, "turn_streaming.txt", s.text())
	s.send(t, printed, events(agent.Streamed{Text: "ck**."}, agent.Answered{Response: provider.Response{Blocks: []provider.Block{provider.Text("…")}}},
		calling("c1", "bash", "go test ./..."), agent.Progressed{CallID: "c1", Text: "ok\tone\nok\ttwo\x1b[2J\nok\tthree\nok\tfour\n"}))
	golden(t, "turn_calling.txt", s.text())
	s.send(t, printed, events(agent.Called{CallID: "c1", Name: "bash", Result: agent.Result{Text: "FAIL one\nmore\n", IsError: true}},
		calling("c2", "edit", "edit a.go"), agent.Called{CallID: "c2", Name: "edit", Result: agent.Result{Text: "done\n", Detail: "--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-old\n+new\n"}}))
	close(release)
	s.wait(t, printed, "end", func() bool { return s.turn == nil })
	golden(t, "turn_printed.txt", printed.String())
	golden(t, "turn_end.txt", s.text())
}

// TestNotStreamed: an answer that came whole is shown whole, once.
func TestNotStreamed(t *testing.T) {
	s, _, printed := newTest(t)
	s.send(t, printed, events(agent.Answered{Response: provider.Response{Blocks: []provider.Block{provider.Text("All at once.")}}}))
	s.send(t, printed, events(agent.Streamed{Text: "In pieces."}, agent.Answered{Response: provider.Response{Blocks: []provider.Block{provider.Text("In pieces.")}}}))
	if d := cmp.Diff("All at once.\n\nIn pieces.\n", printed.String()); d != "" {
		t.Error(d)
	}
}

// TestInterrupt: esc ends the turn; what waited is back in the input, and the next prompt is taken.
func TestInterrupt(t *testing.T) {
	s, f, printed := newTest(t)
	f.do = func(ctx context.Context, text string) (agent.Outcome, error) {
		if text != "one" {
			return agent.Outcome{}, nil
		}
		<-ctx.Done()
		return agent.Outcome{}, ctx.Err()
	}
	s.send(t, printed, press("one", "enter")...)
	s.send(t, printed, events(agent.Streamed{Text: "half an "}, calling("c1", "bash", "sleep 9")))
	s.send(t, printed, press("two", "enter", "esc")...)
	s.wait(t, printed, "end", func() bool { return s.turn == nil })
	if !strings.Contains(printed.String(), "half an") || !strings.Contains(printed.String(), "interrupted; what was shown is kept") || !strings.Contains(printed.String(), "■ bash: sleep 9") {
		t.Errorf("printed:\n%s", printed.String())
	}
	if s.input.text != "two" || len(s.queue) != 0 {
		t.Errorf("the input is %q, %q waits", s.input.text, s.queue)
	}
	s.send(t, printed, press("enter")...)
	s.wait(t, printed, "next prompt", func() bool { return s.turn == nil && len(f.said()) == 2 })
	if d := cmp.Diff([]string{"one", "two"}, f.said()); d != "" {
		t.Error(d)
	}
}

// TestQueue: what is sent during a turn waits, in order, and can be taken back.
func TestQueue(t *testing.T) {
	s, f, printed := newTest(t)
	gate := make(chan struct{})
	f.do = func(ctx context.Context, text string) (agent.Outcome, error) {
		return agent.Outcome{}, until(ctx, gate)
	}
	s.send(t, printed, press("one", "enter", "two", "enter", "three", "enter", "four", "enter", "up")...)
	if s.input.text != "four" {
		t.Errorf("taken back: %q", s.input.text)
	}
	golden(t, "queue.txt", s.text())
	close(gate)
	s.wait(t, printed, "end of all", func() bool { return s.turn == nil && len(s.queue) == 0 && len(f.said()) == 3 })
	if d := cmp.Diff([]string{"one", "two", "three"}, f.said()); d != "" {
		t.Error(d)
	}
}

// TestCommandsDuringATurn: those that may run do, the others are refused with the reason and stay.
func TestCommandsDuringATurn(t *testing.T) {
	s, f, printed := newTest(t)
	gate := make(chan struct{})
	f.do = func(ctx context.Context, text string) (agent.Outcome, error) {
		return agent.Outcome{}, until(ctx, gate)
	}
	s.send(t, printed, press("go", "enter", "/compact", "enter")...)
	if !strings.Contains(s.hint, "/compact cannot run during a turn") || s.input.text != "/compact" {
		t.Errorf("hint %q, input %q", s.hint, s.input.text)
	}
	s.send(t, printed, press("ctrl+c", "/usage", "enter")...)
	s.wait(t, printed, "command", func() bool { return strings.Contains(printed.String(), "ran /usage") })
	if s.turn == nil {
		t.Error("the command ended the turn")
	}
	close(gate)
	s.wait(t, printed, "end", func() bool { return s.turn == nil })
}

// TestErrors: a failure says what is wrong and what to do.
func TestErrors(t *testing.T) {
	s, f, printed := newTest(t)
	f.do = func(context.Context, string) (agent.Outcome, error) {
		return agent.Outcome{}, plumbing.Fail(plumbing.ErrModel, "the model said \x1b[2J", "ask again")
	}
	s.send(t, printed, press("x", "enter")...)
	s.wait(t, printed, "error", func() bool { return s.turn == nil })
	if !strings.Contains(printed.String(), "the model said <U+001B>[2J: ask again") {
		t.Errorf("printed:\n%s", printed.String())
	}
	s.session.Verdict = func(agent.Outcome) error { return errors.New("stopped early") }
	f.do = nil
	s.send(t, printed, press("y", "enter")...)
	s.wait(t, printed, "verdict", func() bool { return strings.Contains(printed.String(), "stopped early") })
}

// TestLeave: ctrl+c clears, twice leaves; ctrl+d leaves on an empty line; /quit leaves.
func TestLeave(t *testing.T) {
	for name, keys := range map[string][]string{"ctrl+c": {"text", "ctrl+c", "ctrl+c", "ctrl+c"}, "ctrl+d": {"ctrl+d"}, "quit": {"/quit", "enter"}} {
		s, _, printed := newTest(t)
		s.send(t, printed, press(keys...)...)
		s.wait(t, printed, name, func() bool { return s.quitting })
	}
	s, _, printed := newTest(t)
	s.send(t, printed, press("text", "ctrl+c", "ctrl+c", "x", "ctrl+c", "ctrl+c", "ab", "left", "ctrl+d")...)
	if s.quitting || s.input.text != "a" {
		t.Errorf("quitting %v, input %q", s.quitting, s.input.text)
	}
}

// TestBeforeOpen: what is typed before the session is there waits for it.
func TestBeforeOpen(t *testing.T) {
	s, f, printed := newTest(t)
	session := s.session
	s.session = nil
	s.send(t, printed, press("early", "enter")...)
	golden(t, "opening.txt", s.text())
	s.send(t, printed, arrived{opened{session: session}})
	s.wait(t, printed, "prompt", func() bool { return s.turn == nil && len(f.said()) == 1 })
	s.send(t, printed, arrived{opened{err: plumbing.ErrBusy}})
	if !s.quitting || !errors.Is(s.failed, plumbing.ErrBusy) {
		t.Error("a session that cannot be opened does not end it")
	}
}

// TestPast: a session that is gone on with shows its end.
func TestPast(t *testing.T) {
	s, f, printed := newTest(t)
	s.session.Past = func(context.Context, int) (Past, error) {
		return Past{Earlier: 40, Messages: []Spoken{{true, "What\nis it?"}, {false, "It is *this*."}}}, nil
	}
	s.session.Slash = func(context.Context, string) (slash.Answer, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.standing.SessionID = "s9"
		return slash.Answer{}, nil
	}
	s.send(t, printed, press("/resume s9", "enter")...)
	s.wait(t, printed, "past", func() bool { return strings.Contains(printed.String(), "It is this.") })
	golden(t, "past.txt", printed.String())
}

// TestNothingIsTooWide: whatever happens at whatever width, no row is wider than
// the terminal, the live part leaves room, and no escape comes through.
func TestNothingIsTooWide(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		s, f, printed := newTest(t)
		id := typesettest.Text(r, 5)
		s.session.Names = slash.Source{Sessions: func() []string { return []string{id, "漢字"} }}
		width, height := 20+r.IntN(181), 4+r.IntN(40)
		f.standing.Model, f.standing.SessionID, s.learned = typesettest.Text(r, 6), typesettest.Text(r, 4), typesettest.Text(r, 5)
		s.place = typesettest.Text(r, 3)
		s.send(t, printed, tea.WindowSizeMsg{Width: width, Height: height})
		printed.Reset()
		gate := make(chan struct{})
		f.do = func(ctx context.Context, _ string) (agent.Outcome, error) { return agent.Outcome{}, until(ctx, gate) }
		check := func(what string) {
			t.Helper()
			lines := typeset.Lines(s.frame().rows, true)
			if s.page != nil {
				lines, _, _ = s.page.View(width, height)
			} else if len(lines) > max(1, height-1) {
				t.Fatalf("%s: %d rows of %d", what, len(lines), height)
			}
			typesettest.Check(t, what, lines, width)
		}
		s.send(t, printed, tea.PasteMsg{Content: "x" + typesettest.Text(r, 40)})
		check("input")
		s.send(t, printed, press("enter", "@", "x", "esc", "backspace", "backspace", "/resume ")...)
		check("menu")
		s.queue = append(s.queue, typesettest.Text(r, 20), typesettest.Text(r, 3))
		for range 5 {
			s.send(t, printed, events(agent.Streamed{Text: typesettest.Text(r, 40)}))
			check("stream")
		}
		s.send(t, printed, events(agent.Streamed{Reasoning: typesettest.Text(r, 30)}, agent.Calling{CallID: "1", Name: typesettest.Text(r, 3), Summary: typesettest.Text(r, 20), Arguments: []byte(typesettest.Text(r, 9))},
			agent.Progressed{CallID: "1", Text: typesettest.Text(r, 50)}, agent.Notice{Text: typesettest.Text(r, 20)}))
		check("call")
		s.happened(&question{need: permission.Need{Tool: typesettest.Text(r, 2), Summary: typesettest.Text(r, 60), Detail: "--- a\n" + typesettest.Text(r, 60), Outside: []string{typesettest.Text(r, 9)}},
			verdict: permission.Verdict{Why: typesettest.Text(r, 9)}, answer: make(chan permission.Answer, 1), keep: r.IntN(2) == 0})
		check("question")
		s.asked = nil
		s.send(t, printed, events(agent.Called{CallID: "1", Name: "n", Result: agent.Result{Text: typesettest.Text(r, 40), Detail: typesettest.Text(r, 60), IsError: r.IntN(2) == 0}}))
		s.send(t, printed, press("ctrl+o")...)
		check("page")
		s.page = nil
		close(gate)
		s.wait(t, printed, "end", func() bool { return s.turn == nil })
		typesettest.Check(t, "printed", strings.Split(printed.String(), "\n"), width)
	}
}

// TestColour: without colours there is no escape at all, and with them only those.
func TestColour(t *testing.T) {
	s, _, printed := newTest(t)
	s.send(t, printed, events(agent.Streamed{Text: sample}, agent.Answered{}))
	if strings.Contains(printed.String()+s.View().Content, "\x1b") {
		t.Error("an escape without colours")
	}
	s.o.Colour = true
	if !strings.Contains(s.View().Content, "\x1b[") {
		t.Error("no colour")
	}
}

// TestPages: a page is opened by a line or a key, gets the keys, and holds back what is printed.
func TestPages(t *testing.T) {
	s, f, printed := newTest(t)
	s.session.Memory = func(context.Context) Page { return newCallsPage(&s.calls, false) }
	for _, keys := range [][]string{{"/memory", "enter"}, {"ctrl+o"}} {
		s.send(t, printed, press(keys...)...)
		if s.page == nil || !s.View().AltScreen {
			t.Fatalf("%v opens no page", keys)
		}
		s.send(t, printed, press("x", "down", "enter", "esc")...)
		if s.page != nil || s.View().AltScreen || s.input.text != "" || !s.printer.held {
			t.Errorf("%v: the page does not close", keys)
		}
		s.send(t, printed, resumedMsg{})
		if s.printer.held || len(f.said()) > 0 {
			t.Errorf("%v: printing is held", keys)
		}
	}
	s.send(t, printed, events(calling("1", "bash", "go test"), agent.Progressed{CallID: "1", Text: "so far\n"}))
	s.send(t, printed, press("ctrl+o")...)
	golden(t, "calls.txt", s.text())
}

// TestSummaryIsToldOnce: what is summed up is told, but by /compact itself.
func TestSummaryIsToldOnce(t *testing.T) {
	for text, told := range map[string]bool{"go on": true, "/chain review": true, "/compact": false} {
		s, _, printed := newTest(t)
		s.submit(text)
		s.happened(agent.Compacted{})
		s.wait(t, printed, "end", func() bool { return s.turn == nil })
		for _, l := range s.drain() {
			printed.WriteString(l + "\n")
		}
		if got := strings.Contains(printed.String(), "are summed up"); got != told {
			t.Errorf("%q: told %v:\n%s", text, got, printed)
		}
	}
}
