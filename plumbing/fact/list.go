package fact

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
)

// MaxPage is the most facts that one call lists.
const MaxPage = 500

// NewestCount and CandidateCount are how many facts are looked at for the
// memory section and for the extractor (design section 13).
const (
	NewestCount    = 50
	CandidateCount = 50
)

// Page is what part of a list is asked for.
type Page struct {
	Offset int64 // facts to skip; below 0 is plumbing.ErrInvalid
	Limit  int64 // 1 to MaxPage; 0 and what is above it is MaxPage
}

func (p Page) check() (Page, error) {
	if p.Offset < 0 || p.Limit < 0 {
		return p, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("offset %d, limit %d: a page begins at 0 or later", p.Offset, p.Limit), "")
	}
	if p.Limit == 0 || p.Limit > MaxPage {
		p.Limit = MaxPage
	}
	return p, nil
}

// List returns a page of the facts, oldest first, by ID where they are equally
// old, so that a fact made in between moves none. They are unverified reads,
// without provenance. A page past the end is empty.
func (s *Store) List(ctx context.Context, p Page) ([]Fact, error) {
	p, err := p.check()
	if err != nil {
		return nil, err
	}
	return s.list(ctx, func(q *query) string {
		return "SELECT id FROM " + q.rel.facts + " ORDER BY created, id LIMIT ? OFFSET ?"
	}, p.Limit, p.Offset)
}

// NewestFirst returns the NewestCount facts whose current revision is newest,
// newest first, by ID where they are equally new: what the memory section looks at.
func (s *Store) NewestFirst(ctx context.Context) ([]Fact, error) {
	return s.list(ctx, func(q *query) string {
		return "SELECT id FROM " + q.rel.facts + " ORDER BY revised DESC, id LIMIT ?"
	}, NewestCount)
}

// Candidates returns the first CandidateCount facts by ID: what the extractor compares with.
func (s *Store) Candidates(ctx context.Context) ([]Fact, error) {
	return s.list(ctx, func(q *query) string {
		return "SELECT id FROM " + q.rel.facts + " ORDER BY id LIMIT ?"
	}, CandidateCount)
}

// Count returns the number of facts.
func (s *Store) Count(ctx context.Context) (int64, error) {
	var n int64
	err := s.read(ctx, func(q *query) error {
		return q.db.QueryRowContext(q.ctx, "SELECT count(*) FROM facts").Scan(&n)
	})
	return n, ignoreNone(err)
}

// list loads the facts whose IDs the statement selects, in its order.
func (s *Store) list(ctx context.Context, statement func(*query) string, args ...any) ([]Fact, error) {
	var list []Fact
	err := s.read(ctx, func(q *query) error {
		ids, err := q.ids(statement(q), args...)
		if err != nil {
			return err
		}
		list, err = q.load(ids)
		return err
	})
	return list, ignoreNone(err)
}

func (q *query) ids(statement string, args ...any) ([]string, error) {
	rows, err := q.db.QueryContext(q.ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, q.s.corrupt("a fact cannot be read", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
