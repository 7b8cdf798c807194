package main

import (
	"context"
	"time"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fsck"
)

type fsckCommand struct {
	Repair    bool `help:"First mend what costs nothing: indexes, left-over temporary files, torn tails."`
	Forgotten bool `help:"Instead say what the project's forgets have left, and where."`
}

var fsckHelp = cli.Help{
	About: `
Checks everything that lies on the disk for this project: each log is scanned
whole, the evidence of every fact hashed anew, the fact database, notes, locks
and indexes looked at, links and wide permissions named. It never writes;
--repair removes indexes that do not fit (the next use makes them anew) and
temporary files that nobody writes any more, and sets torn tails aside, then
checks; what was mended is said on stderr.

--forgotten names file and line wherever a line of 12 characters or more of a
forgotten record still stands in a note, a .bak or a fact (still_stands), in
another message of a user (typed_again), or cannot be told since the record is
gone (unprovable). It counts what a forget has made inert (inert_…), which is
as it should be: counts alone are 0. No finding carries words.`,
	Example: `$ lecode fsck
{"code":"log_torn","file":"/…/s1.jsonl","help":"…","line":3,"offset":310,"type":"finding"}
$ lecode fsck --forgotten | jq -r 'select(.code=="still_stands") | "\(.file):\(.line)"'`,
	Output: "a `finding` object for each thing that is not as it should be; none: all is well",
	Exits:  []int{1, 5, 6, 7},
}

func (c *fsckCommand) Run(e *cli.Env) error {
	if c.Repair && e.Getenv("LECODE_READONLY") == "1" {
		return plumbing.Fail(plumbing.ErrRefused, "LECODE_READONLY is set and --repair writes", "leave it out")
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	step, done := e.Progress("checking the sessions")
	defer done()
	check := fsck.New(fsck.Options{Config: s.Config, Cache: s.Cache, Project: s.Owner,
		Facts: s.Facts, Now: time.Now, Repairs: s.Sessions, Step: step})
	if c.Repair {
		err := check.Repair(ctx, func(f fsck.Finding) error {
			e.Note("mended %s: %s", f.Code, f.File)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return c.print(ctx, e, check)
}

func (c *fsckCommand) print(ctx context.Context, e *cli.Env, check *fsck.Checker) error {
	run := check.Check
	if c.Forgotten {
		run = check.Forgotten
	}
	exit := 0
	err := run(ctx, func(f fsck.Finding) error {
		switch {
		case f.Corrupt():
			exit = 6
		case !f.Count():
			exit = max(exit, 1)
		}
		return e.Print(object.Finding{Code: f.Code, File: f.File, Help: f.Help, Line: f.Line, Offset: f.Offset, Type: "finding"})
	})
	return cli.StatusOr(err, exit)
}
