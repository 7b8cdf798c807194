package fact

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// Receipt is what a forget did, told from its transaction alone and without
// content (design sections 7 and 15.4).
type Receipt struct {
	Changed          bool       `json:"changed"` // false: it was forgotten before
	FactID           string     `json:"fact_id"`
	Generation       int64      `json:"generation"`
	GenerationBefore int64      `json:"generation_before"`
	Positions        []Position `json:"positions"` // now excluded, by session key; empty unless Changed
	Remains          []string   `json:"remains"`
	Revisions        int64      `json:"revisions"` // deleted with the fact
}

// Remains names what a forget leaves on disk: it ends what the project uses,
// and is no erasure of the media (seed, "Correction, forgetting, and recovery").
func Remains() []string {
	return []string{"raw session log", ".bak files", "exports", "search cache until its next use"}
}

// Forget deletes a fact for good, in one transaction: every position that any
// of its revisions stands on is excluded, for all copies of its session; the
// ID is marked, so that a retry is told from an unknown ID; the generation
// counts up; fact, revisions, provenance and refs are deleted, the texts
// overwritten. Facts that overlap stay, but stop validating.
//
// A fact that was forgotten before changes nothing and is no error. An unknown
// one is plumbing.ErrNotFound. It goes on where memory is disabled.
func (s *Store) Forget(ctx context.Context, id string) (Receipt, error) {
	if err := CheckID(id); err != nil {
		return Receipt{}, err
	}
	r := Receipt{FactID: id, Positions: []Position{}, Remains: Remains()}
	err := s.write(ctx, false, func(t *txn) error {
		g, err := t.ex.Generation()
		if err != nil {
			return err
		}
		r.Generation, r.GenerationBefore = g, g
		if is, err := t.isForgotten(id); err != nil || is {
			return err
		}
		f, err := t.one(id)
		if err != nil {
			return err
		}
		r.Changed, r.Generation, r.Revisions = true, g+1, int64(len(f.Revisions))
		r.Positions = contributing(f)
		return t.forget(f, r)
	})
	if err != nil {
		return Receipt{}, noneIsNotFound(err, id)
	}
	return r, nil
}

// contributing lists what all revisions stand on, by key, each position once.
func contributing(f Fact) []Position {
	var list []Position
	add := func(p Position) {
		list = append(list, Position{Seq: p.Seq, SessionID: session.Key(p.SessionID)})
	}
	for _, r := range f.Revisions {
		for _, p := range r.Provenance {
			add(p)
		}
		for _, ref := range r.Refs {
			for _, p := range positions(ref) {
				add(p)
			}
		}
	}
	return slices.Compact(sortPositions(list))
}

func (t *txn) forget(f Fact, r Receipt) error {
	if err := t.exclude(r.Positions); err != nil {
		return err
	}
	if err := t.exec("INSERT INTO forgotten (fact_id) VALUES (?)", f.ID); err != nil {
		return err
	}
	if err := t.exec("UPDATE meta SET generation = ?, forgot_at = ?", r.Generation, formatTime(t.now)); err != nil {
		return err
	}
	// In place, at the same length: see schema.
	err := t.exec(`UPDATE texts SET text = substr(?1, 1, length(CAST(text AS BLOB)))
		WHERE id IN (SELECT text_id FROM revisions WHERE fact_id = ?2)`, blank(MaxText), f.ID)
	if err != nil {
		return err
	}
	for _, step := range []string{
		"DELETE FROM source_refs WHERE fact_id = ?",
		"DELETE FROM provenance WHERE fact_id = ?",
		"DELETE FROM revisions WHERE fact_id = ?",
		"DELETE FROM facts WHERE id = ?",
	} {
		if err := t.exec(step, f.ID); err != nil {
			return err
		}
	}
	return nil
}

// exclude notes positions, whose sessions are named by key, one statement a session.
func (t *txn) exclude(list []Position) error {
	for len(list) > 0 {
		key, n := list[0].SessionID, 0
		seqs := []int64{}
		for n < len(list) && list[n].SessionID == key {
			seqs = append(seqs, list[n].Seq)
			n++
		}
		b, err := canon.Marshal(seqs)
		if err != nil {
			return err
		}
		err = t.exec(`INSERT INTO exclusions (session_id, seq) SELECT ?, value FROM json_each(?) WHERE true
			ON CONFLICT DO NOTHING`, key, string(b))
		if err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// sortPositions returns the list by session and seq.
func sortPositions(list []Position) []Position {
	return slices.SortedFunc(slices.Values(list), func(a, b Position) int {
		if c := strings.Compare(a.SessionID, b.SessionID); c != 0 {
			return c
		}
		return int(min(max(a.Seq-b.Seq, -1), 1))
	})
}

// noneIsNotFound: where there is no database there is no fact either.
func noneIsNotFound(err error, id string) error {
	if errors.Is(err, errNone) {
		return notFound(id)
	}
	return err
}
