package fact

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// syncSource makes the evidence durable before a fact is derived from it
// (design section 5); it runs before the transaction, for it may take long.
func (s *Store) syncSource(ctx context.Context, ref *source.Ref) error {
	if ref == nil {
		return nil
	}
	if err := ref.Check(); err != nil {
		return err
	}
	if err := session.CheckID(ref.SessionID); err != nil {
		return err
	}
	return s.opt.Validator.Sync(ctx, *ref)
}

// judge refuses evidence that does not hold for working use with the
// exclusions ex: missing is plumbing.ErrNotFound, stale ErrConflict, hidden
// and excluded ErrRefused.
func (s *Store) judge(ctx context.Context, ex session.Exclusions, ref source.Ref) error {
	status, err := s.opt.Validator.Validate(ctx, ex, ref, session.Working)
	if err != nil {
		return err
	}
	if err := refuse(ref, status); err != nil {
		return err
	}
	return checkExcluded(ex, positions(ref))
}

func refuse(ref source.Ref, status source.Status) error {
	where := fmt.Sprintf("session %q, seqs %d to %d", ref.SessionID, ref.Seqs[0], ref.Seqs[len(ref.Seqs)-1])
	again := "take a new one with `lecode snapshot`"
	switch status {
	case source.Valid:
		return nil
	case source.Missing:
		return plumbing.Fail(plumbing.ErrNotFound, "the evidence is missing: "+where, again)
	case source.Stale:
		return plumbing.Fail(plumbing.ErrConflict, "the evidence is stale, its records have changed: "+where, again)
	case source.Hidden:
		return plumbing.Fail(plumbing.ErrRefused, "the evidence is hidden (undone, cleared or forgotten): "+where,
			"use words that are visible now")
	}
	return fmt.Errorf("the evidence has the unknown status %q", status)
}

// checkExcluded refuses positions that were forgotten, whatever else holds them valid.
func checkExcluded(ex session.Exclusions, list []Position) error {
	excluded := map[string]map[int64]bool{}
	for _, p := range list {
		key := session.Key(p.SessionID)
		if excluded[key] == nil {
			seqs, err := ex.Excluded(key)
			if err != nil {
				return err
			}
			excluded[key] = map[int64]bool{}
			for _, seq := range seqs {
				excluded[key][seq] = true
			}
		}
		if excluded[key][p.Seq] {
			return plumbing.Fail(plumbing.ErrRefused,
				fmt.Sprintf("the evidence was forgotten: session %q, seq %d", p.SessionID, p.Seq),
				"use words that were not forgotten")
		}
	}
	return nil
}

func positions(ref source.Ref) []Position {
	list := make([]Position, len(ref.Seqs))
	for i, seq := range ref.Seqs {
		list[i] = Position{Seq: seq, SessionID: ref.SessionID}
	}
	return list
}

// checkProvenance reports whether positions that nothing proves have the form of positions.
func checkProvenance(list []Position) error {
	for _, p := range list {
		if err := session.CheckID(p.SessionID); err != nil {
			return err
		}
		if p.Seq < 1 {
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("seq %d is no position: they count from 1", p.Seq), "")
		}
	}
	return nil
}

// basis is what a revision is to stand on: evidence, or at most positions that nothing proves.
type basis struct {
	ref        *source.Ref
	provenance []Position
}

// prepare checks the form of b and makes its evidence durable.
func (b basis) prepare(ctx context.Context, s *Store, unverified bool) error {
	switch {
	case b.ref == nil && !unverified:
		return plumbing.Fail(plumbing.ErrInvalid, "evidence is due: a source ref",
			"pipe in what `lecode snapshot` printed, or say --unverified")
	case b.ref != nil && unverified:
		return plumbing.Fail(plumbing.ErrInvalid, "an unverified text takes no source ref", "leave one of the two out")
	}
	if err := checkProvenance(b.provenance); err != nil {
		return err
	}
	return s.syncSource(ctx, b.ref)
}

// judge refuses what b may not stand on with the exclusions ex.
func (b basis) judge(ctx context.Context, s *Store, ex session.Exclusions) error {
	if b.ref != nil {
		return s.judge(ctx, ex, *b.ref)
	}
	return checkExcluded(ex, b.provenance)
}

func (b basis) positions() []Position {
	if b.ref != nil {
		return positions(*b.ref)
	}
	return b.provenance
}

// judgeFirst judges b while there is no database yet, so that refused evidence makes none.
func (b basis) judgeFirst(ctx context.Context, s *Store) error {
	if _, err := s.checkFiles(); !errors.Is(err, errNone) {
		return err
	}
	return b.judge(ctx, s, nothingForgotten{})
}

// nothingForgotten is what a project without a database has excluded.
type nothingForgotten struct{}

func (nothingForgotten) Generation() (int64, error)       { return 0, nil }
func (nothingForgotten) Excluded(string) ([]int64, error) { return nil, nil }
