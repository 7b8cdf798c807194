package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Stores is what Why asks.
type Stores struct {
	Sessions *session.Store
	Facts    *fact.Store
	Checkout learned.Checkout // the project's files, for facts that are about one
}

// Reason is a fact with the reasons to believe it, as things stand now.
// Text and messages are told whether the evidence holds or not, except what
// was forgotten: those words are nil, whoever asks.
type Reason struct {
	Created   time.Time
	ID        string
	Status    source.Status // of the whole fact, for durable use
	File      *string       // of a verified project fact that holds: learned.Same, Changed or Gone
	Revisions []Revision    // from 1 on
}

// Revision is one wording of a fact and what it stands on.
type Revision struct {
	Number  int64
	Created time.Time
	Text    *string // nil where any of its evidence was forgotten
	Source  *source.Ref
	Status  source.Status
	// Why says why the evidence does not hold; the first that applies. None where it holds.
	Why      *Cause
	Cleared  bool // it holds, but lies before a clear: no new fact may stand on it
	Session  *Session
	Messages []Message // the evidence, with a visible message before and after
}

// Session is where evidence comes from.
type Session struct {
	ID, Started string
	Title       *string
	Imported    *session.ImportedFrom
}

// Cause is a reason why evidence does not hold.
type Cause struct {
	Code CauseCode
	Seq  int64 // of the first record that it is about; 0 where it is about all
}

// CauseCode names a cause.
type CauseCode string

// The causes, in the order in which they are told.
const (
	NoSession  CauseCode = "no_session"  // the session is not in this project
	NoRecord   CauseCode = "no_record"   // the session ends before the record
	Refused    CauseCode = "refused"     // the session may not be read: a link, or another project's
	CorruptLog CauseCode = "corrupt"     // the session is corrupt
	NoMessage  CauseCode = "no_message"  // an event stands there, or a place-holder
	Changed    CauseCode = "changed"     // other bytes than those that were hashed
	Forgotten  CauseCode = "forgotten"   // excluded by a forget
	Older      CauseCode = "older"       // a model's words from before the last forget
	Undone     CauseCode = "undone"      // undone
	NoEvidence CauseCode = "no_evidence" // unverified: nobody showed where it was said
)

// Why tells why a fact is believed, or is not. An ID that is none is
// plumbing.ErrInvalid; an unknown or forgotten fact plumbing.ErrNotFound.
func Why(ctx context.Context, s Stores, id string) (Reason, error) {
	f, err := s.Facts.Get(ctx, id)
	if err != nil {
		return Reason{}, err
	}
	view, err := s.Facts.View(ctx)
	if err != nil {
		return Reason{}, err
	}
	r := Reason{Created: f.Created, ID: f.ID, Status: source.Valid}
	for _, rev := range f.Revisions {
		told, err := s.revision(ctx, view, rev)
		if err != nil {
			return Reason{}, fmt.Errorf("look at revision %d: %w", rev.Number, err)
		}
		r.Status = source.Worse(r.Status, told.Status)
		r.Revisions = append(r.Revisions, told)
	}
	if current := f.Current(); r.Status == source.Valid {
		r.File = s.Checkout.State(ctx, view, current.Text, current.Source())
	}
	return r, nil
}

func (s Stores) revision(ctx context.Context, ex session.Exclusions, rev fact.Revision) (Revision, error) {
	told := Revision{Number: rev.Number, Created: rev.Created, Text: &rev.Text, Source: rev.Source()}
	forgot, err := anyExcluded(ex, rev.Provenance)
	if err != nil {
		return told, err
	}
	if forgot {
		told.Text = nil
	}
	if told.Source == nil {
		told.Status, told.Why = source.Unverified, &Cause{Code: NoEvidence}
		return told, nil
	}
	v, done := source.Validator{Sessions: s.Sessions}.Cached()
	told.Status, err = v.Validate(ctx, ex, *told.Source, session.Durable)
	done()
	if errors.Is(err, plumbing.ErrRefused) {
		told.Status, told.Why = source.Missing, &Cause{Code: Refused}
		return told, nil
	}
	if errors.Is(err, plumbing.ErrInvalid) { // an older database may name what no session can be called
		told.Status, told.Why = source.Missing, &Cause{Code: NoSession}
		return told, nil
	}
	if err != nil {
		return told, err
	}
	return told, s.witness(ctx, ex, &told)
}

func anyExcluded(ex session.Exclusions, list []fact.Position) (bool, error) {
	for _, p := range list {
		seqs, err := ex.Excluded(session.Key(p.SessionID))
		if err != nil {
			return false, err
		}
		if _, is := slices.BinarySearch(seqs, p.Seq); is {
			return true, nil
		}
	}
	return false, nil
}

// witness opens the session of a revision and tells what stands there.
func (s Stores) witness(ctx context.Context, ex session.Exclusions, told *Revision) error {
	l, err := s.Sessions.Open(ctx, told.Source.SessionID)
	switch {
	case errors.Is(err, plumbing.ErrNotFound):
		told.Why = &Cause{Code: NoSession}
		return nil
	case errors.Is(err, plumbing.ErrCorrupt):
		told.Why = &Cause{Code: CorruptLog}
		return nil
	case err != nil:
		return err
	}
	defer l.Close()
	if told.Session, err = describe(ctx, s.Sessions, l); err != nil {
		return err
	}
	vis, err := l.Visibility(ex)
	if err != nil {
		return err
	}
	excluded, err := ex.Excluded(session.Key(l.ID()))
	if err != nil {
		return err
	}
	w := scene{l, vis, excluded}
	if told.Status != source.Valid {
		if told.Why, err = w.cause(told); err != nil {
			return err
		}
	}
	if told.Messages, err = w.messages(*told.Source); err != nil {
		return err
	}
	told.Cleared, err = w.cleared(told)
	return err
}

func describe(ctx context.Context, store *session.Store, l *session.Log) (*Session, error) {
	info, err := store.Info(ctx, l.ID())
	if errors.Is(err, plumbing.ErrNotFound) {
		return &Session{ID: l.ID(), Started: l.Header().Time}, nil // deleted meanwhile
	}
	if err != nil {
		return nil, err
	}
	return &Session{ID: info.ID, Started: info.Created, Title: info.Title, Imported: info.Imported}, nil
}
