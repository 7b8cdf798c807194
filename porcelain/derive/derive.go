// Package derive makes, with one call to a model each, what is derived from a
// session: its working summary and what is learned from it (design sections 10
// and 11). Each is plan, call and apply of the plumbing packages, with what
// becomes of a call that failed or was interrupted.
//
// It knows those packages and porcelain/call, no particular model, no settings
// and no person. No lock is held across a call but the caller's own. Start with
// Session.Compact.
package derive

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/call"
)

// Session is one session and what is needed to derive from it.
type Session struct {
	ID       string
	Sessions *session.Store
	Sources  source.Validator
	Facts    *fact.Store
	Calls    call.Calls
	// Writer is the session where the caller has it attached; nil: it is
	// attached for as long as something is written.
	Writer *session.Writer
	// Gate says whether learning is on (learn.Deps).
	Gate func(context.Context) error
}

// CompactDeps are what package compact works with.
func (s Session) CompactDeps() compact.Deps {
	return compact.Deps{Sessions: s.Sessions, Exclusions: s.Facts, Tokens: budget.Tokens}
}

// LearnDeps are what package learn works with.
func (s Session) LearnDeps() learn.Deps {
	return learn.Deps{Sessions: s.Sessions, Sources: s.Sources, Facts: s.Facts, Tokens: budget.Tokens, Gate: s.Gate}
}

// framing is kept free for what a provider puts around a request, in tokens.
const framing = 256

// Limits are those of a request to summarise or to learn that a model will get,
// by its window and by what it was found to count more than is estimated.
func Limits(model budget.Limits, factor budget.Factor) compact.Limits {
	window := model.ContextWindow
	answer := max(1, model.Output(compact.MaxSummary, window-window/4))
	room := (window - answer - framing - factor.Offset) * 1000 / (1000 + factor.Permille)
	return compact.Limits{ContextWindow: window, MaxOutputTokens: answer,
		RequestBytes: compact.MaxRequestBytes, RequestTokens: max(1, room)}
}

// limits are those for a model now.
func (s Session) limits(m call.Model) compact.Limits {
	return Limits(m.Limits, s.Calls.Calibration.Factor(m.Provider, m.ID))
}

// PlanCompact plans the next summary for a model; the errors are compact.Make's.
func (s Session) PlanCompact(ctx context.Context, m call.Model) (compact.Plan, error) {
	return compact.Make(ctx, s.CompactDeps(), s.ID, s.limits(m), m.Name())
}

// Compact asks the model for the summary of a plan and makes it the one in
// force. What a call took is kept whatever came of it. Only the errors of
// compact.Apply and those of the model are returned; beside an error that is
// only about the ledger the summary stands.
func (s Session) Compact(ctx context.Context, m call.Model, plan compact.Plan) (applied compact.Applied, err error) {
	planned, err := plan.Planned()
	if err != nil {
		return applied, err
	}
	if err := s.writable(ctx); err != nil {
		return applied, err
	}
	got, err := s.Calls.Ask(ctx, m, call.Asking{Request: plan.Request, Purpose: usage.Compact, Session: &plan.SessionID})
	// From here on an interrupt must not lose what was paid.
	after := context.WithoutCancel(ctx)
	planned.Response = &got.Response
	if err != nil {
		if got.Sent {
			err = Both(err, s.write(after, func(w *session.Writer) error { return compact.AccountTo(w, planned.Call()) }))
		}
		return applied, Both(err, got.Unwritten)
	}
	err = s.write(after, func(w *session.Writer) (err error) {
		applied, err = compact.ApplyTo(after, s.CompactDeps(), w, planned)
		return err
	})
	return applied, Both(err, got.Unwritten)
}

// PlanLearn plans to learn from the summary at seq, or for 0 from the oldest
// that was not learned from; the errors are learn.Make's.
func (s Session) PlanLearn(ctx context.Context, m call.Model, seq int64) (compact.Plan, error) {
	return learn.Make(ctx, s.LearnDeps(), s.ID, seq, s.limits(m), m.Name())
}

// Learn asks the model for what a plan may teach, and keeps what holds. Where
// the call failed, the event says so; where it was interrupted, only its usage
// is kept, and the same records may be looked at again.
func (s Session) Learn(ctx context.Context, m call.Model, plan compact.Plan) (applied learn.Applied, err error) {
	planned, err := plan.Planned()
	if err != nil {
		return applied, err
	}
	if err := s.writable(ctx); err != nil {
		return applied, err
	}
	got, failed := s.Calls.Ask(ctx, m, call.Asking{Request: plan.Request, Purpose: usage.Learning, Session: &plan.SessionID})
	if failed != nil && !got.Sent {
		return applied, failed
	}
	after := context.WithoutCancel(ctx)
	planned.Response = &got.Response
	err = s.write(after, func(w *session.Writer) (err error) {
		if failed != nil && ctx.Err() != nil {
			return compact.AccountTo(w, planned.Call())
		}
		applied, err = learn.ApplyTo(after, s.LearnDeps(), w, planned)
		return err
	})
	if failed != nil {
		err = Both(failed, err)
	}
	return applied, Both(err, got.Unwritten)
}

// LearnFrom learns from one summary, plan and all; nothing to learn from is plumbing.ErrNo.
func (s Session) LearnFrom(ctx context.Context, m call.Model, seq int64) (learn.Applied, error) {
	plan, err := s.PlanLearn(ctx, m, seq)
	if err != nil {
		return learn.Applied{}, err
	}
	return s.Learn(ctx, m, plan)
}

// write does something with the session attached.
func (s Session) write(ctx context.Context, do func(*session.Writer) error) error {
	if s.Writer != nil {
		return do(s.Writer)
	}
	w, err := s.Sessions.Attach(ctx, s.ID)
	if err != nil {
		return err
	}
	err = do(w)
	if e := w.Close(); err == nil && e != nil {
		return fmt.Errorf("close session %q: %w", s.ID, e)
	}
	return err
}

// writable finds a session that nobody could write to before the model is paid.
func (s Session) writable(ctx context.Context) error {
	return s.write(ctx, func(*session.Writer) error { return nil })
}

// Rejected is what an outcome of learning that promoted nothing for the sake of
// the answer is as an error: of kind plumbing.ErrModel or ErrConflict.
func Rejected(a learn.Applied) error {
	switch a.Outcome {
	case learned.Failed:
		return plumbing.Fail(plumbing.ErrModel, "the model's answer was rejected: "+reason(a),
			"nothing was remembered; these records are not looked at again, `lecode remember` takes what they say")
	case learned.Stale:
		return plumbing.Fail(plumbing.ErrConflict, "what the plan was made from has changed meanwhile", "nothing was remembered")
	}
	return nil
}

func reason(a learn.Applied) string {
	for code := range a.ReasonCounts {
		return code // an answer as a whole has one
	}
	return a.Outcome
}

// Both is the first error, and in words what went wrong besides: the kind is the first one's.
func Both(err, besides error) error {
	switch {
	case err == nil:
		return besides
	case besides == nil, errors.Is(err, besides):
		return err
	}
	return fmt.Errorf("%w; and: %v", err, besides)
}
