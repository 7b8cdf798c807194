package main

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui"
	"github.com/lecode/lecode/porcelain/tui/memview"
)

// onScreen is the agent as the screen gets it.
func (w *wiring) onScreen(a *agent.Agent) *tui.Session {
	deps := w.slash(a)
	return &tui.Session{
		Agent:   a,
		Slash:   func(ctx context.Context, line string) (slash.Answer, error) { return slash.Run(ctx, deps, line) },
		Names:   slash.Source{Sessions: w.sessionNames, Models: deps.Models, Chains: w.chainNames, Facts: w.factNames},
		Verdict: (&runCommand{}).verdict,
		Keep:    w.keep,
		Files:   w.files,
		Said:    w.said,
		Past: func(ctx context.Context, most int) (tui.Past, error) {
			return w.past(ctx, a.Standing().SessionID, most)
		},
		Shell:  shellLine,
		Memory: func(ctx context.Context) tui.Page { return memview.New(ctx, w.memoryView(a)) },
		Facts:  w.told,
		Place:  func() string { return placeOf(w.stores.Project) },
		LearningOff: func() string {
			settings, err := w.settings()
			if err != nil {
				return "the settings cannot be read"
			}
			return w.e.LearningOff(settings)
		},
		Close: func() {
			if err := a.Close(); err != nil {
				w.e.Note("%v", err)
			}
			w.close()
		},
	}
}

// told is how many facts the next request tells the model.
func (w *wiring) told(ctx context.Context) (int64, error) {
	settings, err := w.settings()
	if err != nil || !settings.Memory.Enabled {
		return 0, err
	}
	stores, done := w.stores.Section()
	defer done()
	g, err := prompt.Gather(ctx, stores, prompt.Caps{MaxBytes: settings.Memory.MaxBytes, FactsMaxBytes: settings.Memory.FactsMaxBytes})
	return int64(len(g.Section.Facts)), err
}

// memoryView is the memory as its view gets it; changes go through the agent, as
// those of /memory do.
func (w *wiring) memoryView(a *agent.Agent) memview.Deps {
	m := w.slash(a).Memory
	m.Call, m.Tool = "/memory", a.CallTool
	return memview.Stores{
		Memory: m, Session: func() string { return a.Standing().SessionID }, Section: w.stores.Section, Last: a.Section, Colour: w.e.Colour(),
		Caps: func() (prompt.Caps, bool, error) {
			settings, err := w.settings()
			if err != nil {
				return prompt.Caps{}, false, err
			}
			return prompt.Caps{MaxBytes: settings.Memory.MaxBytes, FactsMaxBytes: settings.Memory.FactsMaxBytes}, settings.Memory.Enabled, nil
		},
	}.Deps()
}

// mostNames is how many names of a kind are offered.
const mostNames = 200

// sessionNames are the IDs of the project's sessions, the newest first: IDs begin with their time.
func (w *wiring) sessionNames() []string {
	ids, err := w.stores.Sessions.IDs()
	if err != nil {
		return nil
	}
	slices.Sort(ids)
	slices.Reverse(ids)
	return ids[:min(len(ids), mostNames)]
}

func (w *wiring) chainNames() []string {
	settings, err := w.settings()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(settings.Chains))
}

func (w *wiring) factNames() []string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	facts, err := w.stores.Facts.NewestFirst(ctx)
	if err != nil {
		return nil
	}
	var ids []string
	for _, f := range facts[:min(len(facts), mostNames)] {
		ids = append(ids, f.ID)
	}
	return ids
}
