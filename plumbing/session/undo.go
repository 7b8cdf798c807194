package session

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// Undo hides an exchange: the last visible one for seq 0, otherwise the one
// that holds seq. Never past a clear. Nothing to undo is plumbing.ErrNo, a seq
// past the end plumbing.ErrNotFound.
func (w *Writer) Undo(ctx context.Context, ex Exclusions, seq int64) (Event, error) {
	v, err := w.log.Visibility(ex)
	if err != nil {
		return Event{}, err
	}
	if seq > w.log.Last() {
		return Event{}, plumbing.Fail(plumbing.ErrNotFound,
			fmt.Sprintf("session %q has no record %d; it ends at %d", w.log.id, seq, w.log.Last()), "")
	}
	found := Exchange{}
	for x, err := range w.log.Exchanges() {
		if err != nil {
			return Event{}, err
		}
		switch {
		case seq > 0 && x.First <= seq && seq <= x.Last:
			found = x
		case seq == 0 && x.First > v.cleared && w.shown(v, x):
			found = x
		}
	}
	if err := w.undoable(v, found, seq); err != nil {
		return Event{}, err
	}
	return w.event(struct {
		From int64  `json:"from"`
		To   int64  `json:"to"`
		Type string `json:"type"`
	}{found.First, found.Last, TypeUndo})
}

// shown reports whether some message of an exchange is visible in the working context.
func (w *Writer) shown(v *Visibility, x Exchange) bool {
	for seq := x.First; seq <= x.Last; seq++ {
		if ok, err := v.Visible(seq, Working); err == nil && ok {
			return true
		}
	}
	return false
}

func (w *Writer) undoable(v *Visibility, x Exchange, seq int64) error {
	switch {
	case x.First == 0 && seq == 0:
		return plumbing.Fail(plumbing.ErrNo, "nothing to undo", "")
	case x.First == 0:
		return plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("record %d is part of no exchange", seq), "")
	case x.First < v.cleared:
		return plumbing.Fail(plumbing.ErrNo, "that exchange lies before a clear, which cannot be undone", "")
	case v.hidden(x.First):
		return plumbing.Fail(plumbing.ErrNo, "that exchange is undone already", "")
	}
	return nil
}

// Redo takes back the latest undo that was not redone and that no user message
// has followed; where there is none it is plumbing.ErrNo.
func (w *Writer) Redo(ctx context.Context) (Event, error) {
	v, err := w.log.undone()
	if err != nil {
		return Event{}, err
	}
	latest := int64(0)
	for _, u := range v.undone {
		latest = max(latest, u.undo)
	}
	switch {
	case latest == 0:
		return Event{}, plumbing.Fail(plumbing.ErrNo, "nothing to redo", "")
	case latest < w.lastUser:
		return Event{}, plumbing.Fail(plumbing.ErrNo, "nothing to redo", "a user message ends what can be redone")
	}
	return w.event(struct {
		Type string `json:"type"`
		Undo int64  `json:"undo"`
	}{TypeRedo, latest})
}

// Clear begins the working context anew. It cannot be undone.
func (w *Writer) Clear(ctx context.Context) (Event, error) {
	return w.event(struct {
		Type string `json:"type"`
	}{TypeClear})
}

func (w *Writer) event(object any) (Event, error) {
	line, err := canon.Marshal(object)
	if err != nil {
		return Event{}, err
	}
	return w.AppendEvent(context.Background(), line)
}
