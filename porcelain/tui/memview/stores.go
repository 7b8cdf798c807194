package memview

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
)

// Stores is what the real Deps are made from. Corrections and forgets go
// through Memory.Tool, past permissions and hooks where it asks them.
type Stores struct {
	Memory  memory.Deps   // Tool set; SessionID is Session's to say
	Session func() string // the session that is open; "": none yet
	// Section ties the memory section to the stores; done lets go what was opened for it.
	Section func() (stores prompt.Stores, done func())
	// Caps are the section's now; enabled is memory.enabled.
	Caps func() (caps prompt.Caps, enabled bool, err error)
	// Last is the section of the last request; nil, or returning nil: not known.
	Last   func() *prompt.Gathered
	Colour bool
}

// Deps ties a view to the stores.
func (s Stores) Deps() Deps {
	m := s.Memory
	return Deps{
		Colour: s.Colour, Now: m.Now,
		Facts: s.facts,
		Why: func(ctx context.Context, id string) (memory.Reason, error) {
			return memory.Why(ctx, memory.Stores{Sessions: m.Sessions, Facts: m.Facts, Checkout: m.Checkout}, id)
		},
		Recall: func(ctx context.Context, id string, offset int64) (recall.Page, error) {
			return recall.Fact(ctx, recall.Deps{Facts: m.Facts, Sources: m.Sources}, id, offset, recall.DefaultLimit)
		},
		Foresee: s.foresee, Forget: s.forget,
		Sessions: s.sessions, Messages: s.messages, Evidence: s.evidence, Correct: s.correct, Remember: s.remember,
		Notes: m.Notes.List, Note: m.Notes.Read,
		SearchNotes: func(ctx context.Context, pattern string) (note.Found, error) {
			return m.Notes.Search(ctx, pattern, note.SearchOptions{})
		},
		Learning: s.learning, Quoted: s.quoted,
		Injected: s.injected, Summaries: s.summaries,
		Loss: func(ctx context.Context, id string, seq int64) (compact.Loss, error) {
			return compact.ReportEvent(ctx, s.compact(), id, seq)
		},
	}
}

func (s Stores) compact() compact.Deps {
	return compact.Deps{Sessions: s.Memory.Sessions, Exclusions: s.Memory.Facts}
}

// forget does what the words /memory forget do.
func (s Stores) forget(ctx context.Context, id string) (fact.Receipt, error) {
	a, err := memory.Run(ctx, s.Memory, []string{"forget", id})
	if err != nil {
		return fact.Receipt{}, err
	}
	r, ok := a.Value.(fact.Receipt)
	if !ok {
		return fact.Receipt{}, fmt.Errorf("forget answered with %T", a.Value)
	}
	return r, nil
}

// learning is the latest learning of the session that is open, or, where there
// is none, of any.
func (s Stores) learning(ctx context.Context) (*learned.Found, error) {
	view, err := s.Memory.Facts.View(ctx)
	if err != nil {
		return nil, err
	}
	v := source.Validator{Sessions: s.Memory.Sessions}
	if id := s.Session(); id != "" {
		if found, err := learned.Latest(ctx, v, view, id); found != nil || err != nil {
			return found, err
		}
	}
	return learned.Latest(ctx, v, view, "")
}

// injected is the section of the last request, or as the next one would have it.
func (s Stores) injected(ctx context.Context) (Injected, error) {
	caps, enabled, err := s.Caps()
	if err != nil || !enabled {
		return Injected{Disabled: err == nil}, err
	}
	if s.Last != nil {
		if g := s.Last(); g != nil {
			gone, err := s.gone(ctx, g.Section.Facts)
			return Injected{Last: true, Gathered: *g, Caps: caps, Gone: gone}, err
		}
	}
	stores, done := s.Section()
	defer done()
	g, err := prompt.Gather(ctx, stores, caps)
	return Injected{Gathered: g, Caps: caps}, err
}

// gone are those of the facts that may not be told any more.
func (s Stores) gone(ctx context.Context, shown []prompt.Shown) (map[string]bool, error) {
	gone := map[string]bool{}
	var there []fact.Fact
	for _, f := range shown {
		got, err := s.Memory.Facts.Get(ctx, f.ID)
		if err != nil && !errors.Is(err, plumbing.ErrNotFound) {
			return nil, err
		}
		if gone[f.ID] = err != nil; err == nil {
			there = append(there, got)
		}
	}
	judged, _, err := s.judge(ctx, there)
	for _, l := range judged {
		gone[l.Fact.ID] = l.Status != source.Valid
	}
	return gone, err
}
