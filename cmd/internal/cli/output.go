package cli

import (
	"io"

	"github.com/lecode/lecode/plumbing/canon"
)

// Print writes one object as a line of canonical JSON, in one write, so that
// a reader sees it at once and whole.
func (e *Env) Print(object any) error {
	b, err := canon.Marshal(object)
	if err != nil {
		return err
	}
	_, err = e.Out().Write(append(b, '\n'))
	return err
}

// Out is stdout for what comes while something may be shown by Progress.
func (e *Env) Out() io.Writer { return out{e} }

type out struct{ e *Env }

func (o out) Write(p []byte) (int, error) {
	defer o.e.quiet()()
	return o.e.Stdout.Write(p)
}
