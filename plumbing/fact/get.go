package fact

import (
	"context"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// Get returns a fact with all its revisions and their provenance, without
// asking whether its evidence holds (seed: an administrative read). An
// unknown one is plumbing.ErrNotFound, and so is a forgotten one, which the message tells.
func (s *Store) Get(ctx context.Context, id string) (Fact, error) {
	if err := CheckID(id); err != nil {
		return Fact{}, err
	}
	var f Fact
	err := s.read(ctx, func(q *query) (err error) {
		f, err = q.one(id)
		return err
	})
	return f, noneIsNotFound(err, id)
}

// Provenance returns the revisions of a fact, oldest first, each with the
// positions that it stands on; errors as Get.
func (s *Store) Provenance(ctx context.Context, id string) ([]Revision, error) {
	f, err := s.Get(ctx, id)
	return f.Revisions, err
}

// Source returns the evidence of one revision, nil where it has none. A
// revision that the fact does not have is plumbing.ErrNotFound; else as Get.
func (s *Store) Source(ctx context.Context, id string, revision int64) (*source.Ref, error) {
	f, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if revision < 1 || revision > f.Current().Number {
		return nil, plumbing.Fail(plumbing.ErrNotFound, "fact "+id+" has no such revision", "`lecode provenance` lists them")
	}
	return f.Revisions[revision-1].Source(), nil
}

// one reads a fact whole.
func (q *query) one(id string) (Fact, error) {
	list, err := q.load([]string{id})
	if err != nil {
		return Fact{}, err
	}
	if len(list) == 0 {
		if err := q.checkNotForgotten(id, plumbing.ErrNotFound); err != nil {
			return Fact{}, err
		}
		return Fact{}, notFound(id)
	}
	return list[0], q.loadProvenance(&list[0])
}

func (q *query) loadProvenance(f *Fact) error {
	rows, err := q.db.QueryContext(q.ctx,
		"SELECT revision, session_id, seq FROM provenance WHERE fact_id = ? ORDER BY revision, session_id, seq", f.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		var p Position
		if err := rows.Scan(&n, &p.SessionID, &p.Seq); err != nil {
			return q.s.corrupt("a provenance cannot be read", err)
		}
		if n < 1 || n > int64(len(f.Revisions)) {
			return q.s.corrupt("a provenance has no revision", nil)
		}
		r := &f.Revisions[n-1]
		r.Provenance = append(r.Provenance, p)
	}
	return rows.Err()
}

func (q *query) time(text string) (time.Time, error) {
	t, err := parseTime(text)
	if err != nil {
		return t, q.s.corrupt("a time cannot be read", nil)
	}
	return t, nil
}
