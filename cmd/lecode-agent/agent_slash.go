package main

import (
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/agent/instruct"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/slash"
)

// slash is what the slash commands work on.
func (w *wiring) slash(a *agent.Agent) slash.Deps {
	s := w.stores
	return slash.Deps{
		Agent: a, Settings: w.settings, Ledger: w.deps.Calls.Ledger, Now: w.e.Now(),
		Memory: memory.Deps{Notes: s.Notes, Facts: s.Facts, Sources: s.Sources, Sessions: s.Sessions, Checkout: s.Checkout(), Now: w.e.Now()},
		Models: w.modelNames, Servers: w.serversNow,
		Base: instruct.Edit{Options: w.instructions()},
	}
}

// modelNames are the names that agent.model may take, as far as they are configured.
func (w *wiring) modelNames() []string {
	settings, err := w.settings()
	if err != nil {
		return nil
	}
	current, _ := findModel(settings.Providers, settings.Agent.Model)
	var names []string
	for _, n := range configured(settings, current) {
		names = append(names, n.String())
	}
	return names
}
