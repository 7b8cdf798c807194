package tui

import (
	"errors"
	"os/exec"

	tea "charm.land/bubbletea/v2"

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
	cmd := s.session.Shell(line)
	s.away = true
	lines := s.printer.lines
	s.printer.lines = nil
	var cmds []tea.Cmd
	for len(lines) > 0 {
		n := min(len(lines), max(1, s.height-s.liveMax()))
		cmds = append(cmds, tea.Println(printable(lines[:n])))
		lines = lines[n:]
	}
	return tea.Sequence(append(cmds, tea.ExecProcess(cmd, func(err error) tea.Msg { return returned{err} }))...)
}

// returned takes the terminal back.
func (s *Screen) returned(m returned) tea.Cmd {
	s.away = false
	var exit *exec.ExitError
	switch {
	case errors.As(m.err, &exit):
		s.say(typeset.Faint, exit.Error())
	case m.err != nil:
		s.say(typeset.Red, m.err.Error())
	}
	return s.next()
}
