package learn

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// MaxPayload is the most bytes of UTF-8 that a request carries besides its
// instruction; MaxFacts those of the facts in it, line ends included (design section 13).
const (
	MaxPayload = 16_000
	MaxFacts   = 4_096
)

// Deps is what this package works with.
type Deps struct {
	Sessions *session.Store
	Sources  source.Validator
	Facts    *fact.Store
	// Tokens is the conservative estimate of a text in tokens (budget.Tokens);
	// nil counts one for each begun 2 bytes. It has to be the same function
	// when a plan is made and when it is applied.
	Tokens func(text string) int64
	// Gate says, before the request is made and again before anything is
	// promoted, whether learning is (still) on and this still the session that
	// it is for; its error says why not. nil is on.
	Gate func(context.Context) error
}

func (d Deps) gate(ctx context.Context) error {
	if d.Gate == nil {
		return nil
	}
	return d.Gate(ctx)
}

func (d Deps) tokens(text string) int64 {
	if d.Tokens != nil {
		return d.Tokens(text)
	}
	return int64(len(text)+1) / 2
}

// Make plans an extraction from what a summary was the first to cover: the one
// at compactSeq, or for 0 the oldest valid one that no learning event names and
// that has something to look at, less every position that was looked at before.
// The sources are fsynced before it returns.
//
// Its Covers are the records that the model is given, its Prior names the
// compact event. Nothing to learn from is plumbing.ErrNo, an instruction that
// alone is too large for the model ErrPaused; no such session is ErrNotFound, a
// corrupt one ErrCorrupt, a copy ErrRefused, limits out of range ErrInvalid. A
// closed gate is the gate's own error.
func Make(ctx context.Context, d Deps, sessionID string, compactSeq int64, limits compact.Limits, model string) (compact.Plan, error) {
	if err := limits.Check(); err != nil {
		return compact.Plan{}, err
	}
	if err := d.gate(ctx); err != nil {
		return compact.Plan{}, err
	}
	log, err := d.open(ctx, sessionID)
	if err != nil {
		return compact.Plan{}, err
	}
	defer log.Close()
	facts, err := d.known(ctx)
	if err != nil {
		return compact.Plan{}, err
	}
	plan, err := d.choose(ctx, log, compactSeq, limits, model, facts)
	if err != nil {
		return compact.Plan{}, err
	}
	return plan, log.Sync()
}

func (d Deps) open(ctx context.Context, id string) (*session.Log, error) {
	if session.IsCopy(id) {
		return nil, plumbing.Fail(plumbing.ErrRefused,
			fmt.Sprintf("session %q is a copy: to read, cite and search, never appended to", id),
			"learn from the session that it is a copy of")
	}
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

// choose drafts from the summary that is asked for, or from the oldest that leads to a plan.
func (d Deps) choose(ctx context.Context, log *session.Log, seq int64, limits compact.Limits, model string, facts []shown) (compact.Plan, error) {
	h, err := readHistory(log, d.Facts)
	if err != nil {
		return compact.Plan{}, err
	}
	candidates := []int64{seq}
	if seq == 0 {
		candidates = h.summaries
	}
	for _, seq := range candidates {
		if h.named[seq] {
			continue
		}
		drawn, err := d.draft(ctx, log, h, seq, limits, model, facts)
		if !errors.Is(err, plumbing.ErrNo) {
			return drawn.Plan, err
		}
	}
	return compact.Plan{}, plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("nothing new to learn from in session %q", log.ID()),
		"what a summary newly covers is looked at once; `lecode compact "+log.ID()+"` makes the next one")
}

// known is the valid facts that the model is shown, the first by ID that fit.
func (d Deps) known(ctx context.Context) ([]shown, error) {
	list, err := d.Facts.Candidates(ctx)
	if err != nil {
		return nil, err
	}
	view, err := d.Facts.View(ctx)
	if err != nil {
		return nil, err
	}
	cached, done := d.Sources.Cached()
	defer done()
	var facts []shown
	room := MaxFacts
	for _, f := range list[:min(len(list), maxShown)] {
		status, err := fact.StatusBy(ctx, cached, f, view, session.Durable)
		if errors.Is(err, plumbing.ErrRefused) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if status != source.Valid {
			continue
		}
		s := shown{f.ID, f.Current().Number, f.Current().Text}
		line, err := canon.Marshal(s)
		if err != nil {
			return nil, err
		}
		if len(line)+1 <= room {
			room -= len(line) + 1
			facts = append(facts, s)
		}
	}
	return facts, nil
}
