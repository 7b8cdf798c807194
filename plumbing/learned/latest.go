package learned

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Events yields the learning events of a log, the latest first; it goes from
// event to event along the index.
func Events(log *session.Log) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for seq := log.Last(); seq > 0; seq-- {
			e, err := log.Entry(seq)
			if err == nil {
				if seq = e.LastEvent; seq == 0 {
					return
				}
				e, err = log.Entry(seq)
			}
			if err != nil {
				yield(Found{}, err)
				return
			}
			if e.Type != session.TypeLearning {
				continue
			}
			line, err := log.Record(seq)
			if err != nil {
				yield(Found{}, err)
				return
			}
			if !yield(read(log.ID(), seq, line), nil) {
				return
			}
		}
	}
}

// Latest is the latest learning event of a session, or, where id is "", of all
// sessions of the project by time; nil where there is none. A session that is
// not there or may not be read has no say. Its proposals are those that still
// stand: the project has forgotten nothing since, the evidence is unchanged and
// visible for new use, and it says what the proposal says.
func Latest(ctx context.Context, v source.Validator, ex session.Exclusions, id string) (*Found, error) {
	ids := []string{id}
	if id == "" {
		var err error
		if ids, err = v.Sessions.IDs(); err != nil {
			return nil, err
		}
	}
	var latest *Found
	for _, id := range ids {
		found, err := latestIn(ctx, v.Sessions, id)
		if err != nil {
			return nil, fmt.Errorf("look for learning in a session: %w", err)
		}
		if found != nil && (latest == nil || !found.Time.Before(latest.Time)) {
			latest = found
		}
	}
	if latest == nil {
		return nil, nil
	}
	return latest, latest.sift(ctx, v, ex)
}

func latestIn(ctx context.Context, s *session.Store, id string) (*Found, error) {
	log, err := s.Open(ctx, id)
	switch {
	case errors.Is(err, plumbing.ErrNotFound), errors.Is(err, plumbing.ErrInvalid),
		errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrCorrupt):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer log.Close()
	for found, err := range Events(log) {
		if err != nil {
			return nil, err
		}
		return &found, nil
	}
	return nil, nil
}

// sift leaves the proposals that still stand.
func (f *Found) sift(ctx context.Context, v source.Validator, ex session.Exclusions) error {
	generation, err := ex.Generation()
	if err != nil {
		return err
	}
	if f.Generation < generation {
		f.Proposals = nil
	}
	var failed error
	f.Proposals = slices.DeleteFunc(f.Proposals, func(p Proposal) bool {
		stands, err := p.stands(ctx, v, ex)
		if err != nil && failed == nil {
			failed = err
		}
		return !stands
	})
	return failed
}

// stands looks at a proposal's evidence anew: nothing that an event says of itself is believed.
func (p Proposal) stands(ctx context.Context, v source.Validator, ex session.Exclusions) (bool, error) {
	if p.Source.Check() != nil {
		return false, nil
	}
	status, records, err := v.Records(ctx, ex, p.Source, session.Working)
	if errors.Is(err, plumbing.ErrRefused) || errors.Is(err, plumbing.ErrInvalid) {
		return false, nil
	}
	if err != nil || status != source.Valid {
		return false, err
	}
	if p.Kind == KindFact {
		_, ok := Observed(p.Text, records)
		return ok, nil
	}
	return p.Kind == KindPreference && len(records) == 1 && Says(records[0], p.Text), nil
}
