package cli

import (
	"github.com/lecode/lecode/plumbing/canon"
)

// Print writes one object as a line of canonical JSON, in one write, so that
// a reader sees it at once and whole.
func (e *Env) Print(object any) error {
	b, err := canon.Marshal(object)
	if err != nil {
		return err
	}
	_, err = e.Stdout.Write(append(b, '\n'))
	return err
}
