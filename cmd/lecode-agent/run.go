package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
)

type runCommand struct {
	Prompt   []string `arg:"" optional:"" help:"What the agent is to do; - is stdin alone."`
	JSON     bool     `name:"json" help:"Print what happens, an object a line, and at the end a result."`
	Session  string   `xor:"session" placeholder:"ID" help:"Go on with this session."`
	Continue bool     `xor:"session" help:"Go on with the agent's latest session in this project."`
	Model    string   `placeholder:"MODEL" help:"The model that answers (default: agent.model)."`
	Mode     string   `enum:"default,readonly,auto" default:"default" placeholder:"MODE" help:"default, readonly or auto: how much is asked."`
	MaxTurns *int64   `name:"max-turns" placeholder:"N" help:"At most N requests (default: agent.max_turns)."`
	Strict   bool     `help:"Fail (5) if any call was denied."`
	File     []string `sep:"none" placeholder:"PATH" help:"Attach a file, text or an image; may be repeated."`
	Verbose  bool     `help:"Say on stderr what the agent does, also where that is no terminal."`
}

var runHelp = cli.Help{
	Usage: "[PROMPT…]",
	About: `
Gives the agent one prompt, lets it work, and prints its answer. Nobody is asked
anything unless stdin and stderr are a terminal: a call that would have to be
asked for is denied, and the agent is told so. ` + "`lecode help agent`" + ` says how to
allow more.

What is on stdin goes with the prompt as a message of its own, which nobody typed
and which so is no evidence; alone it is the prompt (at most 1 MiB). A PROMPT that
begins with a slash command runs that command: lecode run /usage. Without a
prompt --continue and --session go on with a turn that was cut off.

stdout gets the last answer alone, and nothing on a failure; on a terminal it is
shown as it comes. Characters that a reader would not see are made visible; --json
has every text as it is. A turn that was stopped before its end has failed: after
--max-turns (9), by a forget (4), by a hook (5).`,
	Example: `$ lecode run 'Which Go version does go.mod name?'
$ git diff | lecode run --json 'Review this.' | jq -r 'select(.type == "result").answer'`,
	Input:  "text that goes with the prompt as a message that nobody typed; alone it is the prompt",
	Output: "the answer; with --json what `lecode help plumbing` shows under \"What happens in a run\", a `result` at the end",
	Exits:  []int{1, 3, 4, 5, 6, 7, 8, 9, 130},
}

func (c *runCommand) Run(e *cli.Env) error {
	in, err := c.input(e) // an interrupt while stdin is waited for is the end at once
	e.OutliveReaders()
	ctx, stop := e.Until(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w := newWatcher(e, c.JSON, c.Verbose, cancel)
	var r ran
	if err == nil {
		r, err = c.run(ctx, e, w, in)
	}
	switch {
	case w.failed() != nil:
		return w.failed()
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		err = &cli.StatusError{Code: 130} // a user who interrupts knows it
	case err == nil:
		err = c.verdict(r.Outcome)
	}
	if err := w.end(r, err); err != nil {
		return err
	}
	if err == nil && r.no {
		return &cli.StatusError{Code: 1}
	}
	return err
}

// ran is what a run came to.
type ran struct {
	agent.Outcome
	session string
	no      bool // a slash command's answer is no
}

func (c *runCommand) run(ctx context.Context, e *cli.Env, w *watcher, in agent.Input) (ran, error) {
	if in.Text == "" && (!c.Continue && c.Session == "" || len(in.Files) > 0) {
		return ran{}, plumbing.Fail(plumbing.ErrInvalid, "there is no prompt", "give it as an argument or on stdin")
	}
	d, err := wire(e, w.asker(newKeyboard(e)), w.on)
	if err != nil {
		return ran{}, err
	}
	defer d.close()
	w.keep = d.keep
	o, err := c.options(ctx, d)
	if err != nil {
		return ran{}, err
	}
	a, err := d.open(ctx, o)
	if err != nil {
		return ran{}, err
	}
	defer a.Close()
	r, err := c.do(ctx, d, a, in, w)
	r.session = a.Standing().SessionID
	return r, err
}

func (c *runCommand) options(ctx context.Context, d *wiring) (agent.Options, error) {
	o, err := d.options(ctx, choice{c.Session, c.Continue, c.Model, c.Mode})
	if c.MaxTurns != nil {
		if *c.MaxTurns < 1 {
			return o, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("--max-turns %d", *c.MaxTurns), "give at least 1")
		}
		o.MaxTurns = *c.MaxTurns
	}
	return o, err
}
