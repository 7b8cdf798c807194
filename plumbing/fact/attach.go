package fact

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// Attach gives a revision that has no evidence yet the evidence ref, once
// (seed, "Source-linked recall"). Any revision of the fact may get it, since
// all of them need evidence for the fact to be valid.
//
// The same ref again is Unchanged, another one plumbing.ErrConflict, and so is
// a revision that the fact does not have. An unknown fact is ErrNotFound, a
// forgotten one ErrRefused; the evidence is judged as in Remember.
func (s *Store) Attach(ctx context.Context, id string, revision int64, ref source.Ref) (r Result, err error) {
	if err := s.enabled(); err != nil {
		return r, err
	}
	if err := CheckID(id); err != nil {
		return r, err
	}
	if err := s.syncSource(ctx, &ref); err != nil {
		return r, err
	}
	err = s.write(ctx, false, func(t *txn) error {
		if err := t.checkNotForgotten(id, plumbing.ErrRefused); err != nil {
			return err
		}
		f, err := t.one(id)
		if err != nil {
			return err
		}
		if n := f.Current().Number; revision < 1 || revision > n {
			return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("fact %s has the revisions 1 to %d, not %d", id, n, revision),
				"read it again, and decide anew")
		}
		if err := s.judge(ctx, t.ex, ref); err != nil {
			return err
		}
		r, err = t.attach(f, revision, ref)
		return err
	})
	return r, noneIsNotFound(err, id)
}

func (t *txn) attach(f Fact, revision int64, ref source.Ref) (Result, error) {
	if has := f.Revisions[revision-1].Source(); has != nil {
		if has.Equal(ref) {
			return Result{f, Unchanged}, nil
		}
		return Result{}, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("revision %d of fact %s has other evidence", revision, f.ID), "evidence is attached once; correct the fact instead")
	}
	if err := t.insertRef(f.ID, revision, ref); err != nil {
		return Result{}, err
	}
	if err := t.insertProvenance(f.ID, revision, positions(ref)); err != nil {
		return Result{}, err
	}
	f, err := t.one(f.ID)
	return Result{Fact: f}, err
}
