package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
)

type noteSearch struct {
	Verb
	Pattern string `arg:"" help:"A regular expression; one that begins with a dash after --."`
	Context int64  `default:"0" placeholder:"N" help:"Show N lines before and after each match, at most 20."`
	Limit   int64  `default:"50" placeholder:"N" help:"Print at most N lines, 1 to 50."`
}

func (c *noteSearch) run(e *cli.Env, s *note.Store) error {
	if c.Limit < 1 {
		return plumbing.Fail(plumbing.ErrInvalid, "--limit counts from 1", "")
	}
	ctx, stop := e.Context()
	defer stop()
	found, err := s.Search(ctx, c.Pattern, note.SearchOptions{Limit: c.Limit, Context: c.Context})
	if err != nil {
		return err
	}
	skipped(e, found.Skipped)
	if err := printMatches(e, found.Matches, found.Truncated); err != nil {
		return err
	}
	if found.Truncated {
		e.Note("more lines match: only the first %d are shown", len(found.Matches))
	}
	if len(found.Matches) == 0 {
		return &cli.StatusError{Code: 1}
	}
	return nil
}

// printMatches prints what a search found, and on the last one whether there is more.
func printMatches(e *cli.Env, list []note.Match, truncated bool) error {
	for _, m := range object.MatchesOf(list, truncated) {
		if err := e.Print(m); err != nil {
			return err
		}
	}
	return nil
}
