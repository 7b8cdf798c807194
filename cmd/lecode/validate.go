package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

type validateCommand struct {
	Purpose string `enum:"working,durable" default:"working" placeholder:"PURPOSE" help:"working (new evidence) or durable (an existing fact; a clear does not hide)."`
}

var validateHelp = cli.Help{
	About: `
Checks evidence against the session logs as they are now. The nth line answers
the nth; "status" is valid, missing, stale, hidden or unverified. The exit code
is that of the first that is not valid.`,
	Example: `$ lecode snapshot $S 1 5 | lecode validate
{"purpose":"working","source":{…},"status":"valid","type":"validation"}`,
	Input:  "source refs, or objects that carry one as \"source\", a line each",
	Output: "a `validation` object a line",
	Exits:  []int{3, 4, 5, 6},
}

func (c *validateCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	first := 0
	err = e.EachLine("source ref", func(line []byte) error {
		ref, err := source.Decode(line)
		if err != nil {
			return err
		}
		status, err := s.Sources.Validate(context.Background(), s.Facts, ref, session.Purpose(c.Purpose))
		code := statusExit(status)
		if errors.Is(err, plumbing.ErrRefused) {
			// A planted log ends its own line only: the next ones are answered too.
			e.Note("%v", err)
			status, code, err = source.Stale, 5, nil
		}
		if err != nil {
			return err
		}
		if first == 0 {
			first = code
		}
		return e.Print(object.Validation{Purpose: c.Purpose, Source: ref, Status: string(status), Type: "validation"})
	})
	return cli.StatusOr(err, first)
}

// statusExit is the exit code of evidence that does not hold (design section 7).
func statusExit(s source.Status) int {
	switch s {
	case source.Valid:
		return 0
	case source.Missing:
		return 3
	case source.Stale:
		return 4
	case source.Hidden:
		return 5
	}
	return 1
}
