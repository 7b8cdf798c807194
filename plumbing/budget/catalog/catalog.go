// Package catalog is the models that are known by name, from the list embedded
// in catwalk: windows and prices, by provider and ID, since one ID has
// different figures at different providers.
//
// Reading the list takes some 14 ms, so nothing is read before it is asked
// for, and only lecode-agent may import this. Start with Find.
package catalog

import (
	"cmp"
	"slices"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"github.com/lecode/lecode/plumbing/budget"
)

// Model is one model at one provider.
type Model struct {
	Provider string // the provider's ID in the catalog
	ID       string
	Name     string
	Limits   budget.Limits
	Reasons  bool // it can be asked to think
	Images   bool // it takes images
}

// Find returns the limits of a model; false where the catalog has no such one,
// for which agent.context_window stands. Both are compared exactly.
func Find(provider, id string) (budget.Limits, bool) {
	for _, p := range embedded.GetAll() {
		if string(p.ID) != provider {
			continue
		}
		for _, m := range p.Models {
			if m.ID == id {
				return limits(m), true
			}
		}
	}
	return budget.Limits{}, false
}

// All lists every model, in the order of provider and ID.
func All() []Model {
	var list []Model
	for _, p := range embedded.GetAll() {
		for _, m := range p.Models {
			list = append(list, Model{Provider: string(p.ID), ID: m.ID, Name: m.Name, Limits: limits(m),
				Reasons: m.CanReason, Images: m.SupportsImages})
		}
	}
	slices.SortStableFunc(list, func(a, b Model) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	})
	return list
}

func limits(m catwalk.Model) budget.Limits {
	return budget.Limits{ContextWindow: m.ContextWindow, MaxOutput: m.DefaultMaxTokens, Known: true,
		Prices: budget.Prices{Input: price(m.CostPer1MIn), Output: price(m.CostPer1MOut)}}
}

// price is nil for 0: in the catalog, free and unknown look alike.
func price(dollars float64) *float64 {
	if dollars <= 0 {
		return nil
	}
	return &dollars
}
