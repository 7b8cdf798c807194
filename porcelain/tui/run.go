package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// Options is what a screen needs from outside.
type Options struct {
	In     io.Reader // a terminal
	Out    io.Writer // a terminal
	Env    []string
	Colour bool
	Now    func() time.Time
	Open   Opener
}

// Run shows the screen until the person leaves, or ctx ends. The error is why
// the session could not be opened, or that of the terminal.
func Run(ctx context.Context, o Options) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newScreen(within, o)
	s.sane = saneOf(o.In)
	in := o.In
	var gone atomic.Bool
	if f, ok := in.(*os.File); ok {
		in = watched{f, func() { gone.Store(true); cancel() }}
	}
	profile := colorprofile.ANSI
	if !o.Colour {
		profile = colorprofile.ASCII
	}
	_, err := tea.NewProgram(s, tea.WithContext(within), tea.WithInput(in), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithColorProfile(profile), tea.WithFPS(40), tea.WithoutSignalHandler()).Run()
	cancel()
	s.finish()
	switch {
	case s.failed != nil:
		return s.failed
	case errors.Is(err, tea.ErrInterrupted), err != nil && gone.Load(), err != nil && ctx.Err() != nil && !errors.Is(err, tea.ErrProgramPanic):
		return nil
	case err != nil:
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// finish waits for what runs, lets the session go, and writes what there was no
// frame left for: the end of an answer, what a turn came to, what closing says.
func (s *Screen) finish() {
	s.quitting = true
	s.leavePage()
	s.work.Wait() // a turn keeps what it has shown
	if s.width == 0 {
		s.width = 80
	}
	s.gather()
	s.settle()
	for _, text := range append(s.queue, s.input.text) {
		if text != "" {
			s.say(typeset.Yellow, "not sent: "+text)
		}
	}
	if s.made != nil && s.made.Close != nil {
		s.made.Close()
	}
	s.gather()
	if s.standing.SessionID != "" && s.failed == nil {
		s.say(typeset.Faint, "`lecode --continue` goes on with this session")
	}
	if lines := s.printer.lines; len(lines) > 0 {
		fmt.Fprintln(s.o.Out, strings.Join(lines, "\n"))
	}
}

// gather takes what is left in the feed.
func (s *Screen) gather() {
	for _, item := range s.feed.take() {
		switch item.(type) {
		case opened, *question, withdrawn:
		default:
			s.happened(item)
		}
	}
}
