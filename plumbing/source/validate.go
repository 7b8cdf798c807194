package source

import (
	"context"
	"errors"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// Validator judges refs against the logs of one project. As it stands it opens
// a log for each question and is safe for many goroutines; see Cached for many
// questions in one go. It satisfies fact.Validator.
type Validator struct {
	Sessions *session.Store
	kept     *kept
}

// Validate reports whether the records of ref are there, unchanged and visible
// for p. It reads those records and the events that hide them, nothing else.
//
// Several findings are told as the first of missing (no such session or seq in
// this project), stale (other bytes, an event instead of a message, a corrupt
// session), hidden. The error is for what is no finding: plumbing.ErrInvalid
// for a ref that is none, plumbing.ErrRefused for a session of another project
// and for a link, what ex returns, and failures of the machine.
func (v Validator) Validate(ctx context.Context, ex session.Exclusions, ref Ref, p session.Purpose) (Status, error) {
	return v.Walk(ctx, ex, ref, p, func(session.Entry) error { return nil })
}

// Records returns the stored bytes of the records, each without its newline,
// and only with Valid; errors as Validate. It holds them all at once: Walk does not.
func (v Validator) Records(ctx context.Context, ex session.Exclusions, ref Ref, p session.Purpose) (Status, [][]byte, error) {
	var records [][]byte
	status, err := v.Walk(ctx, ex, ref, p, func(e session.Entry) error {
		records = append(records, append([]byte(nil), e.Raw...))
		return nil
	})
	if err != nil || status != Valid {
		return status, nil, err
	}
	return status, records, nil
}

// Walk is Validate that shows each record to fn while it is being hashed, in
// the order of seqs. What fn saw may be used only if Walk then returns Valid;
// a change is found at the end. Raw holds until fn returns. An error of fn
// ends the walk and is returned as it is. With a Cached validator fn must not
// ask that validator anything.
func (v Validator) Walk(ctx context.Context, ex session.Exclusions, ref Ref, p session.Purpose, fn func(session.Entry) error) (Status, error) {
	if err := ref.Check(); err != nil {
		return "", err
	}
	o, done, err := v.open(ctx, ref.SessionID)
	if err != nil {
		return found(err)
	}
	defer done()
	if status := o.lacks(ref); status != "" {
		return status, nil
	}
	seen := &witness{ex: ex}
	vis, err := o.visibility(seen)
	if err != nil {
		if seen.err != nil {
			return "", err
		}
		return o.broken(err)
	}
	return o.judge(ctx, ref, vis, p, fn)
}

// lacks is what can be told without reading a record; "" for nothing.
func (o *opened) lacks(ref Ref) Status {
	switch {
	case o.log.Corruption() != nil:
		return Stale
	case ref.Seqs[len(ref.Seqs)-1] > o.log.Last():
		return Missing
	}
	return ""
}

func (o *opened) judge(ctx context.Context, ref Ref, vis *session.Visibility, p session.Purpose, fn func(session.Entry) error) (Status, error) {
	hidden := false
	h := canon.NewHasher()
	for e, err := range o.records(ctx, ref.Seqs) {
		if err != nil {
			return o.broken(err)
		}
		if !e.Message() {
			return Stale, nil
		}
		h.Add(e.Raw)
		hidden = hidden || !vis.Shows(e, p)
		if err := fn(e); err != nil {
			return "", err
		}
	}
	switch {
	case o.log.Corruption() != nil || h.Digest() != ref.Digest:
		return Stale, nil
	case hidden:
		return Hidden, nil
	}
	return Valid, nil
}

// Sync makes the file that holds ref durable, before something is derived from
// it. A session that is not there is plumbing.ErrNotFound; whether the ref
// holds is Validate's to say.
func (v Validator) Sync(ctx context.Context, ref Ref) error {
	o, done, err := v.open(ctx, ref.SessionID)
	if errors.Is(err, plumbing.ErrCorrupt) {
		return nil // nothing can be derived from it: Validate says stale
	}
	if err != nil {
		return err
	}
	defer done()
	return o.log.Sync()
}

// found is what an error of opening the session says of a ref in it.
func found(err error) (Status, error) {
	switch {
	case errors.Is(err, plumbing.ErrNotFound):
		return Missing, nil
	case errors.Is(err, plumbing.ErrCorrupt):
		return Stale, nil
	}
	return "", err
}

// broken is what an error of reading the log says of a ref in it.
func (o *opened) broken(err error) (Status, error) {
	if o.log.Corruption() != nil {
		return Stale, nil
	}
	return found(err)
}

// witness tells an error of the exclusions from one of the log.
type witness struct {
	ex  session.Exclusions
	err error
}

func (w *witness) Generation() (int64, error) {
	g, err := w.ex.Generation()
	w.note(err)
	return g, err
}

func (w *witness) Excluded(key string) ([]int64, error) {
	seqs, err := w.ex.Excluded(key)
	w.note(err)
	return seqs, err
}

func (w *witness) note(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Worse returns the one of two statuses that is told where both apply: the
// first in the order missing, stale, hidden, unverified, valid (design section 5).
func Worse(a, b Status) Status {
	for _, s := range []Status{Missing, Stale, Hidden, Unverified} {
		if a == s || b == s {
			return s
		}
	}
	return Valid
}
