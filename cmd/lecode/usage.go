package main

import (
	"fmt"
	"time"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/usage"
)

type usageCommand struct {
	Session string `placeholder:"ID" help:"Only calls made for this session."`
	Since   string `placeholder:"DATE" help:"Only calls of this day (YYYY-MM-DD, local time) or later."`
	By      string `placeholder:"WHAT" help:"One object for each model, purpose, day or session."`
}

var usageHelp = cli.Help{
	About: `
Sums up the ledger of this project: one line for every model call that lecode
made, also where its answer was rejected or its session deleted. Sums are known
subtotals: calls whose usage the provider did not report are counted in
unknown_usage_calls and reckoned in estimated_tokens, never taken as 0. Cost is
in US dollars, as reported or by the catalog's prices (priced_calls); null where
no call's is known. A call counts once. What imported sessions took is not in
the ledger: ` + "`lecode sessions --usage`" + ` says that.`,
	Example: `$ lecode usage --since 2026-12-01 --by model`,
	Output:  "a `usage` object, or one for each group; none for no calls",
	Exits:   []int{5, 6},
}

func (c *usageCommand) Run(e *cli.Env) error {
	filter, err := c.filter(e)
	if err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	ledger := ledgerOf(e, s)
	groups, damaged, err := ledger.Groups(ctx, filter, usage.By(c.By))
	for _, d := range damaged {
		e.Note("%v: it is left out", d)
	}
	if err != nil {
		return err
	}
	for _, g := range groups {
		o := object.Usage{Totals: object.TotalsOf(g.Totals), By: known(c.By), Type: "usage"}
		if c.By != "" && g.Key != "" {
			o.Key = &g.Key
		}
		if err := e.Print(o); err != nil {
			return err
		}
	}
	return nil
}

func (c *usageCommand) filter(e *cli.Env) (usage.Filter, error) {
	f := usage.Filter{SessionID: c.Session}
	if c.Session != "" {
		if err := session.CheckID(c.Session); err != nil {
			return f, err
		}
	}
	switch usage.By(c.By) {
	case "", usage.ByModel, usage.ByPurpose, usage.ByDay, usage.BySession:
	default:
		return f, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("cannot group by %q", c.By), "--by takes model, purpose, day or session")
	}
	if c.Since == "" {
		return f, nil
	}
	day, err := time.ParseInLocation(time.DateOnly, c.Since, e.Now()().Location())
	if err != nil {
		return f, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is no date", c.Since), "write it as YYYY-MM-DD")
	}
	f.Since = day
	return f, nil
}

// ledgerOf is the project's ledger.
func ledgerOf(e *cli.Env, s cli.Stores) usage.Ledger {
	return usage.Ledger{Config: s.Config, Slug: s.Project.Slug, Now: e.Now(), Holder: "lecode"}
}
