package main

import (
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/note"
)

type noteRead struct {
	Verb
	File string `arg:"" help:"The file."`
	Raw  bool   `help:"Print the text itself, as it is."`
}

func (c *noteRead) run(e *cli.Env, s *note.Store) error {
	ctx, stop := e.Context()
	defer stop()
	n, err := s.Read(ctx, c.File)
	if err != nil {
		return err
	}
	return printNote(e, n, c.Raw)
}

func printNote(e *cli.Env, n note.Note, raw bool) error {
	if raw {
		_, err := io.WriteString(e.Stdout, n.Text)
		return err
	}
	return e.Print(object.NoteOf(n))
}
