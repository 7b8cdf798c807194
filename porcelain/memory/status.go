package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
)

// Asked is what a status is made from besides the stores in Deps.
type Asked struct {
	Enabled  bool          // memory.enabled: without it no section is made
	Section  prompt.Stores // what the memory section is made from
	Caps     prompt.Caps
	Ledger   usage.Ledger
	DayLimit *int64 // memory.max_tokens_per_day
	// Spent is what a session's records say that its calls took.
	Spent func(ctx context.Context, id string) (usage.Totals, error)
	// SpentBytes is how many bytes of logs are read for it, from the newest
	// session on; a log counts whole.
	SpentBytes int64
}

// Status is how a project's memory stands.
type Status struct {
	Sessions   Sessions
	Facts      FactCounts
	Generation int64
	Notes      []note.Info
	Section    *SectionUse // nil: memory is disabled
	Usage      Spending
	Warnings   []string // what was skipped, and why; quotes nothing
}

// Sessions counts the sessions of a project.
type Sessions struct {
	Count, Messages int64
	Copies          int64 // of other sessions, among Count
	Damaged         int64 // among Count
}

// FactCounts says of how many facts the evidence holds.
type FactCounts struct {
	Total  int64
	Looked int64 // the newest, whose evidence was checked
	Of     map[source.Status]int64
}

// SectionUse is how much of the memory section is taken.
type SectionUse struct{ Bytes, MaxBytes, Facts, LeftOut int64 }

// Spending is what model calls took.
type Spending struct {
	Today, All usage.Totals // by the ledger: calls that lecode made
	// TodayMemory is what counts for DayLimit, unknown usage by its estimate.
	TodayMemory int64
	DayLimit    *int64
	// Recorded is what the sessions' own records say, imported ones too; of
	// copies of one session only one counts. Part of it may stand in the ledger.
	Recorded usage.Totals
	Read     int64 // sessions that Recorded is of
	Unread   int64 // sessions that were too much to read
}

// Look gathers the status. Its work is bounded: at most prompt.MaxLooked facts
// are checked, and SpentBytes of logs read. What of it cannot be read is named
// in Warnings; the machine's own failures are returned.
func Look(ctx context.Context, d Deps, a Asked) (Status, error) {
	s := Status{Usage: Spending{DayLimit: a.DayLimit}}
	for _, step := range []func(context.Context, Deps, Asked) error{s.sessions, s.facts, s.notes, s.ledger} {
		if err := step(ctx, d, a); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Status) warn(format string, a ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, a...))
}

func (s *Status) sessions(ctx context.Context, d Deps, a Asked) error {
	list, err := d.Sessions.List(ctx)
	if err != nil {
		return err
	}
	var counted []session.Info
	for _, i := range list {
		if i.Foreign {
			continue
		}
		s.Sessions.Count++
		s.Sessions.Messages += i.Messages
		if i.Copy {
			s.Sessions.Copies++
		}
		if i.Corrupt != nil {
			s.Sessions.Damaged++
		}
		counted = append(counted, i)
	}
	return s.recorded(ctx, counted, a)
}

// recorded sums up what the sessions' records say, from the newest session on.
func (s *Status) recorded(ctx context.Context, list []session.Info, a Asked) error {
	seen := map[string]bool{}
	list = slices.DeleteFunc(list, func(i session.Info) bool { // an original comes before its copies
		again := seen[session.Key(i.ID)]
		seen[session.Key(i.ID)] = true
		return again
	})
	slices.SortStableFunc(list, func(x, y session.Info) int { return strings.Compare(y.Updated, x.Updated) })
	left := a.SpentBytes
	for _, i := range list {
		if left -= i.Bytes; left < 0 {
			s.Usage.Unread++
			continue
		}
		t, err := a.Spent(ctx, i.ID)
		switch {
		case errors.Is(err, plumbing.ErrNotFound), errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrCorrupt):
			s.warn("the usage in session %q is left out: %v", i.ID, err)
			continue
		case err != nil:
			return err
		}
		s.Usage.Read++
		s.Usage.Recorded = s.Usage.Recorded.Plus(t)
	}
	return nil
}

func (s *Status) facts(ctx context.Context, d Deps, a Asked) (err error) {
	s.Facts.Of = map[source.Status]int64{}
	if s.Facts.Total, err = d.Facts.Count(ctx); err != nil {
		return err
	}
	if s.Generation, err = d.Facts.Generation(); err != nil {
		return err
	}
	if !a.Enabled {
		return s.judge(ctx, a)
	}
	g, err := prompt.Gather(ctx, a.Section, a.Caps)
	if err != nil {
		return err
	}
	for _, w := range g.Warnings {
		s.warn("%s is left out of the memory section: %v", w.What, w.Err)
	}
	for _, l := range g.Looked {
		s.Facts.count(l.Status)
	}
	s.Generation = g.Generation
	s.Section = &SectionUse{Bytes: g.Section.Bytes, MaxBytes: a.Caps.MaxBytes,
		Facts: int64(len(g.Section.Facts)), LeftOut: int64(len(g.Section.Omitted))}
	return nil
}

// judge checks the facts where no section is made.
func (s *Status) judge(ctx context.Context, a Asked) error {
	list, err := a.Section.Newest(ctx)
	if err != nil {
		return err
	}
	for _, f := range list[:min(len(list), prompt.MaxLooked)] {
		status, err := f.Status(ctx)
		switch {
		case errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrInvalid):
			s.Facts.count(nil)
		case err != nil:
			return err
		default:
			s.Facts.count(&status)
		}
	}
	return nil
}

// count takes one fact; evidence that may not be asked counts as stale, as in `facts`.
func (c *FactCounts) count(status *source.Status) {
	c.Looked++
	if status == nil {
		c.Of[source.Stale]++
		return
	}
	c.Of[*status]++
}

func (s *Status) notes(ctx context.Context, d Deps, _ Asked) error {
	l, err := d.Notes.List(ctx)
	if errors.Is(err, plumbing.ErrRefused) {
		s.warn("the notes are left out: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	s.Notes = l.Notes
	s.Warnings = append(s.Warnings, skipped(l.Skipped)...)
	return nil
}

func (s *Status) ledger(ctx context.Context, _ Deps, a Asked) error {
	day := usage.Day(a.Ledger.Now())
	damaged, err := a.Ledger.Read(ctx, func(l usage.Line) {
		s.Usage.All.Add(l.Usage, l.Estimate, l.Priced)
		if day.Takes(l) {
			s.Usage.Today.Add(l.Usage, l.Estimate, l.Priced)
			s.Usage.TodayMemory = min(s.Usage.TodayMemory+l.Budgeted(), 1<<62)
		}
	})
	for _, d := range damaged {
		s.warn("%v: it is left out", d)
	}
	return err
}
