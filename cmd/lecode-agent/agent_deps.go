package main

import (
	"context"
	"os"
	"sync"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/coding"
	"github.com/lecode/lecode/porcelain/mcp/client"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/slash"
)

// wiring is what the agent of this process works with. Agents ask from several
// goroutines, and an Env is for one: whatever reads it goes through the lock.
type wiring struct {
	e      *cli.Env
	stores cli.Stores
	deps   agent.Deps
	parts  []func()     // what has to be let go at the end, the last first
	agent  *agent.Agent // once it is there

	box     *coding.Toolbox
	servers *client.Client // of MCP; nil: there are none

	mu     sync.Mutex
	models map[string]call.Model // by name: a model keeps its place between calls
}

// wire ties an agent to the project's stores, its settings and this process. ask is nil where nobody can be asked.
func wire(e *cli.Env, ask permission.Asker, on func(agent.Event)) (*wiring, error) {
	e.Writer(slash.Writer)
	settings, err := e.Settings()
	if err != nil {
		return nil, err
	}
	w := &wiring{e: e, models: map[string]call.Model{}}
	if w.stores, err = e.Stores(); err != nil {
		return nil, err
	}
	if w.deps, err = w.basic(settings); err != nil {
		return nil, err
	}
	w.deps.Ask, w.deps.On = ask, inOrder(on)
	for _, add := range []func(*config.Config) error{w.addInstructions, w.addMemory, w.addCoding, w.addMask} {
		if err := add(settings); err != nil {
			w.close()
			return nil, err
		}
	}
	return w, nil
}

// inOrder passes events on one at a time: MCP servers say what they have to say
// beside the agent.
func inOrder(on func(agent.Event)) func(agent.Event) {
	var one sync.Mutex
	return func(e agent.Event) {
		one.Lock()
		defer one.Unlock()
		on(e)
	}
}

// basic is what does not depend on which tools there are.
func (w *wiring) basic(settings *config.Config) (agent.Deps, error) {
	calls, err := calls(w.e)
	if err != nil {
		return agent.Deps{}, err
	}
	calls.DayLimit = func() (*int64, error) {
		now, err := w.settings()
		if err != nil {
			return nil, err
		}
		return now.Memory.MaxTokensPerDay, nil
	}
	return agent.Deps{
		Root: w.stores.Project.Root, Sessions: w.stores.Sessions, Facts: w.stores.Facts, Sources: w.stores.Sources, Section: w.stores.Section,
		Settings: w.settings, Models: w.model, Calls: calls, LearningOff: w.e.LearningOff, Now: w.e.Now(),
		Hooks: hook.Runner{Hooks: settings.Hooks, Dir: w.root(), Env: os.Environ()},
	}, nil
}

// settings is the configuration as the files are now.
func (w *wiring) settings() (*config.Config, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.e.Reread()
}

// model is a model by its name, "" being the configured one. It is made once.
func (w *wiring) model(name string) (call.Model, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known, err := namedModel(w.e, name)
	if err != nil {
		return known, err
	}
	if m, made := w.models[known.Name()]; made {
		return m, nil
	}
	m, err := modelOf(w.e, name)
	if err == nil {
		w.models[known.Name()] = m
	}
	return m, err
}

// choice is what the flags say of the session and of how it is gone on with.
type choice struct {
	session string
	latest  bool
	model   string
	mode    string
}

func (w *wiring) options(ctx context.Context, c choice) (agent.Options, error) {
	o := agent.Options{SessionID: c.session, Model: c.model, Mode: permission.Mode(c.mode)}
	var err error
	if c.latest {
		o.SessionID, err = slash.Latest(ctx, w.stores.Sessions, "")
	}
	return o, err
}

// open makes the agent ready, with the tools of the MCP servers.
func (w *wiring) open(ctx context.Context, o agent.Options) (*agent.Agent, error) {
	if err := w.addServers(ctx); err != nil {
		return nil, err
	}
	a, err := agent.Open(ctx, w.deps, o)
	w.agent = a
	return a, err
}

// close lets go what was opened and ends what was started.
func (w *wiring) close() {
	for i := len(w.parts) - 1; i >= 0; i-- {
		w.parts[i]()
	}
	w.parts = nil
}
