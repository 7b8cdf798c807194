package memview

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
)

// hereafter is what a project has forgotten once a forget has excluded some
// more records: the exclusions of now, those besides, and the next generation.
type hereafter struct {
	now  session.Exclusions
	more []fact.Position // by session key and seq
}

// Generation is the next one.
func (h hereafter) Generation() (int64, error) {
	n, err := h.now.Generation()
	return n + 1, err
}

// Excluded is what is excluded already, and what would be.
func (h hereafter) Excluded(key string) ([]int64, error) {
	seqs, err := h.now.Excluded(key)
	if err != nil {
		return nil, err
	}
	seqs = slices.Clone(seqs)
	for _, p := range h.more {
		if p.SessionID == key {
			seqs = append(seqs, p.Seq)
		}
	}
	slices.Sort(seqs)
	return slices.Compact(seqs), nil
}

func byPosition(a, b fact.Position) int {
	return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Seq, b.Seq))
}

// ending counts the summaries of a session that hold now and would not after a forget.
func (s Stores) ending(ctx context.Context, id string, after session.Exclusions) (n int64, err error) {
	if id == "" {
		return 0, nil
	}
	now, err := s.history(ctx, id, s.Memory.Facts)
	if errors.Is(err, plumbing.ErrNotFound) || errors.Is(err, plumbing.ErrCorrupt) || errors.Is(err, plumbing.ErrRefused) {
		return 0, nil // whose summaries count for nothing now
	}
	if err != nil {
		return 0, err
	}
	then, err := s.history(ctx, id, after)
	if err != nil || len(then) < len(now) {
		return 0, err
	}
	then = then[len(then)-len(now):] // one may have been made in between
	for i := range now {
		if now[i].Standing == session.Holds && then[i].Standing != session.Holds {
			n++
		}
	}
	return n, nil
}
