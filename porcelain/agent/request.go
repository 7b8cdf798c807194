package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/permission"
)

// ready is a request that fits, and what is known of it.
type ready struct {
	request        provider.Request
	model          call.Model
	estimate       budget.Estimate
	tokens         int64 // the estimate as this model may count it
	facts, leftOut int64
	shares         shares
	section        *prompt.Gathered // nil: memory is disabled
}

// shares is what takes the room of a request, in tokens as estimated.
type shares struct{ system, memory, tools, conversation int64 }

func (a *Agent) compactDeps() compact.Deps {
	return compact.Deps{Sessions: a.d.Sessions, Exclusions: a.d.Facts, Tokens: budget.Tokens}
}

// prepare makes the next request: the memory and the context as they are now,
// checked whole against the model's window, with as many compactions before it
// as it needs (seed, "Incremental working memory").
func (t *turn) prepare(ctx context.Context) (ready, error) {
	if err := t.inject(ctx); err != nil {
		return ready{}, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return ready{}, err
		}
		settings, err := t.a.d.Settings()
		if err != nil {
			return ready{}, err
		}
		r, err := t.draft(ctx, settings)
		if errors.Is(err, errAgain) {
			continue
		}
		if err != nil {
			return ready{}, err
		}
		made, err := t.makeRoom(ctx, settings, &r)
		if err != nil || !made {
			return r, err
		}
	}
}

// draft makes the request, of whatever size.
func (t *turn) draft(ctx context.Context, settings *config.Config) (ready, error) {
	a := t.a
	model, _ := a.now()
	r := ready{model: model}
	r.request.Tools = a.offered(t.mode, false)
	system, generation, err := a.system(ctx, settings, &r)
	if err != nil {
		return r, err
	}
	if !t.begun {
		t.generation, t.begun = generation, true
	}
	if generation != t.generation {
		return r, t.over(nil)
	}
	if err := a.context.refresh(ctx, a); err != nil {
		return r, err
	}
	if a.context.context.Generation != generation {
		return r, errAgain // forgotten between the two: look again
	}
	if r.request.Messages = a.context.messages; !answerable(r.request.Messages) {
		return r, plumbing.Fail(plumbing.ErrConflict, "what was asked is no longer there: it was forgotten or undone", "say it anew")
	}
	r.request.System = system
	r.reckon(a.context.estimate(), a.d.Calls.Calibration)
	a.stand(func(s *Standing) { s.Tokens, s.Facts = r.tokens, r.facts })
	a.mu.Lock()
	a.section = r.section
	a.mu.Unlock()
	return r, nil
}

// system is the whole system prompt, and the generation that its memory section was made in.
func (a *Agent) system(ctx context.Context, settings *config.Config, r *ready) (string, int64, error) {
	text, warnings, err := a.d.System(ctx)
	if err != nil {
		return "", 0, fmt.Errorf("make the system prompt: %w", err)
	}
	a.warn(warnings)
	r.shares.system = budget.Tokens(text)
	if !settings.Memory.Enabled {
		generation, err := a.d.Facts.Generation()
		return text, generation, err
	}
	stores, done := a.d.Section()
	defer done()
	g, err := prompt.Gather(ctx, stores, prompt.Caps{MaxBytes: settings.Memory.MaxBytes, FactsMaxBytes: settings.Memory.FactsMaxBytes})
	if err != nil {
		return "", 0, fmt.Errorf("make the memory section: %w", err)
	}
	for _, w := range g.Warnings {
		a.warn([]string{fmt.Sprintf("%s is left out of the prompt: %v", w.What, w.Err)})
	}
	r.section = &g
	r.shares.memory = budget.Tokens(g.Section.Text)
	r.facts, r.leftOut = int64(len(g.Section.Facts)), int64(len(g.Section.Omitted))
	if g.Section.Text != "" {
		text += "\n" + g.Section.Text
	}
	return text, g.Generation, nil
}

// warn tells each warning once a session's stay.
func (a *Agent) warn(warnings []string) {
	for _, w := range warnings {
		if a.context != nil && !slices.Contains(a.context.warned, w) {
			a.context.warned = append(a.context.warned, w)
			a.notice("%s", w)
		}
	}
}

// offered are the tools that a model is told of.
func (a *Agent) offered(mode permission.Mode, child bool) []provider.Tool {
	var list []provider.Tool
	for _, t := range a.tools(mode, child) {
		list = append(list, t.Tool)
	}
	return list
}

// tools are those that may be called: in read-only mode none that is there to
// write, and for children only what is meant for them.
func (a *Agent) tools(mode permission.Mode, child bool) []Tool {
	a.mu.Lock()
	all := slices.Concat(a.d.Tools, a.guests)
	a.mu.Unlock()
	var list []Tool
	for _, t := range all {
		if child && !t.Child || mode == permission.ReadOnly && t.Class == permission.Write {
			continue
		}
		list = append(list, t)
	}
	if !child {
		list = append(list, a.taskTool())
	}
	return list
}

// reckon estimates the request and sets the cap of its answer. It counts what
// budget.OfRequest counts, without making the whole of it anew.
func (r *ready) reckon(messages budget.Estimate, known budget.Calibration) {
	e := budget.OfFrame(r.request.System, len(r.request.Tools) > 0)
	for _, t := range r.request.Tools {
		before := e.Tokens()
		e.AddTool(t.Name, t.Description, t.Schema)
		r.shares.tools += e.Tokens() - before
	}
	e.Text, e.Framing, e.Media = e.Text+messages.Text, e.Framing+messages.Framing, e.Media+messages.Media
	r.shares.conversation = messages.Tokens()
	r.estimate = e
	r.tokens = known.Factor(r.model.Provider, r.model.ID).Tokens(e.Tokens())
}
