package slash

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/permission"
)

func list(words []string) string { return strings.Join(words, ", ") }

// model says which model answers, or changes it.
func model(_ context.Context, d Deps, args string) (Answer, error) {
	name, rest := word(args)
	if rest != "" {
		return Answer{}, plumbing.Fail(plumbing.ErrInvalid, "/model takes one name", "`/model` lists those that are configured")
	}
	if name != "" {
		if err := d.Agent.SetModel(name); err != nil {
			return Answer{}, err
		}
		return say("The next request goes to %s.", d.Agent.Standing().Model), nil
	}
	current := d.Agent.Standing().Model
	return Answer{print: func(p *memory.Paper) {
		p.Line(current + " answers.")
		if d.Models == nil {
			return
		}
		for _, m := range d.Models() {
			if m != current {
				p.Under("/model " + m)
			}
		}
	}}, nil
}

// Modes are the modes of design section 12, in the order of the help.
func Modes() []string {
	return []string{string(permission.Default), string(permission.ReadOnly), string(permission.Auto)}
}

// mode says how much is asked, or changes it.
func mode(_ context.Context, d Deps, args string) (Answer, error) {
	if args == "" {
		return say("The mode is %s.", d.Agent.Standing().Mode), nil
	}
	if !slices.Contains(Modes(), args) {
		return Answer{}, noSuch("mode", args, Modes())
	}
	d.Agent.SetMode(permission.Mode(args))
	return say("The mode is %s now.", args), nil
}

// permissions shows the mode, what is set, and what was allowed until the end.
func permissions(_ context.Context, d Deps, _ string) (Answer, error) {
	settings, err := d.Settings()
	if err != nil {
		return Answer{}, err
	}
	var granted []string
	if d.Granted != nil {
		granted = d.Granted()
	}
	m := d.Agent.Standing().Mode
	return Answer{print: func(p *memory.Paper) {
		p.Entry("mode", string(m))
		if len(settings.Permissions) == 0 {
			p.Entry("set", "nothing: reading is allowed, the rest is asked for")
		}
		for _, tool := range slices.Sorted(maps.Keys(settings.Permissions)) {
			p.Entry("set", fmt.Sprintf("permissions.%s = %s", tool, settings.Permissions[tool]))
		}
		if d.Granted != nil && len(granted) == 0 {
			p.Entry("allowed", "nothing until the end")
		}
		for _, g := range granted {
			p.Entry("allowed", g)
		}
	}}, nil
}

// editsys shows or changes the base prompt, never what is added to it at each request.
func editsys(ctx context.Context, d Deps, args string) (Answer, error) {
	verb, text := word(args)
	switch {
	case verb == "" || verb == "show" && text == "":
		return page(d.Base.Show(ctx))
	case verb == "set" && text != "":
		return page(d.Base.Set(ctx, text))
	case verb == "reset" && text == "":
		return page(d.Base.Reset(ctx))
	}
	c, _ := Find("editsys")
	return Answer{}, c.wrong()
}

// servers lists the MCP servers.
func servers(_ context.Context, d Deps, _ string) (Answer, error) {
	var all []Server
	if d.Servers != nil {
		all = d.Servers()
	}
	return Answer{print: func(p *memory.Paper) {
		if len(all) == 0 {
			p.Line("No MCP server is configured; `lecode help agent` shows how.")
		}
		for _, s := range all {
			p.Line(fmt.Sprintf("%s: %s, tools: %d (%s)", s.Name, s.State, s.Tools, s.Class))
			p.Under(s.How)
			if s.Error != "" {
				p.Under(s.Error)
			}
		}
	}}, nil
}

// Spending is what model calls took, for /usage.
type Spending struct {
	Session usage.Totals // as its records say
	Today   usage.Totals // of the project, by the ledger
}

// spending sums up the session and the day.
func spending(ctx context.Context, d Deps, _ string) (Answer, error) {
	today, damaged, err := d.Ledger.Totals(ctx, usage.Day(d.Now()))
	if err != nil {
		return Answer{}, err
	}
	var warnings []string
	for _, l := range damaged {
		warnings = append(warnings, fmt.Sprintf("%v: it is left out", l))
	}
	s := Spending{Session: d.Agent.Standing().Usage, Today: today}
	return Answer{Value: s, Warnings: warnings, print: func(p *memory.Paper) {
		p.Entry("session", memory.Spent(s.Session))
		p.Entry("today", memory.Spent(s.Today))
	}}, nil
}
