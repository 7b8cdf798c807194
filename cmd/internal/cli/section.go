package cli

import (
	"context"
	"time"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Section ties the memory section of a prompt to the project's stores; each
// session is opened once, and let go by done.
func (s Stores) Section() (stores prompt.Stores, done func()) {
	cached, done := s.Sources.Cached()
	return prompt.Stores{
		Newest:     func(ctx context.Context) ([]prompt.Candidate, error) { return candidates(ctx, s.Facts, cached) },
		Generation: s.Facts.Generation,
		Note: func(ctx context.Context, name string) (prompt.Note, error) {
			if err := s.Notes.Prepare(ctx); err != nil {
				return prompt.Note{}, err
			}
			head, err := note.Head(s.Config, s.Project.Slug, name)
			return prompt.Note{Text: head.Text, Size: head.Size}, err
		},
	}, done
}

func candidates(ctx context.Context, facts *fact.Store, v *source.Validator) ([]prompt.Candidate, error) {
	view, err := facts.View(ctx)
	if err != nil {
		return nil, err
	}
	list, err := facts.NewestFirst(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]prompt.Candidate, len(list))
	for i, f := range list {
		current := f.Current()
		out[i] = prompt.Candidate{
			Fact: prompt.Fact{ID: f.ID, Refs: current.Refs, Revision: current.Number, Text: current.Text},
			Status: func(ctx context.Context) (source.Status, error) {
				return fact.StatusBy(ctx, v, f, view, session.Durable)
			},
		}
	}
	return out, nil
}

// ImportGeneration is what a foreign record that is not the user's gets: the
// project's generation if it is later than the last forget, else 0 (design section 4).
func (s Stores) ImportGeneration() (func(time.Time) int64, error) {
	generation, err := s.Facts.Generation()
	if err != nil {
		return nil, err
	}
	forgot, ever, err := s.Facts.ForgotAt()
	if err != nil {
		return nil, err
	}
	return func(t time.Time) int64 {
		if ever && !t.After(forgot) {
			return 0
		}
		return generation
	}, nil
}
