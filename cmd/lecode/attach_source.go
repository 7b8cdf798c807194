package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
)

type attachSourceCommand struct {
	Fact     string `arg:"" help:"The fact's ID."`
	Revision int64  `arg:"" help:"Which of its revisions the evidence is for."`
}

var attachSourceHelp = cli.Help{
	Usage: "FACT REVISION",
	About: `
Gives a revision that has no evidence the one on stdin. Equal evidence again is
"unchanged"; other evidence is refused (4).`,
	Example: `$ lecode snapshot $S 1 1 | lecode attach-source $F 1`,
	Input:   "one source ref, or an object that carries one as \"source\"",
	Output:  "one `fact` object",
	Exits:   []int{3, 4, 5, 6, 7},
}

func (c *attachSourceCommand) Run(e *cli.Env) error {
	s, ref, err := evidence(e, false)
	if err != nil {
		return err
	}
	result, err := s.Facts.Attach(context.Background(), c.Fact, c.Revision, *ref)
	if err != nil {
		return err
	}
	return printFact(e, result)
}
