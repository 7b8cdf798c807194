package fact

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// CorrectOptions says how a fact is corrected.
type CorrectOptions struct {
	// Unverified appends a revision without evidence; ref must be nil then.
	// The fact is unverified from then on, and never recalled.
	Unverified bool
	// ExpectedGeneration, where set, must be the project's inside the transaction.
	ExpectedGeneration *int64
}

// Correct appends a revision with new evidence to the fact whose current
// revision is expected (seed, "Correction, forgetting, and recovery"); earlier
// revisions and their evidence stay, and all of it has to hold for the fact to
// be valid. A fact whose evidence is hidden may be corrected. A text equal to
// the current one makes a revision too: the same words, said again elsewhere.
//
// Besides the failures of Remember: an unknown or forgotten fact is
// plumbing.ErrNotFound, another current revision ErrConflict, and evidence
// without user or assistant text (synthetic, reasoning or tool output alone) ErrRefused.
func (s *Store) Correct(ctx context.Context, id string, expected int64, text string, ref *source.Ref, opt CorrectOptions) (Result, error) {
	return s.correct(ctx, id, expected, text, basis{ref: ref}, opt)
}

// Revise is Correct without evidence, at most with positions that the text is
// said to come from (seed: the lower-level revise); see Add.
func (s *Store) Revise(ctx context.Context, id string, expected int64, text string, provenance []Position) (Result, error) {
	return s.correct(ctx, id, expected, text, basis{provenance: provenance}, CorrectOptions{Unverified: true})
}

func (s *Store) correct(ctx context.Context, id string, expected int64, text string, b basis, opt CorrectOptions) (r Result, err error) {
	if err := s.enabled(); err != nil {
		return r, err
	}
	if err := CheckID(id); err != nil {
		return r, err
	}
	if err := CheckText(text); err != nil {
		return r, err
	}
	if err := b.prepare(ctx, s, opt.Unverified); err != nil {
		return r, err
	}
	err = s.write(ctx, false, func(t *txn) error {
		f, err := t.one(id)
		if err != nil {
			return err
		}
		if err := checkRevision(f, expected); err != nil {
			return err
		}
		if err := t.checkGeneration(opt.ExpectedGeneration); err != nil {
			return err
		}
		if err := t.judgeCorrection(ctx, b); err != nil {
			return err
		}
		r, err = t.revise(f, text, b)
		return err
	})
	return r, noneIsNotFound(err, id)
}

func checkRevision(f Fact, expected int64) error {
	if n := f.Current().Number; n != expected {
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("fact %s is at revision %d, not %d", f.ID, n, expected),
			"read it again, and decide anew")
	}
	return nil
}

// judgeCorrection asks for words of a user or an assistant: what a tool printed
// alone cannot justify a correction (design section 6).
func (t *txn) judgeCorrection(ctx context.Context, b basis) error {
	if err := b.judge(ctx, t.s, t.ex); err != nil || b.ref == nil {
		return err
	}
	e, err := t.s.opt.Validator.Evidence(ctx, *b.ref)
	if err == nil && !e.Text {
		err = plumbing.Fail(plumbing.ErrRefused,
			"the evidence holds no text of a user or an assistant: tool output, reasoning or synthetic messages alone cannot correct a fact",
			"take a range in which somebody says it")
	}
	return err
}

func (t *txn) revise(f Fact, text string, b basis) (Result, error) {
	n := f.Current().Number + 1
	if err := t.addRevision(f.ID, n, text, b); err != nil {
		return Result{}, err
	}
	err := t.exec("UPDATE facts SET revision = ?, revised = ? WHERE id = ?", n, formatTime(t.now), f.ID)
	if err != nil {
		return Result{}, err
	}
	f, err = t.one(f.ID)
	return Result{Fact: f}, err
}
