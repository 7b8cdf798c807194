package compact

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Event is a compact event (design section 10), without seq and time.
type Event struct {
	CallID         string          `json:"call_id"`
	CoveredThrough int64           `json:"covered_through"`
	Covers         []source.Ref    `json:"covers"`
	Generation     int64           `json:"generation"`
	Model          string          `json:"model"`
	Prior          *session.Prior  `json:"prior"`
	Summary        string          `json:"summary"`
	Type           string          `json:"type"`
	Usage          *provider.Usage `json:"usage"`
}

// Applied is an event as it was stored.
type Applied struct {
	Event
	Seq       int64
	SessionID string
}

// Apply makes the response of a plan the summary in force: it plans anew from
// the log and appends one event, under the session's lock. sessionID is the
// session that the caller means.
//
// A plan without a response, or of another purpose, is plumbing.ErrInvalid; a
// response that is no summary ErrModel; a plan that the log, the generation or
// the exclusions no longer lead to, or that was edited, ErrConflict. With the
// last two the usage is kept as a memory_usage event, once a call, and the
// summary in force stays. A session that another process holds is ErrBusy.
func Apply(ctx context.Context, d Deps, sessionID string, p Planned) (Applied, error) {
	if err := applicable(p); err != nil {
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
func ApplyTo(ctx context.Context, d Deps, w *session.Writer, p Planned) (Applied, error) {
	if err := applicable(p); err != nil {
		return Applied{}, err
	}
	if p.SessionID != w.Log().ID() {
		return Applied{}, conflict(fmt.Sprintf("the plan is of session %q, not of %q", p.SessionID, w.Log().ID()))
	}
	event, err := d.judge(ctx, w.Log(), p)
	if errors.Is(err, plumbing.ErrModel) || errors.Is(err, plumbing.ErrConflict) {
		if e := AccountTo(w, p.call()); e != nil {
			return Applied{}, fmt.Errorf("%w; and: %v", err, e)
		}
		return Applied{}, err
	}
	if err != nil {
		return Applied{}, err
	}
	line, err := canon.Marshal(event)
	if err != nil {
		return Applied{}, err
	}
	stored, err := w.AppendEvent(ctx, line)
	if err != nil {
		return Applied{}, fmt.Errorf("store the summary of session %q: %w", p.SessionID, err)
	}
	return Applied{event, stored.Seq, p.SessionID}, nil
}

// applicable reports what no session is needed for to see that it cannot be applied.
func applicable(p Planned) error {
	switch {
	case p.Purpose != PurposeCompact:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the plan is to %.20q, not to compact", p.Purpose), "apply it with the command that made it")
	case p.Response == nil:
		return plumbing.Fail(plumbing.ErrInvalid, "the plan carries no response", "pipe it through `lecode complete` first")
	}
	return nil
}

// judge makes the event, if response and log allow it.
func (d Deps) judge(ctx context.Context, log *session.Log, p Planned) (Event, error) {
	summary, err := d.summaryOf(*p.Response, p.Limits)
	if err != nil {
		return Event{}, err
	}
	fresh, err := d.again(ctx, log, p)
	if err != nil {
		return Event{}, err
	}
	if err := log.Sync(); err != nil {
		return Event{}, err
	}
	call := p.call()
	return Event{CallID: call.CallID, CoveredThrough: fresh.through, Covers: fresh.Covers, Generation: fresh.Generation,
		Model: call.Model, Prior: fresh.Prior, Summary: summary, Type: session.TypeCompact, Usage: call.Usage}, nil
}

// again plans from the log as it is now, no further than p went: what was said
// since then is no reason to throw a summary away.
func (d Deps) again(ctx context.Context, log *session.Log, p Planned) (drawn, error) {
	if len(p.Covers) == 0 {
		return drawn{}, conflict("the plan covers nothing")
	}
	last := p.Covers[len(p.Covers)-1].Seqs
	stop := last[len(last)-1]
	fresh, err := d.draft(ctx, log, p.Limits, p.Model, stop)
	if errors.Is(err, plumbing.ErrNo) || errors.Is(err, plumbing.ErrPaused) {
		return drawn{}, conflict(fmt.Sprintf("session %q no longer leads to this plan", p.SessionID))
	}
	if err != nil {
		return drawn{}, err
	}
	same, err := p.equals(fresh.Plan)
	if err == nil && !same {
		err = conflict(fmt.Sprintf("the plan is not what session %q leads to now", p.SessionID))
	}
	return fresh, err
}

func conflict(message string) error {
	return plumbing.Fail(plumbing.ErrConflict, message,
		"it was edited, or the session, its summary or what is forgotten has changed: plan again")
}
