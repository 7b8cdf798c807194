package main

import (
	"context"
	"errors"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/budget/catalog"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
)

// framing is kept free for what a provider puts around a request, in tokens.
const framing = 256

// compactLimits are those of a request to summarise that the model will get. It
// asks nobody for a key: any program may complete the plan.
func compactLimits(e *cli.Env, flag string) (compact.Limits, modelName, error) {
	settings, err := e.Settings()
	if err != nil {
		return compact.Limits{}, modelName{}, err
	}
	if flag == "" {
		flag = settings.Agent.Model
	}
	name, err := findModel(settings.Providers, flag)
	if err != nil {
		return compact.Limits{}, name, err
	}
	limits := budget.Unknown(settings.Agent.ContextWindow)
	if name.Provider != "offline" { // reading the catalog takes longer than planning
		if found, known := catalog.Find(name.Provider, name.ID); known {
			limits = found
		}
	}
	s, err := e.Stores()
	if err != nil {
		return compact.Limits{}, name, err
	}
	window := limits.ContextWindow
	answer := max(1, limits.Output(compact.MaxSummary, window-window/4))
	factor := budget.Calibration{Cache: s.Cache}.Factor(name.Provider, name.ID)
	room := (window - answer - framing - factor.Offset) * 1000 / (1000 + factor.Permille)
	return compact.Limits{ContextWindow: window, MaxOutputTokens: answer,
		RequestBytes: compact.MaxRequestBytes, RequestTokens: max(1, room)}, name, nil
}

// purposeOf is a plan's purpose as ledger and budget name it.
func purposeOf(plan string) string {
	if plan == compact.PurposeLearn {
		return usage.Learning
	}
	return usage.Compact
}

// call is one call to a model: what is asked, and for what.
type call struct {
	model   string // a name, "" for the configured one
	request provider.Request
	purpose string  // usage.Compact, usage.Learning or usage.Answer
	session *string // that it is for
}

// answered is what came of a call.
type answered struct {
	provider.Response
	made      bool  // somebody was asked; the response is what came of it, beside an error too
	unwritten error // the ledger line could not be written
}

// ask asks once and writes the ledger. Calls for the memory are held to the
// day's budget before anybody is asked (design section 15.6).
func (c call) ask(ctx context.Context, e *cli.Env) (answered, error) {
	model, name, err := modelOf(e, c.model)
	if err != nil {
		return answered{}, err
	}
	s, err := e.Stores()
	if err != nil {
		return answered{}, err
	}
	ledger := usage.Ledger{Config: s.Config, Slug: s.Project.Slug, Now: e.Now(), Holder: "lecode"}
	raw, err := canon.Marshal(c.request)
	if err != nil {
		return answered{}, err
	}
	estimate, err := budget.OfRequest(raw)
	if err != nil {
		return answered{}, err
	}
	reckoned := estimate.Tokens() + c.request.MaxOutputTokens
	if err := c.affordable(ctx, e, ledger, reckoned); err != nil {
		return answered{}, err
	}
	r, err := model.Complete(ctx, c.request, nil)
	if errors.Is(err, plumbing.ErrInvalid) || errors.Is(err, plumbing.ErrRefused) {
		return answered{}, err // nothing was sent
	}
	if r.Model == "" {
		r.Model = name.ID
	}
	if err != nil {
		r.Finish = provider.FinishError
	}
	if prompt := r.Usage.Prompt(); prompt != nil && *prompt > 0 {
		// What is not learned here is learned from the next call.
		_ = budget.Calibration{Cache: s.Cache}.Observe(ctx, name.Provider, name.ID, estimate, *prompt)
	}
	return answered{r, true, ledger.Append(ctx, c.line(r, name, reckoned))}, err
}

func (c call) affordable(ctx context.Context, e *cli.Env, l usage.Ledger, tokens int64) error {
	if c.purpose == usage.Answer {
		return nil
	}
	settings, err := e.Settings()
	if err != nil {
		return err
	}
	return usage.Check(ctx, l, settings.Memory.MaxTokensPerDay, tokens)
}

func (c call) line(r provider.Response, name modelName, reckoned int64) usage.Line {
	l := usage.Line{CallID: r.CallID, Estimate: reckoned, Model: r.Model, Provider: name.Provider, Purpose: c.purpose, SessionID: c.session}
	if r.Usage == nil {
		return l // nothing to price
	}
	t := usage.Tokens(*r.Usage)
	l.Usage = &t
	if limits, known := catalog.Find(name.Provider, name.ID); known && t.Cost == nil {
		l.Priced = limits.Prices.Cost(t.InputTokens, t.OutputTokens, t.CacheReadTokens, t.CacheWriteTokens)
	}
	return l
}
