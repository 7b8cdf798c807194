package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/fact"
)

type correctCommand struct {
	Fact       string `arg:"" help:"The fact's ID."`
	Revision   int64  `required:"" placeholder:"N" help:"The revision that you saw; another current one is refused (4)."`
	Text       string `required:"" help:"The new text."`
	Unverified bool   `help:"Append it without evidence; the fact is not recalled from then on."`
	Generation *int64 `placeholder:"G" help:"Refuse (4) unless the project's generation is G."`
}

var correctHelp = cli.Help{
	Usage: "FACT --revision N --text TEXT",
	About: `
Appends a revision with the new evidence on stdin. The earlier revisions and
their evidence stay, and all of it has to hold for the fact to be told. The
evidence needs words of the user or the assistant; tool output alone does not
justify a correction.`,
	Example: `$ lecode snapshot $S 7 7 | lecode correct $F --revision 1 --text 'Indent with two spaces.'
{"created":"…","id":"f-…","outcome":null,"revision":2,…}`,
	Input:  "one source ref, or an object that carries one as \"source\"; nothing with --unverified",
	Output: "one `fact` object",
	Exits:  []int{3, 4, 5, 6, 7},
}

func (c *correctCommand) Run(e *cli.Env) error {
	s, ref, err := evidence(e, c.Unverified)
	if err != nil {
		return err
	}
	result, err := s.Facts.Correct(context.Background(), c.Fact, c.Revision, c.Text, ref, fact.CorrectOptions{
		Unverified: c.Unverified, ExpectedGeneration: c.Generation,
	})
	if err != nil {
		return err
	}
	return printFact(e, result)
}
