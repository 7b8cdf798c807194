package fact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
)

// Generation returns how often the project has forgotten, read from the
// database at each call; 0 where there is none. With Excluded it makes the
// Store a session.Exclusions. What cannot be read is an error, never 0.
func (s *Store) Generation() (int64, error) {
	var g int64
	err := s.read(context.Background(), func(q *query) (err error) {
		g, err = q.generation()
		return err
	})
	return g, ignoreNone(err)
}

// Excluded returns the forgotten seqs of the sessions with this session.Key, ascending, read at each call.
func (s *Store) Excluded(key string) ([]int64, error) {
	var seqs []int64
	err := s.read(context.Background(), func(q *query) (err error) {
		seqs, err = q.excluded(key)
		return err
	})
	return seqs, ignoreNone(err)
}

// ForgotAt returns when the project last forgot; false where it never did.
func (s *Store) ForgotAt() (at time.Time, ok bool, err error) {
	err = s.read(context.Background(), func(q *query) error {
		var g int64
		var text sql.NullString
		err := q.db.QueryRowContext(q.ctx, "SELECT generation, forgot_at FROM "+q.rel.meta).Scan(&g, &text)
		if err != nil {
			return q.s.corrupt("it does not say how often the project forgot", err)
		}
		if !text.Valid {
			// An older database did not note it: now is the most careful answer.
			at, ok = s.opt.Now().UTC(), g > 0 && q.rel.meta != currentRelations().meta
			return nil
		}
		ok = true
		at, err = q.time(text.String)
		return err
	})
	if err != nil || !ok {
		at, ok = time.Time{}, false
	}
	return at, ok, ignoreNone(err)
}

// ExcludedSeqs returns the forgotten seqs of a session, ascending. Copies share them with their original.
func (s *Store) ExcludedSeqs(ctx context.Context, sessionID string) ([]int64, error) {
	var seqs []int64
	err := s.read(ctx, func(q *query) (err error) {
		seqs, err = q.excluded(session.Key(sessionID))
		return err
	})
	return seqs, ignoreNone(err)
}

// IsExcluded reports whether a record of a session was forgotten.
func (s *Store) IsExcluded(ctx context.Context, sessionID string, seq int64) (bool, error) {
	seqs, err := s.ExcludedSeqs(ctx, sessionID)
	_, found := slices.BinarySearch(seqs, seq)
	return found, err
}

// Exclusions returns every forgotten position, by session key and seq.
func (s *Store) Exclusions(ctx context.Context) ([]Position, error) {
	var list []Position
	err := s.read(ctx, func(q *query) error {
		rows, err := q.db.QueryContext(q.ctx, "SELECT session_id, seq FROM exclusions ORDER BY session_id, seq")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var p Position
			if err := rows.Scan(&p.SessionID, &p.Seq); err != nil {
				return q.s.corrupt("an exclusion cannot be read", err)
			}
			list = append(list, p)
		}
		return rows.Err()
	})
	return list, ignoreNone(err)
}

// RaiseGeneration makes the generation at least to, for the import of a log
// whose records carry it (design section 4). It never lowers it and notes no
// forget. Where memory is disabled and there is no database it is
// plumbing.ErrRefused, unless to is 0: none is made then.
func (s *Store) RaiseGeneration(ctx context.Context, to int64) error {
	if to < 0 {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%d is no generation: they count from 0", to), "")
	}
	if g, err := s.Generation(); err != nil || g >= to {
		return err
	}
	err := s.write(ctx, s.opt.Enabled, func(t *txn) error {
		g, err := t.ex.Generation()
		if err != nil || g >= to {
			return err
		}
		return t.exec("UPDATE meta SET generation = ?", to)
	})
	if errors.Is(err, errNone) {
		return s.enabled()
	}
	return err
}

func ignoreNone(err error) error {
	if errors.Is(err, errNone) {
		return nil
	}
	return err
}

func (q *query) generation() (int64, error) {
	var g int64
	err := q.db.QueryRowContext(q.ctx, "SELECT generation FROM "+q.rel.meta).Scan(&g)
	if err != nil && sqliteCode(err) == 0 {
		err = q.s.corrupt("it does not say how often the project forgot", err)
	}
	return g, err
}

func (q *query) excluded(key string) ([]int64, error) {
	rows, err := q.db.QueryContext(q.ctx, "SELECT seq FROM exclusions WHERE session_id = ? ORDER BY seq", key)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var seqs []int64
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, q.s.corrupt("an exclusion cannot be read", err)
		}
		seqs = append(seqs, seq)
	}
	return seqs, rows.Err()
}

// exclusions reads on a transaction, each session once: within it nothing changes but by itself.
type exclusions struct {
	q     *query
	known map[string][]int64
}

func (e *exclusions) Generation() (int64, error) { return e.q.generation() }

func (e *exclusions) Excluded(key string) ([]int64, error) {
	if seqs, ok := e.known[key]; ok {
		return slices.Clone(seqs), nil
	}
	seqs, err := e.q.excluded(key)
	if err != nil {
		return nil, err
	}
	if e.known == nil {
		e.known = map[string][]int64{}
	}
	e.known[key] = seqs
	return slices.Clone(seqs), nil
}
