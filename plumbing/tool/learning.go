package tool

import (
	"context"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/source"
)

// Learning is what the latest learning event of a session says of itself:
// codes and counts, no text of what was learned or rejected (seed, "Bounds,
// deduplication, and failure handling").
type Learning struct {
	FactCount     int64            `json:"fact_count"`
	Outcome       string           `json:"outcome"`
	ProposalCount int64            `json:"proposal_count"`
	Proposals     []Proposal       `json:"proposals"`     // those that still stand
	ReasonCounts  map[string]int64 `json:"reason_counts"` // null in old events
	Seq           int64            `json:"seq"`
	SessionID     string           `json:"session_id"`
}

// Proposal is something for the user to decide: its words are what
// memory_recall tells of the source, and memory_correct is the way to take it up.
type Proposal struct {
	Conflicts []learned.Conflict `json:"conflicts"`
	Kind      string             `json:"kind"`
	Source    source.Ref         `json:"source"`
	Why       string             `json:"why"`
}

// maxToldSeqs bounds what the proposals take of a page; longer sources are
// counted and not told.
const maxToldSeqs = 200

// latestLearning finds it; nil where there is none, or no such session to be read.
func (d Deps) latestLearning(ctx context.Context, view fact.View, id string) (*Learning, error) {
	if id == "" {
		return nil, nil
	}
	found, err := learned.Latest(ctx, d.Sources, view, id)
	if err != nil || found == nil {
		return nil, err
	}
	l := &Learning{FactCount: int64(len(found.Facts)), Outcome: found.Outcome, ProposalCount: int64(len(found.Proposals)),
		Proposals: []Proposal{}, ReasonCounts: found.ReasonCounts, Seq: found.Seq, SessionID: found.SessionID}
	seqs := 0
	for _, p := range found.Proposals {
		if seqs += len(p.Source.Seqs) + len(p.Conflicts); seqs > maxToldSeqs {
			break
		}
		l.Proposals = append(l.Proposals, proposed(p))
	}
	return l, nil
}

// proposed tells a proposal without its words; why and kind are among those that there are.
func proposed(p learned.Proposal) Proposal {
	why := p.Why
	switch why {
	case learned.WhyConflict, learned.WhyCorrection, learned.WhyImported, learned.WhyUncertain:
	default:
		why = "unknown"
	}
	told := Proposal{Conflicts: []learned.Conflict{}, Kind: p.Kind, Source: p.Source, Why: why}
	for _, c := range p.Conflicts {
		if fact.CheckID(c.ID) == nil {
			told.Conflicts = append(told.Conflicts, c)
		}
	}
	return told
}

// file compares a fact that is about a line of a file with the file.
func (d Deps) file(ctx context.Context, view fact.View, f fact.Fact, status source.Status) *string {
	if status != source.Valid {
		return nil
	}
	return d.Checkout.State(ctx, view, f.Current().Text, f.Current().Source())
}
