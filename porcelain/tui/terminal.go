package tui

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/charmbracelet/x/term"
)

// watched is a terminal that says when it is gone: the library takes the end of
// its input for somebody who does not type.
type watched struct {
	*os.File
	gone func()
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if errors.Is(err, io.EOF) {
		w.gone()
	}
	return n, err
}

// sane is what a terminal is set to where a program has left it otherwise.
type sane struct {
	fd    uintptr
	state *term.State // nil: it is no terminal
}

// saneOf remembers how a terminal is set.
func saneOf(in io.Reader) sane {
	f, ok := in.(*os.File)
	if !ok {
		return sane{}
	}
	state, err := term.GetState(f.Fd())
	if err != nil {
		return sane{}
	}
	return sane{f.Fd(), state}
}

// tidy ends what would stay behind a program: another screen, a hidden cursor,
// colours, another set of characters, the mouse, marked pastes; and begins a line
// where the cursor does not stand at the beginning of one: only then do as many
// spaces as a line is wide go on to the next.
func tidy(width int) string {
	return "\x1b[?1047l\x1b[?25h\x1b[0m\x1b(B\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l" +
		strings.Repeat(" ", width) + "\r\x1b[K"
}

// lent is a program that the terminal is lent to.
type lent struct {
	*exec.Cmd
	back func() // puts the terminal right
}

func (l lent) Run() error {
	err := l.Cmd.Run()
	l.back()
	return err
}

func (l lent) SetStdin(r io.Reader) {
	if w, ok := r.(watched); ok {
		r = w.File // the program has to get the terminal itself
	}
	if l.Stdin == nil {
		l.Stdin = r
	}
}

func (l lent) SetStdout(w io.Writer) {
	if l.Stdout == nil {
		l.Stdout = w
	}
}

func (l lent) SetStderr(w io.Writer) {
	if l.Stderr == nil {
		l.Stderr = w
	}
}
