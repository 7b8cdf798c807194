package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
)

type generationCommand struct{}

var generationHelp = cli.Help{
	About: `
The generation grows by one with each forget. Whatever came from or through a
model carries the generation that its request had; what is older than the
project's is not shown again.`,
	Example: `$ lecode generation
{"generation":0,"type":"generation"}`,
	Output: "one `generation` object",
	Exits:  []int{5, 6, 7},
}

func (c *generationCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	g, err := s.Facts.Generation()
	if err != nil {
		return err
	}
	return e.Print(object.Generation{Generation: g, Type: "generation"})
}
