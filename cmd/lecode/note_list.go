package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/note"
)

type noteList struct{ Verb }

func (c *noteList) run(e *cli.Env, s *note.Store) error {
	ctx, stop := e.Context()
	defer stop()
	l, err := s.List(ctx)
	if err != nil {
		return err
	}
	skipped(e, l.Skipped)
	return printNotes(e, l.Notes)
}

func printNotes(e *cli.Env, list []note.Info) error {
	for _, n := range list {
		if err := e.Print(object.NoteIn(n)); err != nil {
			return err
		}
	}
	return nil
}
