package tui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// fake is an agent that does what a test says.
type fake struct {
	mu       sync.Mutex
	standing agent.Standing
	prompts  []string
	do       func(ctx context.Context, text string) (agent.Outcome, error)
}

func (f *fake) Prompt(ctx context.Context, in agent.Input) (agent.Outcome, error) {
	f.mu.Lock()
	f.prompts = append(f.prompts, in.Text)
	f.mu.Unlock()
	if f.do == nil {
		return agent.Outcome{}, nil
	}
	return f.do(ctx, in.Text)
}

func (f *fake) Standing() agent.Standing {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.standing
}

func (f *fake) said() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.prompts...)
}

var noon = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

// newTest is a screen with a session over a fake, of 60 columns and 20 rows, and what it printed.
func newTest(t *testing.T) (*Screen, *fake, *strings.Builder) {
	t.Helper()
	f := &fake{standing: agent.Standing{Model: "tape", Mode: permission.Default, Window: 128_000, Tokens: 32_000, Facts: 3}}
	ctx, cancel := context.WithCancel(t.Context())
	s := newScreen(ctx, Options{Now: func() time.Time { return noon }})
	var printed strings.Builder
	s.session = &Session{Agent: f, Slash: func(_ context.Context, l string) (slash.Answer, error) {
		return slash.Answer{Warnings: []string{"ran " + l}, Quit: l == "/quit"}, nil
	}}
	s.send(t, &printed, tea.WindowSizeMsg{Width: 60, Height: 20})
	s.around()
	t.Cleanup(func() { cancel(); s.work.Wait() })
	return s, f, &printed
}

// rest is nobody typing for a moment: the first question takes an answer.
func (s *Screen) rest() { s.Update(armedMsg{s.asked[0], s.typed}) }

// send gives a screen messages as the library does, and runs what it wants done but timers.
func (s *Screen) send(t *testing.T, printed *strings.Builder, msgs ...tea.Msg) {
	t.Helper()
	for _, m := range msgs {
		_, cmd := s.Update(m)
		_ = cmd
		if s.printer.busy || len(s.printer.lines) > 0 {
			for _, l := range s.drain() {
				printed.WriteString(l + "\n")
			}
		}
	}
}

// drain is what waits to be printed; the library itself would print it a few lines at a time.
func (s *Screen) drain() []string {
	lines := append(s.printer.first, s.printer.lines...)
	s.printer.first, s.printer.lines, s.printer.busy = nil, nil, false
	return lines
}

// wait feeds what happens to the screen until a condition holds.
func (s *Screen) wait(t *testing.T, printed *strings.Builder, what string, until func() bool) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for !until() {
		select {
		case <-s.feed.wake:
			s.feed.mu.Lock()
			items := s.feed.items
			s.feed.items = nil
			s.feed.mu.Unlock()
			s.send(t, printed, arrived(items))
		case <-limit:
			t.Fatalf("no %s; the screen:\n%s", what, s.text())
		}
	}
}

// text is the live part without colours.
func (s *Screen) text() string {
	lines := typeset.Lines(s.frame().rows, false)
	if s.page != nil {
		lines, _, _ = s.page.View(s.width, s.height)
	}
	return strings.Join(lines, "\n") + "\n"
}

func press(keys ...string) (msgs []tea.Msg) {
	special := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "tab": {Code: tea.KeyTab},
		"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: tea.KeySpace, Text: " "},
		"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "pgdown": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	}
	for _, k := range keys {
		switch m, ok := special[k]; {
		case ok:
			msgs = append(msgs, m)
		case strings.HasPrefix(k, "ctrl+"):
			msgs = append(msgs, tea.KeyPressMsg{Code: []rune(k)[5], Mod: tea.ModCtrl})
		default:
			for _, r := range k {
				msgs = append(msgs, tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return msgs
}

// event is an event as it comes through the feed.
func events(list ...agent.Event) tea.Msg {
	var a arrived
	for _, e := range list {
		a = append(a, e)
	}
	return a
}

func calling(id, name, summary string) agent.Calling {
	return agent.Calling{CallID: id, Name: name, Summary: summary, Arguments: []byte(fmt.Sprintf(`{"of":%q}`, summary))}
}
