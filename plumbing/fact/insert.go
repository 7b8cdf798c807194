package fact

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/source"
)

// addRevision stores one revision, made now, with what it stands on.
func (t *txn) addRevision(id string, n int64, text string, b basis) error {
	if err := t.insertRevision(id, n, text, formatTime(t.now)); err != nil {
		return err
	}
	if err := t.insertProvenance(id, n, b.positions()); err != nil {
		return err
	}
	if b.ref == nil {
		return nil
	}
	return t.insertRef(id, n, *b.ref)
}

func (t *txn) insertRevision(id string, n int64, text, created string) error {
	if err := t.exec("INSERT INTO texts (text) VALUES (?)", text); err != nil {
		return err
	}
	return t.exec(`INSERT INTO revisions (fact_id, revision, text_id, fold, created)
		VALUES (?, ?, last_insert_rowid(), ?, ?)`, id, n, foldKey(text), created)
}

func (t *txn) insertRef(id string, n int64, ref source.Ref) error {
	seqs, err := canon.Marshal(ref.Seqs)
	if err != nil {
		return err
	}
	return t.exec("INSERT INTO source_refs (fact_id, revision, session_id, seqs, digest) VALUES (?, ?, ?, ?, ?)",
		id, n, ref.SessionID, string(seqs), ref.Digest)
}

func (t *txn) insertProvenance(id string, n int64, list []Position) error {
	for _, p := range list {
		err := t.exec(`INSERT INTO provenance (fact_id, revision, session_id, seq) VALUES (?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, id, n, p.SessionID, p.Seq)
		if err != nil {
			return err
		}
	}
	return nil
}

// checkGeneration fails with plumbing.ErrConflict where the project has
// forgotten something since the caller looked.
func (t *txn) checkGeneration(expected *int64) error {
	if expected == nil {
		return nil
	}
	g, err := t.ex.Generation()
	if err == nil && g != *expected {
		err = plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("the generation is %d, not %d: something was forgotten meanwhile", g, *expected),
			"look again, and decide anew")
	}
	return err
}

// checkNotForgotten fails with the kind where this very fact was forgotten.
func (q *query) checkNotForgotten(id string, kind error) error {
	is, err := q.isForgotten(id)
	if err == nil && is {
		err = wasForgotten(kind, id)
	}
	return err
}

func (q *query) isForgotten(id string) (bool, error) {
	var one int
	err := q.db.QueryRowContext(q.ctx, "SELECT 1 FROM forgotten WHERE fact_id = ?", id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
