package tool

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// The caps of memory_list (design section 13).
const (
	ListCount = 20     // facts on a page
	ListBytes = 16_384 // of the page as JSON, with its newline
)

// Listed is a fact on a page of memory_list: no text.
type Listed struct {
	Created  string      `json:"created"`
	File     *string     `json:"file"`
	ID       string      `json:"id"`
	Revision int64       `json:"revision"`
	Source   *source.Ref `json:"source"`
	Status   string      `json:"status"` // for durable use, of all revisions
}

// FactList is a page of memory_list.
type FactList struct {
	Facts      []Listed  `json:"facts"`
	Learning   *Learning `json:"learning"`    // the latest of the caller's session; null: none
	NextOffset *int64    `json:"next_offset"` // null: this page is the last
	Offset     int64     `json:"offset"`
	Total      int64     `json:"total"` // facts in all
	Type       string    `json:"type"`  // "fact_list"
}

// list is memory_list: {offset?}; the oldest fact first.
func list(a *arguments, d Deps, c Caller) action {
	offset := valueOr(a.numberIf("offset"), 0)
	return func(ctx context.Context) (Result, error) {
		facts, err := d.Facts.List(ctx, fact.Page{Offset: offset, Limit: ListCount})
		if err != nil {
			return Result{}, err
		}
		l := FactList{Facts: []Listed{}, Offset: offset, Type: "fact_list"}
		if l.Total, err = d.Facts.Count(ctx); err != nil {
			return Result{}, err
		}
		// After the facts were read: a forget in between hides them.
		view, err := d.Facts.View(ctx)
		if err != nil {
			return Result{}, err
		}
		if l.Learning, err = d.latestLearning(ctx, view, c.SessionID); err != nil {
			return Result{}, err
		}
		if err := l.fill(ctx, d, facts, view); err != nil {
			return Result{}, err
		}
		return object(l)
	}
}

// fill adds the facts that fit, and says where the next page begins.
func (l *FactList) fill(ctx context.Context, d Deps, facts []fact.Fact, view fact.View) error {
	room, err := l.room()
	if err != nil {
		return err
	}
	sources, done := d.Sources.Cached()
	defer done()
	for _, f := range facts {
		item, err := d.listed(ctx, f, view, sources)
		if err != nil {
			return err
		}
		b, err := canon.Marshal(item)
		if err != nil {
			return fmt.Errorf("list a fact: %w", err)
		}
		if room -= len(b) + len(","); room < 0 {
			break
		}
		l.Facts = append(l.Facts, item)
	}
	if next := l.Offset + int64(len(l.Facts)); next < l.Total && len(facts) > 0 {
		l.NextOffset = &next
	}
	return nil
}

// room is the bytes that facts may take, all else being as large as it can become.
func (l FactList) room() (int, error) {
	most := int64(math.MaxInt64)
	l.NextOffset, l.Total = &most, most
	b, err := canon.Marshal(l)
	return ListBytes - len(b) - len("\n"), err
}

// listed is a fact as its evidence stands; a link or another project's log in the place of its session makes it stale.
func (d Deps) listed(ctx context.Context, f fact.Fact, view fact.View, sources *source.Validator) (Listed, error) {
	status, err := fact.StatusBy(ctx, sources, f, view, session.Durable)
	if errors.Is(err, plumbing.ErrRefused) {
		status, err = source.Stale, nil
	}
	told := f.Tell(status, "", false)
	return Listed{Created: *told.Created, File: d.file(ctx, view, f, status), ID: told.ID, Revision: told.Revision, Source: told.Source, Status: told.Status}, err
}
