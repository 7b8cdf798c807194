package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// FactsPage is how many facts are listed at once (seed, "Bounds,
// deduplication, and failure handling").
const FactsPage = 20

// Facts is a page of the facts.
type Facts struct {
	Offset   int64
	Next     *int64 // where the next page begins; nil: this is the last
	Facts    []Listed
	Learning *learned.Found // nil: none is recorded
}

// Listed is a fact with the status of its evidence now, for durable use. Its
// text may be told only where that is source.Valid.
type Listed struct {
	Fact   fact.Fact
	Status source.Status
	File   *string // of a verified project fact: learned.Same, Changed or Gone
}

// Told is the fact as commands print it.
func (l Listed) Told(full bool) fact.Told {
	told := l.Fact.Tell(l.Status, "", full)
	told.File = l.File
	return told
}

// facts lists a page of facts, the oldest first.
func facts(ctx context.Context, d Deps, args []string) (Answer, error) {
	from, err := offset(args, 0)
	if err != nil {
		return Answer{}, err
	}
	list, err := d.Facts.List(ctx, fact.Page{Offset: from, Limit: FactsPage + 1})
	if err != nil {
		return Answer{}, err
	}
	f := Facts{Offset: from}
	if len(list) > FactsPage {
		list, f.Next = list[:FactsPage], new(int64)
		*f.Next = from + FactsPage
	}
	a := Answer{}
	if f.Facts, a.Warnings, err = d.judge(ctx, list); err != nil {
		return Answer{}, err
	}
	if f.Learning, err = d.latestLearning(ctx); err != nil {
		return Answer{}, err
	}
	a.Value = f
	a.print = func(p *page) { p.facts(d, f) }
	return a, nil
}

// judge asks for the status of each fact; a session that may not be read makes
// its facts stale, and is named once.
func (d Deps) judge(ctx context.Context, list []fact.Fact) (judged []Listed, warnings []string, err error) {
	view, err := d.Facts.View(ctx)
	if err != nil {
		return nil, nil, err
	}
	validator, done := d.Sources.Cached()
	defer done()
	judged = []Listed{}
	for _, f := range list {
		status, err := fact.StatusBy(ctx, validator, f, view, session.Durable)
		if errors.Is(err, plumbing.ErrRefused) {
			if w := fmt.Sprintf("facts are not told: %v", err); !slices.Contains(warnings, w) {
				warnings = append(warnings, w)
			}
			status, err = source.Stale, nil
		}
		if err != nil {
			return nil, nil, err
		}
		l := Listed{Fact: f, Status: status}
		if status == source.Valid {
			l.File = d.Checkout.State(ctx, view, f.Current().Text, f.Current().Source())
		}
		judged = append(judged, l)
	}
	return judged, warnings, nil
}

func (p *page) facts(d Deps, f Facts) {
	switch {
	case len(f.Facts) > 0:
		p.factRows(d, f.Facts)
	case f.Offset > 0:
		p.line("", "", fmt.Sprintf("There are no facts from %d on; the first page: %s", f.Offset, d.Call.line("facts")), "")
	default:
		p.line("", "", "There are no facts yet. `lecode help tutorial` shows how to remember the first.", "")
	}
	if f.Next != nil {
		p.line("", "", "more: "+d.Call.line(fmt.Sprintf("facts %d", *f.Next)), dim)
	}
	p.learning(d, f.Learning)
}

func (p *page) factRows(d Deps, list []Listed) {
	var cells [][]string
	for _, l := range list {
		current, from, text := l.Fact.Current(), "", ""
		if ref := current.Source(); ref != nil {
			from = oneLine(ref.SessionID) + " " + Ranges(ref.Seqs)
		}
		if l.Status == source.Valid {
			text = oneLine(current.Text)
			if l.File != nil && *l.File != learned.Same {
				text = "[file " + *l.File + "] " + text
			}
		}
		cells = append(cells, []string{l.Fact.ID, fmt.Sprint(current.Number), string(l.Status),
			age(d.Now(), current.Created), from, text})
	}
	p.rows([]column{{"FACT", false}, {"REV", true}, {"STATUS", false}, {"AGE", true}, {"SOURCE", false}, {"TEXT", false}}, cells)
}
