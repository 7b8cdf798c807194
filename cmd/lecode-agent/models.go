package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/budget/catalog"
	"github.com/lecode/lecode/plumbing/config"
)

type modelsCommand struct {
	Provider string `placeholder:"NAME" help:"Only models of this provider."`
	Search   string `placeholder:"TEXT" help:"Only models whose ID or name holds TEXT, in either case."`
}

var modelsHelp = cli.Help{
	About: `
Lists the models of the built-in catalog, and those that the configuration
names, by provider and ID. Prices are US dollars a million tokens; null is
unknown, and a free model is not told from one. "known" is false for a model
that is not in the catalog: its window is agent.context_window. "current" is
the configured one, agent.model.`,
	Example: `$ lecode models --provider anthropic --search sonnet`,
	Output:  "a `model` object a line; none for no such model (1)",
	Exits:   []int{1, 5, 6},
}

func (c *modelsCommand) Run(e *cli.Env) error {
	settings, err := e.Settings()
	if err != nil {
		return err
	}
	// A wrong agent.model is not for a list to complain about: it helps to set it right.
	current, _ := findModel(settings.Providers, settings.Agent.Model)
	printed := false
	for _, m := range c.list(settings, current) {
		if !c.wants(m) {
			continue
		}
		printed = true
		m.Current = m.Provider == current.Provider && m.ID == current.ID
		if err := e.Print(m); err != nil {
			return err
		}
	}
	if !printed {
		return &cli.StatusError{Code: 1}
	}
	return nil
}

func (c *modelsCommand) wants(m object.Model) bool {
	if c.Provider != "" && m.Provider != c.Provider {
		return false
	}
	name := ""
	if m.Name != nil {
		name = *m.Name
	}
	text := strings.ToLower(c.Search)
	return strings.Contains(strings.ToLower(m.ID), text) || strings.Contains(strings.ToLower(name), text)
}

// list is the configured models that the catalog does not have, then the catalog.
func (c *modelsCommand) list(settings *config.Config, current modelName) []object.Model {
	var list []object.Model
	cataloged := map[modelName]bool{}
	for _, m := range catalog.All() {
		cataloged[modelName{m.Provider, m.ID}] = true
		list = append(list, object.Model{ContextWindow: m.Limits.ContextWindow, DefaultMaxTokens: positive(m.Limits.MaxOutput),
			ID: m.ID, Images: &m.Images, InputPrice: m.Limits.Prices.Input, Known: true, Name: &m.Name,
			OutputPrice: m.Limits.Prices.Output, Provider: m.Provider, Reasons: &m.Reasons, Type: "model"})
	}
	var own []object.Model
	for _, name := range configured(settings, current) {
		if !cataloged[name] {
			own = append(own, object.Model{ContextWindow: settings.Agent.ContextWindow, ID: name.ID, Provider: name.Provider, Type: "model"})
		}
	}
	return append(own, list...)
}

// configured are the models that the configuration names, offline first.
func configured(settings *config.Config, current modelName) []modelName {
	list := []modelName{{"offline", "offline"}}
	for _, provider := range slices.Sorted(maps.Keys(settings.Providers)) {
		p := settings.Providers[provider]
		for _, id := range p.Models {
			list = append(list, modelName{provider, id})
		}
		if len(p.Models) == 0 && (p.Type == "exec" || p.Type == "script") {
			list = append(list, modelName{provider, provider})
		}
	}
	if current != (modelName{}) && !slices.Contains(list, current) {
		list = append(list, current)
	}
	return list
}

func positive(n int64) *int64 {
	if n <= 0 {
		return nil
	}
	return &n
}
