package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// Snapshot is a Ref that was just taken.
type Snapshot struct {
	Ref
	// Generated: some of the records came from or through a model, or nobody
	// typed them. Such evidence ends with the next forget of the project.
	Generated bool
}

// Snapshot takes the messages from start to end inclusive that are visible for
// session.Working; hidden ones and events are left out (design section 5).
//
// Start below 1, start after end and more than MaxPositions positions are
// plumbing.ErrInvalid; no such session and end past its last record
// plumbing.ErrNotFound; a corrupt session plumbing.ErrCorrupt, also before the
// damage; another project's session and a link plumbing.ErrRefused; nothing
// visible in the range plumbing.ErrNo.
func (v Validator) Snapshot(ctx context.Context, ex session.Exclusions, id string, start, end int64) (Snapshot, error) {
	if err := checkRange(start, end); err != nil {
		return Snapshot{}, err
	}
	o, done, err := v.open(ctx, id)
	if err != nil {
		return Snapshot{}, err
	}
	defer done()
	s, err := o.snapshot(ctx, ex, start, end)
	if c := o.log.Corruption(); c != nil && !errors.Is(err, plumbing.ErrCorrupt) {
		return Snapshot{}, c.Err(id)
	}
	return s, err
}

func checkRange(start, end int64) error {
	hint := fmt.Sprintf("take START from 1, END from START, and at most %d positions", MaxPositions)
	switch {
	case start < 1:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the range starts at %d", start), hint)
	case start > end:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the range starts at %d and ends before that, at %d", start, end), hint)
	case end-start >= MaxPositions:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the range %d to %d has %d positions", start, end, end-start+1), hint)
	}
	return nil
}

func (o *opened) snapshot(ctx context.Context, ex session.Exclusions, start, end int64) (Snapshot, error) {
	id := o.log.ID()
	if c := o.log.Corruption(); c != nil {
		return Snapshot{}, c.Err(id)
	}
	if last := o.log.Last(); end > last {
		return Snapshot{}, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("session %q ends at record %d, before %d", id, last, end),
			fmt.Sprintf("`lecode log %s` shows what there is", id))
	}
	vis, err := o.visibility(ex)
	if err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{Ref: Ref{SessionID: id}}
	for seq := start; seq <= end; seq++ {
		e, err := o.log.Entry(seq)
		if err != nil {
			return Snapshot{}, err
		}
		if vis.Shows(e, session.Working) {
			s.Seqs = append(s.Seqs, seq)
			s.Generated = s.Generated || !e.Typed()
		}
	}
	if len(s.Seqs) == 0 {
		return Snapshot{}, plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("no visible message in session %q from %d to %d", id, start, end),
			"what is there was undone, cleared or forgotten, or is no message")
	}
	s.Digest, err = o.digest(ctx, s.Seqs)
	return s, err
}

func (o *opened) digest(ctx context.Context, seqs []int64) (string, error) {
	h := canon.NewHasher()
	for e, err := range o.records(ctx, seqs) {
		if err != nil {
			return "", err
		}
		h.Add(e.Raw)
	}
	return h.Digest(), nil
}
