package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/source"
)

type rememberCommand struct {
	Text        string `required:"" help:"The fact, at most 4,096 bytes; control characters but tab and newline are refused."`
	Deduplicate bool   `help:"Where an equal text is stored already (case and white space aside), return that fact unchanged."`
	Unverified  bool   `help:"Store it without evidence; it is never recalled or put in a prompt."`
	Generation  *int64 `placeholder:"G" help:"Refuse (4) unless the project's generation is G."`
}

var rememberHelp = cli.Help{
	Usage: "--text TEXT",
	About: `
Stores a fact tied to the evidence on stdin, after checking that evidence once
more inside the transaction. Doing it again gives the same fact: "outcome" is
created, retried or deduplicated.`,
	Example: `$ lecode snapshot $S 1 1 | lecode remember --text 'We use tabs for indentation.'
{"created":"…","file":null,"id":"f-…","outcome":"created","revision":1,…}`,
	Input:  "one source ref, or an object that carries one as \"source\"; nothing with --unverified",
	Output: "one `fact` object",
	Exits:  []int{3, 4, 5, 6, 7},
}

func (c *rememberCommand) Run(e *cli.Env) error {
	s, ref, err := evidence(e, c.Unverified)
	if err != nil {
		return err
	}
	result, err := s.Facts.Remember(context.Background(), c.Text, ref, fact.RememberOptions{
		Deduplicate: c.Deduplicate, Unverified: c.Unverified, ExpectedGeneration: c.Generation,
	})
	if err != nil {
		return err
	}
	return printFact(e, result)
}

// evidence opens the stores for a command that writes a fact, and reads the
// source ref that it is given on stdin; none where it stores without.
func evidence(e *cli.Env, unverified bool) (cli.Stores, *source.Ref, error) {
	if _, err := e.Memory(); err != nil {
		return cli.Stores{}, nil, err
	}
	s, err := e.Stores()
	if err != nil || unverified {
		return s, nil, err
	}
	b, err := e.Object()
	if err != nil {
		return s, nil, err
	}
	ref, err := source.Decode(b)
	return s, &ref, err
}
