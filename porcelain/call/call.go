// Package call is one call to a model, whole: held to the day's budget where it
// is for the memory, asked, written to the ledger, and learned from for the next
// estimate (design sections 9 and 15.6).
//
// It knows models, budgets and the ledger, no session, and no particular model.
// Start with Calls.Ask.
package call

import (
	"context"
	"errors"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
)

// Model is a model with what is known of it.
type Model struct {
	provider.Model
	Provider, ID string // as configured
	Limits       budget.Limits
}

// Name is the model as agent.model has it.
func (m Model) Name() string {
	if m.Provider == m.ID {
		return m.ID
	}
	return m.Provider + "/" + m.ID
}

// Calls is what every call of a process goes by.
type Calls struct {
	Ledger      usage.Ledger
	Calibration budget.Calibration
	DayLimit    func() (*int64, error) // memory.max_tokens_per_day as it is now
	NewID       func() (string, error) // of a call
}

// Asking is what is asked, and for what.
type Asking struct {
	Request provider.Request
	Purpose string  // usage.Compact, usage.Learning, usage.Answer or another
	Session *string // that it is for
	// Estimate is what the request was reckoned to take; zero: it is reckoned here.
	Estimate budget.Estimate
	On       func(provider.Delta) error // gets the answer as it comes; nil: it is not streamed
}

// Answered is what came of a call.
type Answered struct {
	provider.Response
	Sent      bool     // somebody was asked; the response is what came of it, beside an error too
	Priced    *float64 // by the catalog, in US dollars, where the provider named no cost
	Unwritten error    // the ledger line could not be written
}

// Ask asks once and writes the ledger. Calls for the memory are held to the
// day's budget before anybody is asked (plumbing.ErrRefused). The error is the
// model's; a ledger that cannot be written is told in Unwritten, since the
// answer is there and paid.
func (c Calls) Ask(ctx context.Context, m Model, a Asking) (Answered, error) {
	estimate, err := a.estimate()
	if err != nil {
		return Answered{}, err
	}
	id, err := c.NewID()
	if err != nil {
		return Answered{}, err
	}
	line := usage.Line{CallID: id, Estimate: estimate.Tokens() + a.Request.MaxOutputTokens, Model: m.ID,
		Provider: m.Provider, Purpose: a.Purpose, SessionID: a.Session}
	reserved, err := c.reserve(ctx, line)
	if err != nil {
		return Answered{}, err
	}
	r, err := m.Complete(ctx, a.Request, a.On)
	if errors.Is(err, plumbing.ErrInvalid) || errors.Is(err, plumbing.ErrRefused) {
		return Answered{}, errors.Join(err, reserved.cancel(ctx)) // nothing was sent
	}
	if r.CallID == "" {
		r.CallID = id
	}
	if r.Model == "" {
		r.Model = m.ID
	}
	if err != nil {
		r.Finish = provider.FinishError
	}
	if prompt := r.Usage.Prompt(); prompt != nil && *prompt > 0 {
		// What is not learned here is learned from the next call.
		_ = c.Calibration.Observe(context.WithoutCancel(ctx), m.Provider, m.ID, estimate, *prompt)
	}
	line.CallID, line.Model = r.CallID, r.Model
	if r.Usage != nil {
		t := usage.Tokens(*r.Usage)
		line.Usage, line.Priced = &t, price(m, t)
	}
	return Answered{r, true, line.Priced, reserved.settle(ctx, line)}, err
}

func (a Asking) estimate() (budget.Estimate, error) {
	if a.Estimate != (budget.Estimate{}) {
		return a.Estimate, nil
	}
	raw, err := canon.Marshal(a.Request)
	if err != nil {
		return budget.Estimate{}, err
	}
	return budget.OfRequest(raw)
}

// reserve holds a call for the memory to the day's budget, and notes it in the
// ledger before it is made: calls at once cannot pass the budget together, and
// one whose process is killed is there. Other calls are written when they are
// over.
func (c Calls) reserve(ctx context.Context, line usage.Line) (reserved, error) {
	if line.Purpose != usage.Compact && line.Purpose != usage.Learning {
		return reserved{append: c.Ledger.Append}, nil
	}
	limit, err := c.DayLimit()
	if err != nil {
		return reserved{}, err
	}
	r, err := c.Ledger.Reserve(ctx, limit, line)
	return reserved{reservation: &r}, err
}

// reserved is a call's place in the ledger.
type reserved struct {
	reservation *usage.Reservation
	append      func(context.Context, usage.Line) error
}

func (r reserved) settle(ctx context.Context, line usage.Line) error {
	if r.reservation == nil {
		return r.append(ctx, line)
	}
	return r.reservation.Settle(ctx, line)
}

func (r reserved) cancel(ctx context.Context) error {
	if r.reservation == nil {
		return nil
	}
	return r.reservation.Cancel(ctx)
}

// price is the list price of a call whose cost the provider did not name.
func price(m Model, t usage.Tokens) *float64 {
	if t.Cost != nil {
		return nil
	}
	return m.Limits.Prices.Cost(t.InputTokens, t.OutputTokens, t.CacheReadTokens, t.CacheWriteTokens)
}
