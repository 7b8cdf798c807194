package tui

import (
	"errors"
	"io"
	"os/exec"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// returned says that a program that had the terminal has ended.
type returned struct{ err error }

// shell gives the terminal to a line of the person's, which runs with the
// person's own rights and out of sight of the agent.
func (s *Screen) shell(line string) tea.Cmd {
	if s.session.Shell == nil {
		return nil
	}
	s.away = true
	cmds := s.chunks(s.printer.lines)
	s.printer.lines = nil
	width := s.width
	program := lent{s.session.Shell(s.ctx, line), func() {
		if s.sane.state != nil {
			_ = term.SetState(s.sane.fd, s.sane.state)
		}
		_, _ = io.WriteString(s.o.Out, tidy(width))
	}}
	return tea.Sequence(append(cmds, tea.Exec(program, func(err error) tea.Msg { return returned{err} }))...)
}

// returned takes the terminal back.
func (s *Screen) returned(m returned) tea.Cmd {
	s.away, s.menu.asked = false, false
	var exit *exec.ExitError
	switch {
	case errors.As(m.err, &exit):
		s.say(typeset.Faint, exit.Error())
	case m.err != nil:
		s.say(typeset.Red, m.err.Error())
	}
	s.around() // the line may have changed the memory, the branch, the settings
	return s.next()
}
