package compact

import (
	"context"
	"fmt"
	"math"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

// Deps is what this package works with.
type Deps struct {
	Sessions   *session.Store
	Exclusions session.Exclusions // what the project has forgotten: fact.Store
	// Tokens is the conservative estimate of a text in tokens (budget.Tokens);
	// nil counts one for each begun 2 bytes. It has to be the same function
	// when a plan is made and when it is applied.
	Tokens func(text string) int64
}

func (d Deps) tokens(text string) int64 {
	if d.Tokens != nil {
		return d.Tokens(text)
	}
	return int64(len(text)+1) / 2
}

// minRaw is how many of the most recent messages stay raw, at least.
const minRaw = 4

// Make plans the next compaction of a session: the oldest complete exchanges
// that the summary in force does not cover, as many as fit the request. The
// sources are fsynced before it returns.
//
// Nothing new to cover is plumbing.ErrNo. An exchange in the way is
// plumbing.ErrPaused that names its seqs and carries a *Blocked. No such session is
// plumbing.ErrNotFound, a corrupt one ErrCorrupt, a copy ErrRefused, limits out
// of range ErrInvalid.
func Make(ctx context.Context, d Deps, sessionID string, limits Limits, model string) (Plan, error) {
	if err := limits.Check(); err != nil {
		return Plan{}, err
	}
	log, err := d.open(ctx, sessionID)
	if err != nil {
		return Plan{}, err
	}
	defer log.Close()
	if session.IsCopy(sessionID) {
		return Plan{}, plumbing.Fail(plumbing.ErrRefused,
			fmt.Sprintf("session %q is a copy: to read, cite and search, never appended to", sessionID),
			"begin a new session from it with /handoff")
	}
	drawn, err := d.draft(ctx, log, limits, model, math.MaxInt64)
	if err != nil {
		return Plan{}, err
	}
	return drawn.Plan, log.Sync()
}

// open opens a session whose sources can be valid.
func (d Deps) open(ctx context.Context, id string) (*session.Log, error) {
	log, err := d.Sessions.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	if c := log.Corruption(); c != nil {
		log.Close()
		return nil, c.Err(id)
	}
	return log, nil
}

// drawn is a plan with what only its event says.
type drawn struct {
	Plan
	through int64 // the last seq of the last exchange that it covers
}

// draft plans from a log as it is now; no exchange that begins behind stop is covered.
func (d Deps) draft(ctx context.Context, log *session.Log, limits Limits, model string, stop int64) (drawn, error) {
	chain, err := log.Chain(d.Exclusions)
	if err != nil {
		return drawn{}, err
	}
	prior, err := chain.InForce(ctx)
	if err != nil {
		return drawn{}, err
	}
	b := &builder{deps: d, ctx: ctx, log: log, visible: chain.Visibility(), limits: limits, cites: Cites{SessionID: log.ID()}}
	b.plan = Plan{Generation: b.visible.Generation(), Limits: limits, Model: model, Purpose: PurposeCompact,
		SessionID: log.ID(), Type: TypePlan}
	text := ""
	if prior != nil {
		b.after, text = prior.CoveredThrough, prior.Text
		b.plan.Prior = &session.Prior{Digest: prior.Digest, Seq: prior.Seq}
	}
	if err := b.begin(text); err != nil {
		return drawn{}, err
	}
	if err := b.cover(stop); err != nil {
		return drawn{}, err
	}
	return drawn{b.finish(), b.through}, nil
}
