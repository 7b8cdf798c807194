package main

import (
	"context"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/derive"
)

// calls is what calls to a model go by in this project: its ledger, what was
// found out about the models, and the day's budget.
func calls(e *cli.Env) (call.Calls, error) {
	if _, err := e.Settings(); err != nil {
		return call.Calls{}, err
	}
	s, err := e.Stores()
	if err != nil {
		return call.Calls{}, err
	}
	return call.Calls{
		Ledger:      usage.Ledger{Config: s.Config, Slug: s.Project.Slug, Now: e.Now(), Holder: "lecode"},
		Calibration: budget.Calibration{Cache: s.Cache},
		DayLimit: func() (*int64, error) {
			settings, err := e.Settings()
			if err != nil {
				return nil, err
			}
			return settings.Memory.MaxTokensPerDay, nil
		},
		NewID: e.NewID,
	}, nil
}

// ask asks the model of a name once, "" being the configured one.
func ask(ctx context.Context, e *cli.Env, model string, r provider.Request, purpose string, session *string) (call.Answered, error) {
	c, err := calls(e)
	if err != nil {
		return call.Answered{}, err
	}
	m, err := modelOf(e, model)
	if err != nil {
		return call.Answered{}, err
	}
	return c.Ask(ctx, m, call.Asking{Request: r, Purpose: purpose, Session: session})
}

// purposeOf is a plan's purpose as ledger and budget name it.
func purposeOf(plan string) string {
	if plan == compact.PurposeLearn {
		return usage.Learning
	}
	return usage.Compact
}

// derived ties package derive to a session of the project.
func derived(e *cli.Env, sessionID string) (derive.Session, error) {
	c, err := calls(e)
	if err != nil {
		return derive.Session{}, err
	}
	s, err := e.Stores()
	return derive.Session{ID: sessionID, Sessions: s.Sessions, Sources: s.Sources, Facts: s.Facts, Calls: c}, err
}
