package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/slash"
)

// TestLeavingLosesNothing: what was not printed when the person leaves is
// written behind the last frame, with what the turn and closing still say.
func TestLeavingLosesNothing(t *testing.T) {
	s, _, printed := newTest(t)
	var out bytes.Buffer
	s.o.Out = &out
	s.made = s.session
	s.session.Close = func() { s.feed.put(agent.Notice{Text: "said by closing"}) }
	s.turn = &turn{cancel: func() { s.feed.put(agent.Notice{Text: "said by the turn"}) }}
	var late []any
	for i := range 60 {
		late = append(late, agent.Notice{Text: fmt.Sprintf("line %d.", i)})
	}
	s.Update(arrived(append(late, agent.Streamed{Text: "half an answer"})))
	first := strings.Join(s.printer.first, "\n") // the library has these
	if cmd := s.quit(); cmd != nil {
		t.Error("it ends before the lines that are being printed are")
	}
	if s.View().Content != "" {
		t.Error("the live part stays on the screen")
	}
	if _, cmd := s.Update(printedMsg{}); cmd == nil {
		t.Error("it does not end")
	}
	s.finish()
	all := printed.String() + first + "\n" + out.String()
	at := 0
	for _, want := range []string{"line 0.", "line 31.", "line 59.", "said by the turn", "half an answer", "said by closing"} {
		i := strings.Index(all[at:], want)
		if i < 0 {
			t.Fatalf("%q is not there, or not in its place:\n%s", want, all)
		}
		at += i
	}
	if n := strings.Count(all, "line 30."); n != 1 {
		t.Errorf("a line is there %d times", n)
	}
}

type broken struct{}

var errBroken = errors.New("the terminal broke")

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

// TestTerminalBreaks: an error of the terminal is told; the end of ctx is none.
func TestTerminalBreaks(t *testing.T) {
	opened := func(context.Context, permission.Asker, func(agent.Event)) (*Session, error) {
		return &Session{Agent: &fake{}}, nil
	}
	o := Options{In: broken{}, Out: io.Discard, Now: func() time.Time { return noon }, Open: opened}
	if err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "the terminal") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe()
	o.In = in
	if err := Run(ctx, o); err != nil {
		t.Errorf("error %v", err)
	}
}

// TestShellWaitsForThePage: a page keeps the terminal until it is closed.
func TestShellWaitsForThePage(t *testing.T) {
	s, _, printed := newTest(t)
	s.turn = &turn{cancel: func() {}}
	s.send(t, printed, press("!ls", "enter", "ctrl+o")...)
	s.send(t, printed, arrived{ended{of: s.turn}})
	if s.away || s.page == nil || len(s.queue) != 1 {
		t.Fatalf("away %v, queue %q", s.away, s.queue)
	}
	s.send(t, printed, press("esc")...)
	s.send(t, printed, resumedMsg{})
	if len(s.queue) != 0 {
		t.Error("the line still waits")
	}
}

// TestPageIsClosed: one page takes the place of another only after that is closed, and none that of a question.
func TestPageIsClosed(t *testing.T) {
	s, _, printed := newTest(t)
	p := &counted{callsPage: newCallsPage(&s.calls, false)}
	s.session.Memory = func(context.Context) Page { return p }
	s.send(t, printed, press("/memory", "enter")...)
	asking(s, t.Context(), command("x"))
	s.wait(t, printed, "question", func() bool { return len(s.asked) == 1 })
	s.rest()
	s.send(t, printed, press("ctrl+o")...)
	if s.page != Page(p) {
		t.Error("another page is open")
	}
	s.send(t, printed, press("d")...)
	s.show(newCallsPage(&s.calls, false))
	s.work.Wait()
	if p.closed != 1 || p.waited != 1 {
		t.Errorf("closed %d times, waited for %d times", p.closed, p.waited)
	}
}

type counted struct {
	*callsPage
	closed, waited int
}

func (p *counted) Close() { p.closed++ }
func (p *counted) Wait()  { p.waited++ }

// TestCallsOfTasks: providers give the calls of two tasks the same ID.
func TestCallsOfTasks(t *testing.T) {
	s, _, printed := newTest(t)
	for _, child := range []string{"t1", "t2"} {
		s.send(t, printed, events(agent.Calling{Child: child, CallID: "c", Name: "read", Summary: child + ".md"}))
	}
	s.send(t, printed, events(agent.Called{Child: "t1", CallID: "c", Name: "read"}))
	if one := s.calls.find("t1", "c"); one.state != worked || s.calls.find("t2", "c").state != running {
		t.Errorf("the call of the wrong task has ended")
	}
}

// TestCommandFails: a command that fails says why, whatever it answers beside.
func TestCommandFails(t *testing.T) {
	for _, a := range []slash.Answer{{}, {Value: memory.Answer{}}, {Value: 1}} {
		s, _, printed := newTest(t)
		s.session.Slash = func(context.Context, string) (slash.Answer, error) {
			return a, plumbing.Fail(plumbing.ErrInvalid, "no such word", "`/memory help` lists them")
		}
		s.send(t, printed, press("/memory x", "enter")...)
		s.wait(t, printed, "end", func() bool { return s.turn == nil })
		if !strings.Contains(printed.String(), "no such word: `/memory help` lists them") {
			t.Errorf("%v:\n%s", a, printed)
		}
	}
}
