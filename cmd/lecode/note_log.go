package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
)

type noteLog struct {
	Verb
	Date string `arg:"" optional:"" help:"The day, YYYY-MM-DD; without it today."`
	Raw  bool   `help:"Print the text itself, as it is."`
}

func (c *noteLog) run(e *cli.Env, s *note.Store) error {
	file := s.Today()
	if c.Date != "" {
		var err error
		if file, err = note.Daily(c.Date); err != nil {
			return err
		}
	}
	ctx, stop := e.Context()
	defer stop()
	n, err := s.Read(ctx, file)
	if errors.Is(err, plumbing.ErrNotFound) {
		return noLog(ctx, s, file)
	}
	if err != nil {
		return err
	}
	return printNote(e, n, c.Raw)
}

// noLog says that a log is not there, and which ones are.
func noLog(ctx context.Context, s *note.Store, file string) error {
	hint := "there is no daily log yet"
	l, err := s.List(ctx)
	if err != nil {
		return err
	}
	var logs []string
	for _, n := range l.Notes {
		if strings.HasPrefix(n.File, "daily/") {
			logs = append(logs, n.File)
		}
	}
	if len(logs) > 0 {
		hint = "the newest there are: " + strings.Join(logs[:min(len(logs), 3)], ", ")
	}
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("%q does not exist", file), hint)
}
