package main

import (
	"context"
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/memory"
)

type statusCommand struct {
	JSON bool `name:"json" help:"Print a status object instead."`
}

var statusHelp = cli.Help{
	About: `
Shows this project and how its memory stands: sessions, facts and whether their
evidence holds (of the 50 newest), notes, how full the memory section is,
whether learning is on and why not, and what model calls took today and in all.
"recorded" is what the sessions' own records say, imported ones too; copies of
one session count once, and at most 64 MiB of logs are looked at. What is
unknown is said, never shown as 0. Nothing is written but what ` + "`lecode prompt`" + ` does.`,
	Example: `$ lecode status --json | jq .usage.today`,
	Output:  "a page for people; with --json a `status` object",
	Exits:   []int{4, 5, 6, 7},
}

// spentBytes is how much of the logs is read for what they say of usage.
const spentBytes = 64 << 20

func (c *statusCommand) Run(e *cli.Env) error {
	settings, err := e.Settings()
	if err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	section, done := s.Section()
	defer done()
	status, err := memory.Look(ctx, memory.Deps{Notes: s.Notes, Facts: s.Facts, Sessions: s.Sessions, Now: e.Now()}, memory.Asked{
		Enabled: settings.Memory.Enabled, Section: section, Ledger: ledgerOf(e, s), DayLimit: settings.Memory.MaxTokensPerDay,
		Caps:       prompt.Caps{MaxBytes: settings.Memory.MaxBytes, FactsMaxBytes: settings.Memory.FactsMaxBytes},
		Spent:      func(ctx context.Context, id string) (usage.Totals, error) { return sessionUsage(ctx, s.Sessions, id) },
		SpentBytes: spentBytes,
	})
	if err != nil {
		return err
	}
	for _, w := range status.Warnings {
		e.Note("%s", w)
	}
	place := memory.Place{Project: s.Project.Slug, Root: s.Project.Root, Kind: string(s.Project.Kind), Checkout: s.Project.Checkout,
		Model: settings.Agent.Model, Disabled: !settings.Memory.Enabled, LearningOff: e.LearningOff(settings),
		ConfigDir: s.Config.Dir, CacheDir: s.Cache.Dir,
		DayEnds: usage.Day(e.Now()()).Until.Format("2006-01-02 15:04 MST")}
	if c.JSON {
		return e.Print(statusObject(status, place))
	}
	_, err = io.WriteString(e.Out(), status.Print(place, memory.Style{Width: e.Columns(), Colour: e.Colour()}))
	return err
}

func statusObject(s memory.Status, at memory.Place) object.Status {
	o := object.Status{CacheDir: at.CacheDir, ConfigDir: at.ConfigDir, Generation: s.Generation,
		LearningOff: known(at.LearningOff), Memory: !at.Disabled, Model: at.Model, Type: "status",
		Facts: object.StatusFacts{Hidden: s.Facts.Of[source.Hidden], Looked: s.Facts.Looked, Missing: s.Facts.Of[source.Missing],
			Stale: s.Facts.Of[source.Stale], Total: s.Facts.Total, Unverified: s.Facts.Of[source.Unverified], Valid: s.Facts.Of[source.Valid]},
		Project:  object.StatusProject{Checkout: at.Checkout, Kind: at.Kind, Root: at.Root, Slug: at.Project},
		Sessions: object.StatusSessions{Copies: s.Sessions.Copies, Count: s.Sessions.Count, Damaged: s.Sessions.Damaged, Messages: s.Sessions.Messages},
		Usage: object.StatusUsage{All: object.TotalsOf(s.Usage.All), MaxTokensPerDay: s.Usage.DayLimit,
			Recorded: object.TotalsOf(s.Usage.Recorded), SessionsRead: s.Usage.Read, SessionsUnread: s.Usage.Unread,
			Today: object.TotalsOf(s.Usage.Today), TodayMemory: s.Usage.TodayMemory}}
	for _, n := range s.Notes {
		o.Notes = append(o.Notes, object.StatusNote{Bytes: n.Bytes, File: n.File})
	}
	if u := s.Section; u != nil {
		o.Section = &object.StatusSection{Bytes: u.Bytes, Facts: u.Facts, MaxBytes: u.MaxBytes, Omitted: u.LeftOut}
	}
	return o
}
