package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/derive"
)

type learnCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	Plan    bool   `xor:"form" help:"Print the plan of the next extraction: what it looks at, and the request for it."`
	Apply   bool   `xor:"form" help:"Judge the response in the plan on stdin, and remember what holds."`
	Yes     bool   `help:"Learn although nobody is at a terminal and memory.auto_learn is not set."`
	Model   string `placeholder:"MODEL" help:"The model to plan for and to ask (default: agent.model)."`
}

var learnHelp = cli.Help{
	Usage: "[--yes] SESSION | --plan SESSION | --apply [--yes] SESSION",
	About: `
Learns facts from what a summary of the session newly covers: preferences that
the user stated and means to last, word for word, and lines of files that a tool
read, confirmed in the same exchange. Each such stretch is looked at once, the
oldest first. A model proposes at most four candidates; each is judged against
the records that it cites, and what does not hold is counted by a code and kept
nowhere. What contradicts a known fact, corrects something, is uncertain or
comes from another agent's transcript is left as a proposal: facts --learning
and memory facts show it.

Without a flag all three steps are done at once. As pipes they are --plan,
` + "`lecode complete`" + ` (any program can stand in for it), and --apply, which
plans anew. An answer that cannot be processed is the outcome "failed" (8), one
that came too late, since records or what is forgotten changed, "stale" (4):
both are printed and kept in the log, and nothing is remembered.

Typing it is leave to learn this once; without a terminal --yes or
memory.auto_learn is needed. memory.auto_learn = true lets ` + "`lecode compact`" + `
learn by itself.`,
	Example: `$ lecode learn $S | jq -r '.outcome, .facts[].id'
$ lecode learn --plan $S | lecode complete | lecode learn --apply --yes $S`,
	Input:  "nothing; with --apply a `plan` object that carries a response",
	Output: "a `learning` object; with --plan a `plan`",
	Exits:  []int{1, 3, 4, 5, 6, 7, 8, 9, 130},
}

// Writes: a plan changes nothing.
func (c *learnCommand) Writes() bool { return !c.Plan }

func (c *learnCommand) Run(e *cli.Env) error {
	if _, err := e.Memory(); err != nil {
		return err
	}
	d, err := c.derived(e)
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	if c.Apply {
		return c.apply(ctx, e, d.LearnDeps())
	}
	m, err := namedModel(e, c.Model)
	if err != nil {
		return err
	}
	plan, err := d.PlanLearn(ctx, m, 0)
	if err != nil {
		return err
	}
	if c.Plan {
		return e.Print(plan)
	}
	if m, err = modelOf(e, c.Model); err != nil {
		return err
	}
	_, done := e.Progress("learning with " + m.Name())
	applied, err := d.Learn(ctx, m, plan)
	done()
	return told(e, applied, err)
}

func (c *learnCommand) apply(ctx context.Context, e *cli.Env, d learn.Deps) error {
	if err := d.Gate(ctx); err != nil {
		return err
	}
	plan, err := readPlan(e)
	if err != nil {
		return err
	}
	applied, err := learn.Apply(ctx, d, c.Session, plan)
	return told(e, applied, err)
}

// derived ties package derive to the session, with the gate of a call that somebody typed.
func (c *learnCommand) derived(e *cli.Env) (derive.Session, error) {
	d, err := derived(e, c.Session)
	typed := c.Yes || c.Plan || e.Person()
	d.Gate = func(context.Context) error {
		settings, err := e.Reread()
		if err != nil {
			return err
		}
		if _, err := e.Memory(); err != nil || typed {
			return err
		}
		if off := e.LearningOff(settings); off != "" {
			return plumbing.Fail(plumbing.ErrRefused, "nobody is at a terminal to allow it, and learning is off: "+off,
				"say --yes for this once, or set memory.auto_learn = true")
		}
		return nil
	}
	return d, err
}

// told prints what was stored, and says what came of it.
func told(e *cli.Env, a learn.Applied, err error) error {
	if a.Seq > 0 {
		if printed := e.Print(object.Learning{Event: a.Event, Seq: a.Seq, SessionID: a.SessionID}); printed != nil {
			return derive.Both(err, printed)
		}
	}
	if err != nil {
		return err
	}
	return derive.Rejected(a)
}

// learnAfter learns from the summary that was just made, where that is opted
// into. What goes wrong is no failure of the compaction: it is said, and the
// summary stays. Only an interrupt goes on.
func learnAfter(ctx context.Context, e *cli.Env, d derive.Session, m call.Model, made compact.Applied) error {
	settings, err := e.Settings()
	if err != nil || e.LearningOff(settings) != "" {
		return err
	}
	d.Gate = func(context.Context) error {
		settings, err := e.Reread()
		if err == nil && e.LearningOff(settings) != "" {
			err = plumbing.Fail(plumbing.ErrRefused, "learning is off: "+e.LearningOff(settings), "")
		}
		return err
	}
	_, done := e.Progress("learning with " + m.Name())
	applied, err := d.LearnFrom(ctx, m, made.Seq)
	done()
	if errors.Is(err, plumbing.ErrNo) {
		return nil
	}
	err = told(e, applied, err)
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	e.Note("the summary stands, but nothing was learned from what it covers: %v", err)
	return nil
}
