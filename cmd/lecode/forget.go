package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
)

type forgetCommand struct {
	Facts []string `arg:"" name:"fact" help:"IDs of facts; - reads IDs, or objects that carry one, from stdin."`
}

var forgetHelp = cli.Help{
	Usage: "FACT…",
	About: `
Forgets facts for good, each in one transaction: everything they stood on is
excluded, also in copies, exports and later imports; the generation grows, and
whatever a model said before it is not shown again in this project. The receipt
says what was excluded and what stays on disk ("remains"): raw logs are not
rewritten. A fact that was forgotten before is "changed":false.

All IDs are tried, in order; the exit code is the first failure's.`,
	Example: `$ lecode forget $F
{"changed":true,"fact_id":"f-…","generation":1,"generation_before":0,…}
$ lecode facts --search 'two spaces' | lecode forget -`,
	Input:  "nothing; with - a fact ID, or an object that carries one, a line each",
	Output: "a `forgotten` object for each fact",
	Exits:  []int{3, 5, 6, 7},
}

func (c *forgetCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	forget := func(id string) error {
		r, err := s.Facts.Forget(context.Background(), id)
		if err != nil {
			return err
		}
		return e.Print(r.Told())
	}
	return e.EachID(c.Facts, forget, "id", "fact_id")
}
