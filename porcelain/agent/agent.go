package agent

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent/hook"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/permission"
)

// Deps is what an agent works with.
type Deps struct {
	Root     string // the project's, for hooks
	Sessions *session.Store
	Facts    *fact.Store
	Sources  source.Validator
	// Section ties the memory section to the stores; done lets go what was opened for it.
	Section func() (stores prompt.Stores, done func())
	// Settings is the configuration as the files are now.
	Settings func() (*config.Config, error)
	// Models is a model by the name that agent.model takes; "" is the configured one.
	Models func(name string) (call.Model, error)
	Calls  call.Calls
	// System is what stands before the memory section in the system prompt:
	// base prompt, instructions, skills. It is asked at each prompt.
	System func(ctx context.Context) (text string, warnings []string, err error)
	Tools  []Tool
	// Guests are tools that come and go, such as those of MCP servers; they are
	// asked for at each prompt. May be nil.
	Guests func(ctx context.Context) []Tool
	Hooks  hook.Runner
	// Mask replaces secrets in what a tool printed (design section 15.7); nil masks nothing.
	Mask func(text string) (masked string, kinds []string)
	Ask  permission.Asker // nil: nobody is there to be asked
	// Finished takes what ended in the background since it was last asked; may be nil.
	Finished func() []Finished
	// LearningOff says why automatic learning is off; "": it is on.
	LearningOff func(*config.Config) string
	On          func(Event) // gets what happens, one at a time; may be nil
	Now         func() time.Time
}

// Finished is something that ended in the background.
type Finished struct {
	Text       string
	Generation int64 // the project's, when it was started; older than now, it is dropped
}

// Options says what an agent begins with.
type Options struct {
	SessionID string // "" begins a new session, at the first prompt
	Model     string // "": the configured one
	Mode      permission.Mode
	MaxTurns  int64 // requests that one prompt may lead to; 0: agent.max_turns
}

// Input is what a person gives: words, files with them, and what was piped in
// beside the words, which nobody typed: it is stored as a synthetic message, and
// so is never evidence (design section 4).
type Input struct {
	Text  string
	Files []provider.Block
	Piped string
}

// Outcome is what a prompt led to.
type Outcome struct {
	Text     string // of the last answer
	Finish   provider.Finish
	Requests int64  // that were sent for it, children's too
	Calls    int64  // of tools
	Denied   int64  // of those that were not allowed
	Stopped  string // why it ended before the model had done: "max_turns", "hook", "stale"; "": it had
	Usage    usage.Totals
}

// Standing is how an agent stands, for a status line.
type Standing struct {
	SessionID   string // "" before the first prompt
	Model       string
	Mode        permission.Mode
	Tokens      int64 // of the last request, estimated
	Window      int64
	Facts       int64 // in the memory section of the last request
	LearningOff string
	Usage       usage.Totals // of the session, as its records say
	Busy        bool         // a turn is running
}

// Agent is a runner with the session that it has attached. Its methods may be
// called from several goroutines; those that change the session wrap
// plumbing.ErrBusy while another one of them runs.
type Agent struct {
	d      Deps
	grants *permission.Grants

	mu       sync.Mutex // guards what follows, up to the blank line
	busy     string     // what runs; "": nothing
	mode     permission.Mode
	model    call.Model
	standing Standing
	maxTurns int64
	guests   []Tool
	section  *prompt.Gathered // of the latest request

	emitting sync.Mutex // events go out one at a time

	// The session belongs to whoever holds busy.
	w       *session.Writer
	id      string // of the session that is or will be attached; "": a new one
	context *live
	started bool // the hooks of its start have run
}

// Open begins with a session, which it attaches at once where o names one. A
// session that another process holds is plumbing.ErrBusy, one that is not there
// ErrNotFound, a model that there is not ErrInvalid. A copy opens, to be handed
// over; all else is refused then.
func Open(ctx context.Context, d Deps, o Options) (*Agent, error) {
	a := &Agent{d: d, grants: &permission.Grants{}, mode: cmp.Or(o.Mode, permission.Default), maxTurns: o.MaxTurns, id: o.SessionID}
	if err := a.SetModel(o.Model); err != nil {
		return nil, err
	}
	if session.IsCopy(o.SessionID) { // nobody can go on with it, but it can be handed over
		log, err := d.Sessions.Open(ctx, o.SessionID)
		if err != nil {
			return nil, err
		}
		return a, log.Close()
	}
	if o.SessionID == "" {
		return a, nil
	}
	return a, a.attach(ctx)
}

// Close ends it: the session is let go. It waits for nothing: cancel what runs first.
func (a *Agent) Close() error {
	done, err := a.begin("closing")
	if err != nil {
		return err
	}
	defer done()
	return a.detach()
}

// begin takes the agent for one thing; done gives it back.
func (a *Agent) begin(what string) (done func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy != "" {
		return nil, plumbing.Fail(plumbing.ErrBusy, "the agent is busy: "+a.busy, "wait for it, or interrupt it")
	}
	a.busy = what
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.busy = ""
	}, nil
}

// emit tells whoever watches.
func (a *Agent) emit(e Event) {
	if a.d.On == nil {
		return
	}
	a.emitting.Lock()
	defer a.emitting.Unlock()
	a.d.On(e)
}

func (a *Agent) notice(format string, args ...any) {
	a.emit(Notice{Text: fmt.Sprintf(format, args...)})
}

// SetModel changes the model that the next request goes to; "" is the configured one.
func (a *Agent) SetModel(name string) error {
	m, err := a.d.Models(name)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.model = m
	return nil
}

// SetMode changes the mode of what comes next.
func (a *Agent) SetMode(m permission.Mode) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mode = m
}

// now is the model and the mode as they are set.
func (a *Agent) now() (call.Model, permission.Mode) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.model, a.mode
}

// Standing is how the agent stands now.
func (a *Agent) Standing() Standing {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := a.standing
	s.SessionID, s.Model, s.Mode, s.Busy = a.id, a.model.Name(), a.mode, a.busy != ""
	s.Window = a.model.Limits.ContextWindow
	return s
}

// Section is the memory section of the latest request of the session's own
// turns, with what was left out of it; nil: there was none, or without memory.
func (a *Agent) Section() *prompt.Gathered {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.section
}

// stand changes the standing.
func (a *Agent) stand(change func(*Standing)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.standing)
}
