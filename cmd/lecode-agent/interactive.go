package main

import (
	"context"
	"errors"
	"io"
	"syscall"

	"github.com/lecode/lecode/cmd/internal/cli"
)

type agentCommand struct {
	Plain    bool   `help:"A line at a time, also on a terminal."`
	Session  string `xor:"session" placeholder:"ID" help:"Go on with this session."`
	Continue bool   `xor:"session" help:"Go on with the agent's latest session in this project."`
	Model    string `placeholder:"MODEL" help:"The model that answers (default: agent.model)."`
	Mode     string `enum:"default,readonly,auto" default:"default" placeholder:"MODE" help:"default, readonly or auto: how much is asked."`
}

var agentHelp = cli.Help{
	About: `
Talks to the agent: on a terminal on a screen, otherwise and with --plain a prompt
a line. There a line that ends in \ goes on, and what stands between two lines of
""" is one prompt. A line that begins with a slash is a command (/help lists
them). One that begins with ! is run by the shell, for you alone: the agent sees
nothing of it; from a pipe that needs --plain. Answers go to stdout, everything
else to stderr. An interrupt ends the turn and keeps what was shown; at the prompt
it ends the agent, as do /quit and the end of the input. The exit code is that of the last prompt or command: 0 unless it failed.`,
	Example: `$ printf 'What is in go.mod?\n/usage\n' | lecode agent`,
	Input:   "prompts, commands and shell lines",
	Output:  "answers, and what commands print",
	Exits:   []int{1, 3, 4, 5, 6, 7, 8, 9, 130},
}

func (c *agentCommand) Run(e *cli.Env) error {
	e.OutliveReaders()
	ctx, stop := e.Until(context.Background(), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if !c.Plain && hasScreen(e) {
		return c.screen(ctx, e)
	}
	t := newTalk(e)
	t.shell = t.person || c.Plain
	if !t.person { // at a terminal it is said first what is wrong with the flags
		if err := t.ahead(ctx); errors.Is(err, io.EOF) {
			return cli.NoCommand()
		} else if err != nil {
			return ended(err)
		}
	}
	d, err := wire(e, t.watch.asker(t.keys), t.watch.on)
	if err != nil {
		return err
	}
	defer d.close()
	o, err := d.options(ctx, choice{c.Session, c.Continue, c.Model, c.Mode})
	if err != nil {
		return err
	}
	a, err := d.open(ctx, o)
	if err != nil {
		return err
	}
	defer a.Close()
	t.wiring, t.agent, t.watch.keep = d, a, d.keep
	return t.loop(ctx)
}

// ended is the end of the input, or of who interrupted at the prompt.
func ended(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, context.Canceled):
		return &cli.StatusError{Code: 130}
	}
	return err
}
