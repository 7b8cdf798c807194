package memview

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
)

// facts is a page of facts with the status of each.
func (s Stores) facts(ctx context.Context, q Query) (Facts, error) {
	page := fact.Page{Offset: q.Offset, Limit: memory.FactsPage + 1}
	list, err := s.list(ctx, q.Words, page)
	if err != nil {
		return Facts{}, err
	}
	got := Facts{Offset: q.Offset}
	if got.More = len(list) > memory.FactsPage; got.More {
		list = list[:memory.FactsPage]
	}
	if q.Words == "" {
		n, err := s.Memory.Facts.Count(ctx)
		if err != nil {
			return Facts{}, err
		}
		got.Total = &n
	}
	got.Facts, got.Warnings, err = s.judge(ctx, list)
	return got, err
}

func (s Stores) list(ctx context.Context, words string, p fact.Page) ([]fact.Fact, error) {
	if words != "" {
		return s.Memory.Facts.Search(ctx, words, p)
	}
	return s.Memory.Facts.List(ctx, p)
}

// judge asks for the status of each fact; a session that may not be read makes
// its facts stale, and is named once.
func (s Stores) judge(ctx context.Context, list []fact.Fact) (judged []memory.Listed, warnings []string, err error) {
	view, err := s.Memory.Facts.View(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, done := source.Validator{Sessions: s.Memory.Sessions}.Cached()
	defer done()
	for _, f := range list {
		status, err := fact.StatusBy(ctx, v, f, view, session.Durable)
		if errors.Is(err, plumbing.ErrRefused) {
			if w := fmt.Sprintf("facts are not told: %v", err); !slices.Contains(warnings, w) {
				warnings = append(warnings, w)
			}
			status, err = source.Stale, nil
		}
		if err != nil {
			return nil, nil, err
		}
		l := memory.Listed{Fact: f, Status: status}
		if status == source.Valid {
			l.File = s.Memory.Checkout.State(ctx, view, f.Current().Text, f.Current().Source())
		}
		judged = append(judged, l)
	}
	return judged, warnings, nil
}

// maxForeseen is how many facts are looked at for what a forget would take with it.
const maxForeseen = 5_000

// foresee works out what a forget would do, by asking the same questions as
// ever of exclusions as they would be after it.
func (s Stores) foresee(ctx context.Context, id string) (Forgetting, error) {
	f, err := s.Memory.Facts.Get(ctx, id)
	if err != nil {
		return Forgetting{}, err
	}
	view, err := s.Memory.Facts.View(ctx)
	if err != nil {
		return Forgetting{}, err
	}
	judged, _, err := s.judge(ctx, []fact.Fact{f})
	if err != nil {
		return Forgetting{}, err
	}
	got := Forgetting{Fact: f, Status: judged[0].Status, Positions: stoodOn(f), Remains: fact.Remains(), SessionID: s.Session()}
	after := hereafter{view, got.Positions}
	if err := s.stops(ctx, &got, view, after); err != nil {
		return Forgetting{}, err
	}
	got.Summaries, err = s.ending(ctx, got.SessionID, after)
	return got, err
}

// stoodOn is every record that any revision of a fact stands on, by session key.
func stoodOn(f fact.Fact) []fact.Position {
	var list []fact.Position
	for _, r := range f.Revisions {
		for _, p := range r.Provenance {
			list = append(list, fact.Position{SessionID: session.Key(p.SessionID), Seq: p.Seq})
		}
	}
	slices.SortFunc(list, byPosition)
	return slices.Compact(list)
}

// stops finds the facts that hold now and would not after the forget.
func (s Stores) stops(ctx context.Context, got *Forgetting, now, after session.Exclusions) error {
	v := source.Validator{Sessions: s.Memory.Sessions}
	before, done := v.Cached()
	defer done()
	then, done := v.Cached()
	defer done()
	for got.Looked < maxForeseen {
		list, err := s.Memory.Facts.List(ctx, fact.Page{Offset: got.Looked})
		if err != nil {
			return err
		}
		for _, f := range list {
			if f.ID == got.Fact.ID {
				continue
			}
			held, err := holds(ctx, before, f, now)
			if err != nil {
				return err
			}
			if !held {
				continue
			}
			if held, err = holds(ctx, then, f, after); err != nil {
				return err
			}
			if !held {
				got.Stops = append(got.Stops, memory.Listed{Fact: f, Status: source.Valid})
			}
		}
		got.Looked += int64(len(list))
		if len(list) < fact.MaxPage {
			got.All = true
			return nil
		}
	}
	return nil
}

// holds reports whether a fact may be told; one whose session may not be read may not.
func holds(ctx context.Context, v fact.Validator, f fact.Fact, ex session.Exclusions) (bool, error) {
	status, err := fact.StatusBy(ctx, v, f, ex, session.Durable)
	if errors.Is(err, plumbing.ErrRefused) {
		return false, nil
	}
	return status == source.Valid, err
}
