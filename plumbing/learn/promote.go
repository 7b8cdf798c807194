package learn

import (
	"context"
	"errors"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/source"
)

// promote judges each candidate, remembers what is accepted and notes the rest.
// The evidence is checked again in the transaction that inserts: what changed
// in between is stale, then and there.
func (d Deps) promote(ctx context.Context, event learned.Event, from drawn, imported bool, p compact.Planned, candidates []Candidate) (learned.Event, error) {
	known, err := d.revisions(ctx, factsIn(p.Request))
	if err != nil {
		return event, err
	}
	evidence := Evidence{Imported: imported, Exchanges: from.exchanges, Known: known}
	for _, c := range candidates {
		v := Judge(c, evidence)
		ref := refOf(p.SessionID, v.Records)
		reason := v.Reason
		switch v.Decision {
		case Accepted:
			var got fact.Result
			got, reason, err = d.remember(ctx, c.Text, ref, p.Generation)
			if err != nil {
				return event, err
			}
			if reason == "" {
				event.Facts = noted(event.Facts, got, v.Cropped)
			}
		case Proposed:
			event.Proposals = append(event.Proposals, proposal(c, v, ref, known))
		}
		if reason != "" {
			event.ReasonCounts[string(reason)]++
		}
	}
	event.Outcome = outcome(event)
	if event.Outcome == learned.Stale {
		event.Proposals = []learned.Proposal{}
	}
	return event, nil
}

// outcome is what the candidates came to.
func outcome(e learned.Event) string {
	switch {
	case len(e.Facts) > 0:
		return learned.Learned
	case e.ReasonCounts[string(StaleContext)] > 0:
		return learned.Stale
	case len(e.Proposals) > 0:
		return learned.Proposed
	}
	return learned.Rejected
}

// remember inserts a fact; a reason says that its evidence or the context changed.
func (d Deps) remember(ctx context.Context, text string, ref source.Ref, generation int64) (fact.Result, Reason, error) {
	got, err := d.Facts.Remember(ctx, text, &ref, fact.RememberOptions{Deduplicate: true, ExpectedGeneration: &generation})
	for _, kind := range []error{plumbing.ErrConflict, plumbing.ErrNotFound, plumbing.ErrRefused} {
		if errors.Is(err, kind) {
			return fact.Result{}, StaleContext, nil
		}
	}
	return got, "", err
}

// revisions is the revisions that shown facts have now.
func (d Deps) revisions(ctx context.Context, facts []shown) (map[string]Known, error) {
	known := map[string]Known{}
	for _, f := range facts {
		k := Known{Shown: f.Revision}
		switch now, err := d.Facts.Get(ctx, f.ID); {
		case err == nil:
			k.Now = now.Current().Number
		case errors.Is(err, plumbing.ErrNotFound), errors.Is(err, plumbing.ErrInvalid):
		default:
			return nil, err
		}
		known[f.ID] = k
	}
	return known, nil
}

// noted adds a fact, once.
func noted(list []learned.Fact, got fact.Result, cropped bool) []learned.Fact {
	if slices.ContainsFunc(list, func(f learned.Fact) bool { return f.ID == got.Fact.ID }) {
		return list
	}
	return append(list, learned.Fact{Cropped: cropped, ID: got.Fact.ID,
		Outcome: string(got.Outcome), Revision: got.Fact.Current().Number})
}

func proposal(c Candidate, v Verdict, ref source.Ref, known map[string]Known) learned.Proposal {
	p := learned.Proposal{Conflicts: []learned.Conflict{}, Cropped: v.Cropped, Kind: c.Kind, Source: ref, Text: c.Text, Why: v.Why}
	for _, id := range c.Conflicts {
		p.Conflicts = append(p.Conflicts, learned.Conflict{ID: id, Revision: known[id].Now})
	}
	return p
}

// refOf is the evidence as it was judged.
func refOf(sessionID string, records []Record) source.Ref {
	ref := source.Ref{SessionID: sessionID}
	h := canon.NewHasher()
	for _, r := range records {
		ref.Seqs = append(ref.Seqs, r.Seq)
		h.Add(r.Raw)
	}
	ref.Digest = h.Digest()
	return ref
}
