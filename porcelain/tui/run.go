package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newScreen(ctx, o)
	profile := colorprofile.ANSI
	if !o.Colour {
		profile = colorprofile.ASCII
	}
	_, err := tea.NewProgram(s, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithColorProfile(profile), tea.WithFPS(40), tea.WithoutSignalHandler()).Run()
	cancel()
	s.work.Wait() // a turn keeps what it has shown
	s.close()
	switch {
	case s.failed != nil:
		return s.failed
	case errors.Is(err, tea.ErrInterrupted), err != nil && ctx.Err() != nil && !errors.Is(err, tea.ErrProgramPanic):
		return nil
	case err != nil:
		return fmt.Errorf("the terminal: %w", err)
	}
	return nil
}

// close lets the session go, also one that was ready after the last frame.
func (s *Screen) close() {
	session := s.session
	s.feed.mu.Lock()
	for _, item := range s.feed.items {
		if v, ok := item.(opened); ok && session == nil {
			session = v.session
		}
	}
	s.feed.mu.Unlock()
	if session != nil && session.Close != nil {
		session.Close()
	}
}
