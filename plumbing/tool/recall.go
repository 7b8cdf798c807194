package tool

import (
	"context"

	"github.com/lecode/lecode/plumbing/recall"
)

// recallEvidence is memory_recall: {fact_id} or {end_seq,session_id,start_seq},
// with {limit?,offset?}. The answer is a recall.Page; known but not valid is
// one too, without text. What was never known is plumbing.ErrNotFound.
func recallEvidence(a *arguments, d Deps, _ Caller) action {
	end, id := a.numberIf("end_seq"), a.textIf("fact_id")
	limit, offset := a.numberIf("limit"), a.numberIf("offset")
	sessionID, start := a.textIf("session_id"), a.numberIf("start_seq")
	isFact := id != nil && sessionID == nil && start == nil && end == nil
	isRange := id == nil && sessionID != nil && start != nil && end != nil
	if !isFact && !isRange && len(a.wrong) == 0 {
		a.wrong = append(a.wrong, "give either fact_id alone, or session_id with start_seq and end_seq")
	}
	from, most := valueOr(offset, 0), valueOr(limit, recall.DefaultLimit)
	deps := recall.Deps{Facts: d.Facts, Sources: d.Sources}
	return func(ctx context.Context) (Result, error) {
		var p recall.Page
		var err error
		if isFact {
			p, err = recall.Fact(ctx, deps, *id, from, most)
		} else {
			p, err = recall.Range(ctx, deps, *sessionID, *start, *end, from, most)
		}
		if err != nil {
			return Result{}, err
		}
		return object(p)
	}
}

func valueOr(n *int64, otherwise int64) int64 {
	if n == nil {
		return otherwise
	}
	return *n
}
