package fact

import (
	"context"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Status reports whether a fact holds for p: source.Valid only if the evidence
// of every revision is valid; else the first that applies to any of them in
// the order missing, stale, hidden, unverified (design section 5). A revision
// without evidence is unverified. Errors are the validator's.
func (s *Store) Status(ctx context.Context, f Fact, ex session.Exclusions, p session.Purpose) (source.Status, error) {
	return StatusBy(ctx, s.opt.Validator, f, ex, p)
}

// StatusBy is Status with another validator, as one that keeps session logs open for many facts.
func StatusBy(ctx context.Context, v Validator, f Fact, ex session.Exclusions, p session.Purpose) (source.Status, error) {
	worst := source.Valid
	for _, r := range f.Revisions {
		status := source.Unverified
		if ref := r.Source(); ref != nil {
			var err error
			if status, err = v.Validate(ctx, ex, *ref, p); err != nil {
				return "", err
			}
		}
		if rank(status) < rank(worst) {
			worst = status
		}
		if worst == source.Missing {
			break
		}
	}
	return worst, nil
}

// rank orders the statuses as design section 5 does; valid comes last.
func rank(status source.Status) int {
	for i, s := range []source.Status{source.Missing, source.Stale, source.Hidden, source.Unverified} {
		if s == status {
			return i
		}
	}
	return 4
}
