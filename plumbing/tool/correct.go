package tool

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
)

// correct is memory_correct: {expected_revision,fact_id,source_snapshot,text}.
// The answer is the fact as it now is (fact.Told).
func correct(a *arguments, d Deps, c Caller) action {
	revision, id := a.number("expected_revision"), a.text("fact_id")
	snapshot, text := a.snapshot("source_snapshot"), a.text("text")
	return func(ctx context.Context) (Result, error) {
		r, err := d.Facts.Correct(ctx, id, revision, text, &snapshot, fact.CorrectOptions{ExpectedGeneration: c.Generation})
		if err != nil {
			return Result{}, err
		}
		view, err := d.Facts.View(ctx)
		if err != nil {
			return Result{}, stored(err)
		}
		status, err := fact.StatusBy(ctx, d.Sources, r.Fact, view, session.Durable)
		if err != nil {
			return Result{}, stored(err)
		}
		return object(r.Fact.Tell(status, r.Outcome, true))
	}
}

// stored tells an error of looking at a correction from one of making it.
func stored(err error) error {
	return fmt.Errorf("the correction is stored, but cannot be looked at: %w", err)
}
