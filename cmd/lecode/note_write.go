package main

import (
	"fmt"
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/note"
)

type noteWrite struct {
	Verb
	File     string  `arg:"" help:"The file."`
	Append   bool    `help:"Add the text at the end of the file."`
	Text     *string `placeholder:"TEXT" help:"The text, instead of stdin's, may be empty; one that begins with a dash as --text=-x."`
	IfDigest string  `placeholder:"DIGEST" help:"Write only if the file still has this digest, or is still \"absent\"."`
}

func (c *noteWrite) run(e *cli.Env, s *note.Store) error {
	if err := note.CheckFile(c.File); err != nil {
		return err
	}
	text, err := c.text(e)
	if err != nil {
		return err
	}
	mode := note.Replace
	if c.Append {
		mode = note.Append
	}
	ctx, stop := e.Context()
	defer stop()
	w, err := s.WriteIf(ctx, c.File, text, mode, c.IfDigest)
	if err != nil {
		return err
	}
	return e.Print(written(w))
}

// text is what to write. Nothing on stdin is wrong: a command before the pipe
// that failed must not empty a file.
func (c *noteWrite) text(e *cli.Env) (string, error) {
	if c.Text != nil {
		return *c.Text, nil
	}
	b, err := io.ReadAll(io.LimitReader(e.Stdin, note.MaxFile+1))
	if err != nil {
		return "", fmt.Errorf("read stdin: %w", err)
	}
	if len(b) == 0 {
		return "", cli.NothingOn("text")
	}
	return string(b), nil
}
