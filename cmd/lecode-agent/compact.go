package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/porcelain/derive"
)

type compactCommand struct {
	Session string `arg:"" help:"The session's exact ID."`
	Summary string `arg:"" optional:"" name:"summary" help:"With --report: the seq of a summary, or - for a plan with its response on stdin (default: the summary in force)."`
	Plan    bool   `xor:"form" help:"Print the plan of the next compaction: what it covers, and the request for it."`
	Apply   bool   `xor:"form" help:"Make the response in the plan on stdin the working summary."`
	Report  bool   `xor:"form" help:"Print what a summary does not carry of what it covers."`
	Model   string `placeholder:"MODEL" help:"The model to plan for and to ask (default: agent.model)."`
}

var compactHelp = cli.Help{
	Usage: "SESSION | --plan SESSION | --apply SESSION | --report SESSION [SEQ|-]",
	About: `
Keeps the working summary of a session: what was said in its older exchanges,
as a model sums it up. The summary takes their place in what a model is sent;
the log keeps every word. At least the four most recent messages stay as they
are. Each summary goes on from the one before and names the records that are
new in it, by hash: an undo, a clear, a forget or an edit among them ends it,
and the next one is made from what still holds.

Without a flag all three steps are done at once. As pipes they are --plan,
` + "`lecode complete`" + ` (any program can stand in for it), and --apply, which
plans anew: if anything but the response differs, it is refused (4). A response
that is no summary is rejected (8); its usage is kept, the summary in force
stays. An exchange that was cancelled, is incomplete or too large stops it (9).

--report lists paths, identifiers, numbers, errors, commands and sentences with
a rule word that stand in the covered messages and not in the summary.`,
	Example: `$ lecode compact --plan $S | lecode complete | lecode compact --apply $S
$ lecode compact --report $S | jq -r 'select(.type == "lost" and .kind == "path").text'`,
	Input:  "nothing; with --apply a `plan` object that carries a response, and so with --report -",
	Output: "a `compaction` object, and a `learning` object where it learned; with --plan a `plan`; with --report `lost` objects and a `loss`",
	Exits:  []int{1, 3, 4, 5, 6, 7, 8, 9, 130},
}

// Writes: a plan and a report change nothing.
func (c *compactCommand) Writes() bool { return !c.Plan && !c.Report }

func (c *compactCommand) Run(e *cli.Env) error {
	if c.Summary != "" && !c.Report {
		return plumbing.Fail(plumbing.ErrInvalid, "a second argument goes with --report only", "see `lecode compact --help`")
	}
	d, err := derived(e, c.Session)
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	switch {
	case c.Plan:
		plan, err := c.plan(ctx, e, d)
		if err != nil {
			return err
		}
		return e.Print(plan)
	case c.Apply:
		return c.apply(ctx, e, d.CompactDeps())
	case c.Report:
		return c.report(ctx, e, d.CompactDeps())
	}
	return c.all(ctx, e, d)
}

// plan plans for the model that will be asked.
func (c *compactCommand) plan(ctx context.Context, e *cli.Env, d derive.Session) (compact.Plan, error) {
	m, err := namedModel(e, c.Model)
	if err != nil {
		return compact.Plan{}, err
	}
	return d.PlanCompact(ctx, m)
}

func (c *compactCommand) apply(ctx context.Context, e *cli.Env, d compact.Deps) error {
	plan, err := readPlan(e)
	if err != nil {
		return err
	}
	applied, err := compact.Apply(ctx, d, c.Session, plan)
	if err != nil {
		return err
	}
	return e.Print(object.Compacted(applied))
}

func readPlan(e *cli.Env) (compact.Planned, error) {
	data, err := e.Object()
	if err != nil {
		return compact.Planned{}, err
	}
	return compact.ReadPlan(data)
}

// all is plan, complete and apply, and learning where that is opted into.
func (c *compactCommand) all(ctx context.Context, e *cli.Env, d derive.Session) error {
	plan, err := c.plan(ctx, e, d)
	if err != nil {
		return err
	}
	m, err := modelOf(e, c.Model)
	if err != nil {
		return err
	}
	_, done := e.Progress("summing up with " + m.Name())
	applied, err := d.Compact(ctx, m, plan)
	done()
	if applied.Seq > 0 {
		if printed := e.Print(object.Compacted(applied)); printed != nil {
			return derive.Both(err, printed)
		}
		return derive.Both(err, learnAfter(ctx, e, d, m, applied))
	}
	return err
}

func (c *compactCommand) report(ctx context.Context, e *cli.Env, d compact.Deps) error {
	loss, err := c.loss(ctx, e, d)
	if err != nil {
		return err
	}
	lost := map[compact.Kind]int64{}
	for _, l := range loss.Lost {
		lost[l.Kind]++
		if err := e.Print(object.Lost{Kind: string(l.Kind), Seqs: l.Seqs, Text: l.Text, Type: "lost"}); err != nil {
			return err
		}
	}
	return e.Print(object.Loss{Carried: object.CountLoss(loss.Carried), CoveredThrough: loss.CoveredThrough,
		Lost: object.CountLoss(lost), Seq: loss.Seq, SessionID: loss.SessionID, Type: "loss"})
}

func (c *compactCommand) loss(ctx context.Context, e *cli.Env, d compact.Deps) (compact.Loss, error) {
	if c.Summary != "-" {
		seq := int64(0)
		if c.Summary != "" {
			n, err := strconv.ParseInt(c.Summary, 10, 64)
			if err != nil || n < 1 || strconv.FormatInt(n, 10) != c.Summary {
				return compact.Loss{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is no seq", c.Summary), "give the seq of a summary, or -")
			}
			seq = n
		}
		return compact.ReportEvent(ctx, d, c.Session, seq)
	}
	plan, err := readPlan(e)
	if err != nil {
		return compact.Loss{}, err
	}
	if plan.SessionID != c.Session {
		return compact.Loss{}, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("the plan is of session %q, not of %q", plan.SessionID, c.Session), "name the session that was planned for")
	}
	return compact.ReportPlan(ctx, d, plan)
}
