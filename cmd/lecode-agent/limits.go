package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/budget/catalog"
)

// The places that a model's window comes from.
const (
	fromCatalog  = "catalog"
	fromSettings = "agent.context_window"
)

// limitsOf are the limits of a model, and where its window comes from: the
// catalog takes precedence, agent.context_window is for what it does not know.
func limitsOf(e *cli.Env, name modelName) (limits budget.Limits, from string, err error) {
	if name.Provider != name.ID { // offline and programs have no model of their own: the list need not be read
		if limits, known := catalog.Find(name.Provider, name.ID); known {
			return limits, fromCatalog, nil
		}
	}
	settings, err := e.Settings()
	if err != nil {
		return budget.Limits{}, "", err
	}
	return budget.Unknown(settings.Agent.ContextWindow), fromSettings, nil
}
