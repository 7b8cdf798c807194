package learn

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// Applied is a learning event as it was stored.
type Applied struct {
	learned.Event
	Seq       int64
	SessionID string
}

// Apply promotes what holds in the response of a plan, and appends one learning
// event that says what came of it, under the session's lock. sessionID is the
// session that the caller means. The call's usage is kept as a memory_usage
// event first, once a call.
//
// An answer that cannot be processed, and a context that changed since the plan
// was made, are outcomes (learned.Failed, learned.Stale): the event is there and
// nothing was promoted. An error means that there is no event: a plan without a
// response or of another purpose is plumbing.ErrInvalid; of another session,
// made up, or applied before, ErrConflict; a session that is gone ErrNotFound, a
// corrupt one ErrCorrupt, one that another process holds ErrBusy. What of
// several candidates was remembered before such an error stays remembered, and
// applying the plan again gives the same facts.
func Apply(ctx context.Context, d Deps, sessionID string, p compact.Planned) (Applied, error) {
	if err := applicable(sessionID, p); err != nil {
		return Applied{}, err
	}
	w, err := d.Sessions.Attach(ctx, sessionID)
	if err != nil {
		return Applied{}, err
	}
	applied, err := ApplyTo(ctx, d, w, p)
	if e := w.Close(); err == nil && e != nil {
		return applied, fmt.Errorf("close session %q: %w", sessionID, e)
	}
	return applied, err
}

// ApplyTo is Apply for a session that the caller has attached.
func ApplyTo(ctx context.Context, d Deps, w *session.Writer, p compact.Planned) (Applied, error) {
	if err := applicable(w.Log().ID(), p); err != nil {
		return Applied{}, err
	}
	if err := compact.AccountTo(w, p.Call()); err != nil {
		return Applied{}, err
	}
	h, err := readHistory(w.Log(), d.Facts)
	if err != nil {
		return Applied{}, err
	}
	covers, err := h.planned(w.Log(), p)
	if err != nil {
		return Applied{}, err
	}
	event, err := d.judge(ctx, w.Log(), h, p)
	if err != nil {
		return Applied{}, err
	}
	event.Considered = covers
	line, err := canon.Marshal(event)
	if err != nil {
		return Applied{}, err
	}
	stored, err := w.AppendEvent(ctx, line)
	if err != nil {
		return Applied{}, fmt.Errorf("store what session %q was learned from: %w", p.SessionID, err)
	}
	return Applied{Event: event, Seq: stored.Seq, SessionID: p.SessionID}, nil
}

// Fail keeps that the call of a plan came to nothing, as Apply does for an
// answer that cannot be processed. r is what was received, with what usage is known.
func Fail(ctx context.Context, d Deps, p compact.Planned, r provider.Response) (Applied, error) {
	r.Finish = provider.FinishError
	p.Response = &r
	return Apply(ctx, d, p.SessionID, p)
}

// applicable reports what no log is needed for to see that it cannot be applied.
func applicable(sessionID string, p compact.Planned) error {
	switch {
	case p.Purpose != compact.PurposeLearn:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the plan is to %.20q, not to learn", p.Purpose), "apply it with the command that made it")
	case p.Response == nil:
		return plumbing.Fail(plumbing.ErrInvalid, "the plan carries no response", "pipe it through `lecode complete` first")
	case p.SessionID != sessionID:
		return conflict(fmt.Sprintf("the plan is of session %q, not of %q", p.SessionID, sessionID))
	}
	return nil
}

func conflict(message string) error {
	return plumbing.Fail(plumbing.ErrConflict, message, "plan again with `lecode learn --plan`")
}

// planned is the positions that a plan was made of, as far as its summary was
// the first to cover them. A plan that names no summary, or one that was
// learned from meanwhile, is plumbing.ErrConflict: an event would only be in the way.
func (h history) planned(log *session.Log, p compact.Planned) ([]int64, error) {
	if p.Prior == nil {
		return nil, conflict("the plan names no summary")
	}
	if e, err := log.Entry(p.Prior.Seq); err != nil || e.Type != session.TypeCompact {
		return nil, conflict(fmt.Sprintf("record %d of session %q is no summary", p.Prior.Seq, p.SessionID))
	}
	if h.named[p.Prior.Seq] {
		return nil, conflict(fmt.Sprintf("what summary %d of session %q covers was learned from already", p.Prior.Seq, p.SessionID))
	}
	s, err := h.chain.Summary(p.Prior.Seq)
	if err != nil {
		return nil, err
	}
	fresh, list := h.fresh(s), []int64{}
	for _, c := range p.Covers {
		for _, seq := range c.Seqs {
			if fresh[seq] {
				delete(fresh, seq)
				list = append(list, seq)
			}
		}
	}
	return list, nil
}

// judge makes the event, and promotes what of the answer holds.
func (d Deps) judge(ctx context.Context, log *session.Log, h history, p compact.Planned) (learned.Event, error) {
	event := learned.Event{CompactSeq: p.Prior.Seq, Facts: []learned.Fact{}, Generation: p.Generation,
		Model: p.Call().Model, Proposals: []learned.Proposal{}, ReasonCounts: map[string]int64{}, Type: session.TypeLearning}
	candidates, reason := ReadAnswer(*p.Response, p.Limits.MaxOutputTokens)
	if reason != "" {
		return ended(event, learned.Failed, reason), nil
	}
	if d.gate(ctx) != nil {
		return ended(event, learned.Stale, StaleContext), nil
	}
	fresh, err := d.again(ctx, log, h, p)
	switch {
	case errors.Is(err, plumbing.ErrConflict):
		return ended(event, learned.Stale, StaleContext), nil
	case err != nil:
		return event, err
	case len(candidates) == 0:
		event.Outcome = learned.NoCandidates
		return event, nil
	}
	if err := log.Sync(); err != nil {
		return event, err
	}
	return d.promote(ctx, event, fresh, log.Header().Imported != nil, p, candidates)
}

// ended is an event of which nothing came, for one reason.
func ended(e learned.Event, outcome string, r Reason) learned.Event {
	e.Outcome, e.ReasonCounts = outcome, map[string]int64{string(r): 1}
	return e
}

// again plans from the log as it is now. The facts that the model was shown are
// those of the plan: others that came since are no reason to throw an answer away.
func (d Deps) again(ctx context.Context, log *session.Log, h history, p compact.Planned) (drawn, error) {
	fresh, err := d.draft(ctx, log, h, p.Prior.Seq, p.Limits, p.Model, factsIn(p.Request))
	if errors.Is(err, plumbing.ErrNo) || errors.Is(err, plumbing.ErrPaused) {
		return drawn{}, conflict(fmt.Sprintf("session %q no longer leads to this plan", p.SessionID))
	}
	if err != nil {
		return drawn{}, err
	}
	same, err := p.Equals(fresh.Plan)
	if err == nil && !same {
		err = conflict(fmt.Sprintf("the plan is not what session %q leads to now", p.SessionID))
	}
	return fresh, err
}
