package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/slash"
)

// do is a command, a turn that goes on, or a prompt. Only what was typed can be a command.
func (c *runCommand) do(ctx context.Context, d *wiring, a *agent.Agent, in agent.Input, w *watcher) (ran, error) {
	text, isPrompt := slash.Prompt(in.Text)
	switch {
	case in.Text == "":
		r, err := a.Resume(ctx)
		return ran{Outcome: r}, err
	case len(c.Prompt) == 0 || !strings.HasPrefix(c.Prompt[0], "/"):
	case isPrompt:
		in.Text = text
	case len(in.Files) > 0:
		return ran{}, plumbing.Fail(plumbing.ErrInvalid, "--file with a slash command", "it goes with a prompt")
	default:
		answer, err := slash.Run(ctx, d.slash(a), in.Text)
		if err != nil && answer.Outcome == nil {
			return ran{}, err
		}
		r := ran{no: answer.No}
		if answer.Outcome != nil {
			r.Outcome = *answer.Outcome
		}
		if err == nil {
			err = w.answer(in.Text, a.Standing().SessionID, answer)
		}
		return r, err
	}
	r, err := a.Prompt(ctx, in)
	return ran{Outcome: r}, err
}

// verdict says whether a turn that did not fail is one that a script can build on.
func (c *runCommand) verdict(o agent.Outcome) error {
	if c.Strict && o.Denied > 0 {
		return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("calls that were denied: %d", o.Denied),
			"[permissions] in config.toml allows more; see `lecode help agent`")
	}
	return nil
}
