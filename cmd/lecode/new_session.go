package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
)

type newSessionCommand struct{}

var newSessionHelp = cli.Help{
	About: `
Makes an empty session log for the project and prints it. Its "id" is what the
other commands take.`,
	Example: `$ S=$(lecode new-session | jq -r .id)`,
	Output:  "one `session` object",
	Exits:   []int{5},
}

func (c *newSessionCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	info, err := s.Sessions.New(ctx)
	if err != nil {
		return err
	}
	return e.Print(object.SessionOf(info))
}
