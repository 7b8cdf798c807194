package fact

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// RememberOptions says how a fact is made.
type RememberOptions struct {
	// Deduplicate returns the fact that has this text already, folded, in any
	// of its revisions, instead of making another one (seed, "Bounds,
	// deduplication, and failure handling").
	Deduplicate bool
	// Unverified makes a fact without evidence; ref must be nil then. It is never recalled.
	Unverified bool
	// ExpectedGeneration, where set, must be the project's inside the transaction.
	ExpectedGeneration *int64
}

// Remember makes a fact of text on the evidence ref (seed, "Correction,
// forgetting, and recovery"). Nothing is written unless all of this holds,
// checked in this order inside one transaction: the expected generation
// (plumbing.ErrConflict), this very fact was not forgotten (ErrRefused), the
// evidence is there (ErrNotFound), unchanged (ErrConflict), visible for working
// use and nowhere excluded (ErrRefused).
//
// The same text on the same evidence is Retried: the fact as it is now, which
// may have been corrected since; with another digest for the same positions it
// is ErrConflict. Text and form of ref are ErrInvalid, a disabled memory is
// ErrRefused, a lock that others hold ErrBusy, an unusable database ErrCorrupt.
func (s *Store) Remember(ctx context.Context, text string, ref *source.Ref, opt RememberOptions) (Result, error) {
	return s.remember(ctx, text, basis{ref: ref}, opt)
}

// Add is Remember without evidence, at most with positions that the text is
// said to come from. Nothing checks those but that none was forgotten, and a
// forget excludes them (seed: the lower-level add). A second Add of the text
// with positions that the first did not have is plumbing.ErrConflict.
func (s *Store) Add(ctx context.Context, text string, provenance []Position) (Result, error) {
	return s.remember(ctx, text, basis{provenance: provenance}, RememberOptions{Unverified: true})
}

func (s *Store) remember(ctx context.Context, text string, b basis, opt RememberOptions) (Result, error) {
	if err := s.enabled(); err != nil {
		return Result{}, err
	}
	if err := CheckText(text); err != nil {
		return Result{}, err
	}
	if err := b.prepare(ctx, s, opt.Unverified); err != nil {
		return Result{}, err
	}
	id, err := ID(text, b.ref)
	if err != nil {
		return Result{}, err
	}
	if err := b.judgeFirst(ctx, s); err != nil {
		return Result{}, err
	}
	var r Result
	err = s.write(ctx, true, func(t *txn) error {
		if err := t.checkGeneration(opt.ExpectedGeneration); err != nil {
			return err
		}
		if err := t.checkNotForgotten(id, plumbing.ErrRefused); err != nil {
			return err
		}
		if err := b.judge(ctx, s, t.ex); err != nil {
			return err
		}
		if r, err = t.incumbent(id, text, b, opt.Deduplicate); err != nil || r.Outcome != "" {
			return err
		}
		r, err = t.create(id, text, b)
		return err
	})
	return r, err
}

func (s *Store) enabled() error {
	if s.opt.Enabled {
		return nil
	}
	return plumbing.Fail(plumbing.ErrRefused, "memory is disabled: memory.enabled is false",
		"set memory.enabled = true; `lecode config` shows where it is set")
}

// incumbent finds the fact that stands in the way of a new one; no Outcome means none does.
func (t *txn) incumbent(id, text string, b basis, deduplicate bool) (Result, error) {
	f, err := t.one(id)
	if err == nil {
		return t.retried(f, b)
	}
	if !errors.Is(err, plumbing.ErrNotFound) || !deduplicate {
		return Result{}, ignoreNotFound(err)
	}
	var same string
	err = t.db.QueryRowContext(t.ctx, `SELECT f.id FROM revisions r JOIN facts f ON f.id = r.fact_id
		WHERE r.fold = ? ORDER BY f.created, f.id LIMIT 1`, foldKey(text)).Scan(&same)
	if errors.Is(err, sql.ErrNoRows) {
		return Result{}, nil
	}
	if err != nil {
		return Result{}, err
	}
	f, err = t.one(same)
	return Result{f, Deduplicated}, err
}

// retried tells a retry from other evidence for the same words.
func (t *txn) retried(f Fact, b basis) (Result, error) {
	first := f.Revisions[0]
	same := !slices.ContainsFunc(b.provenance, func(p Position) bool { return !slices.Contains(first.Provenance, p) })
	if b.ref != nil {
		same = first.Source() != nil && first.Source().Equal(*b.ref)
	}
	if !same {
		return Result{}, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("fact %s has this text already, on other evidence at the same place", f.ID),
			"`lecode provenance` shows it; forget that fact, or use other words")
	}
	return Result{f, Retried}, nil
}

func ignoreNotFound(err error) error {
	if errors.Is(err, plumbing.ErrNotFound) {
		return nil
	}
	return err
}

func (t *txn) create(id, text string, b basis) (Result, error) {
	now := formatTime(t.now)
	if err := t.exec("INSERT INTO facts (id, created, revision, revised) VALUES (?, ?, 1, ?)", id, now, now); err != nil {
		return Result{}, err
	}
	if err := t.addRevision(id, 1, text, b); err != nil {
		return Result{}, err
	}
	f, err := t.one(id)
	return Result{f, Created}, err
}
