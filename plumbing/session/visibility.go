package session

import (
	"fmt"
	"slices"

	"github.com/tidwall/gjson"
)

// Purpose says what visible means: Working respects /clear, Durable does not
// (seed, "Source-linked recall"). All three leave the log as it is.
type Purpose string

const (
	// Working is what the running context, new extraction and correction may use.
	Working Purpose = "working"
	// Durable is what an existing fact may still stand on: as Working, but a clear does not hide.
	Durable Purpose = "durable"
)

// Exclusions is what a project has forgotten. fact.Store satisfies it outside
// a transaction by reading the database at each call; inside one, fact hands
// over a value that reads on that transaction, so that nobody waits for
// himself (design section 2).
type Exclusions interface {
	// Generation is the number of forgets so far; 0 where nothing was forgotten.
	Generation() (int64, error)
	// Excluded returns the excluded seqs of a session, by Key of its ID, in ascending order.
	Excluded(key string) ([]int64, error)
}

// Visibility decides which messages of a log are visible, from the events, the
// exclusions and the generation as they were when it was made.
type Visibility struct {
	log        *Log
	undone     []span
	cleared    int64 // messages before it are outside the working context
	generation int64
	excluded   []int64
}

// span is the records that one undo hides.
type span struct{ undo, from, to int64 }

// Visibility reads the events of the log, along the index, and what the project has forgotten.
func (l *Log) Visibility(ex Exclusions) (*Visibility, error) {
	v, err := l.undone()
	if err != nil {
		return nil, err
	}
	if v.generation, err = ex.Generation(); err != nil {
		return nil, fmt.Errorf("read the generation: %w", err)
	}
	if v.excluded, err = ex.Excluded(Key(l.id)); err != nil {
		return nil, fmt.Errorf("read exclusions: %w", err)
	}
	return v, nil
}

// undone is the part of visibility that the log alone decides.
func (l *Log) undone() (*Visibility, error) {
	v := &Visibility{log: l}
	if l.x.count == 0 {
		return v, nil
	}
	redone := map[int64]bool{}
	for seq := l.Last(); seq > 0; seq-- {
		e, err := l.Entry(seq)
		if err != nil {
			return nil, err
		}
		if seq = e.LastEvent; seq == 0 {
			break
		}
		if e.Seq != seq {
			if e, err = l.Entry(seq); err != nil {
				return nil, err
			}
		}
		if err := v.take(e, redone); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// take adds an event, the latest first: a redo is met before the undo that it takes back.
func (v *Visibility) take(e Entry, redone map[int64]bool) error {
	switch e.Type {
	case TypeClear:
		v.cleared = max(v.cleared, e.Seq)
		return nil
	case TypeUndo, TypeRedo:
	default:
		return nil
	}
	line, err := v.log.Record(e.Seq)
	if err != nil {
		return err
	}
	if e.Type == TypeRedo {
		redone[gjson.GetBytes(line, "undo").Int()] = true
	} else if !redone[e.Seq] {
		v.undone = append(v.undone, span{e.Seq, gjson.GetBytes(line, "from").Int(), min(gjson.GetBytes(line, "to").Int(), e.Seq)})
	}
	return nil
}

// Generation is the project's generation that this visibility was made with.
func (v *Visibility) Generation() int64 { return v.generation }

// Visible reports whether the record is a message that is visible for the purpose.
func (v *Visibility) Visible(seq int64, p Purpose) (bool, error) {
	e, err := v.log.Entry(seq)
	if err != nil {
		return false, err
	}
	return v.Shows(e, p), nil
}

// Shows is Visible for a caller that holds the entry already.
func (v *Visibility) Shows(e Entry, p Purpose) bool {
	if !e.Message() || e.older(v.generation) || v.hidden(e.Seq) {
		return false
	}
	if p == Working && e.Seq < v.cleared {
		return false
	}
	_, excluded := slices.BinarySearch(v.excluded, e.Seq)
	return !excluded
}

func (v *Visibility) hidden(seq int64) bool {
	for _, u := range v.undone {
		if u.from <= seq && seq <= u.to {
			return true
		}
	}
	return false
}
