package prompt

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

// MaxLooked is how many facts are looked at for a section (design section 13).
const MaxLooked = 50

// Candidate is a fact and the question whether the evidence of every revision
// of it holds for purpose durable, asked of the stores when it is called.
type Candidate struct {
	Fact
	Status func(ctx context.Context) (source.Status, error)
}

// Stores is where a section comes from. The functions are not called at the
// same time; a nil one has nothing to tell.
type Stores struct {
	// Newest returns the facts, newest revision first; those after MaxLooked are not looked at.
	Newest func(ctx context.Context) ([]Candidate, error)
	// Generation is the project's; a section is never made across a change of it.
	Generation func() (int64, error)
	// Note reads the beginning of MEMORY.md or scratchpad.md: note.Head of the
	// project is one. A missing file is the zero Note. plumbing.ErrRefused and
	// plumbing.ErrInvalid (not text) leave the file out with a warning.
	Note func(ctx context.Context, name string) (Note, error)
}

// Caps are memory.max_bytes and memory.facts_max_bytes.
type Caps struct{ MaxBytes, FactsMaxBytes int64 }

// Gathered is a section and how it came about.
type Gathered struct {
	Section    Section
	Generation int64     // the one that the section was made in
	Looked     []Looked  // every fact looked at, in order (`prompt --explain`)
	Warnings   []Warning // for stderr
}

// Looked is what became of a fact.
type Looked struct {
	ID       string         `json:"id"`
	Revision int64          `json:"revision"`
	Status   *source.Status `json:"status"` // null: it could not be asked, see Why
	Why      *string        `json:"why"`    // why it is left out: its status or one of the Why words; null: it is shown
}

// Warning names something that was skipped and why, for a line on stderr. It quotes nothing of it.
type Warning struct {
	What string // a file's name or a fact's ID
	Err  error
}

// tries is how often a section is begun again because of a forget in between.
const tries = 5

// Gather reads the stores and builds the section. A fact or file that is
// refused is skipped and named in Warnings; a failure of the machine is
// returned. If forgets keep coming in between, it is plumbing.ErrConflict.
func Gather(ctx context.Context, s Stores, c Caps) (Gathered, error) {
	for range tries {
		before, err := s.generation()
		if err != nil {
			return Gathered{}, err
		}
		g, err := s.once(ctx, c)
		if err != nil {
			return Gathered{}, err
		}
		after, err := s.generation()
		if err != nil {
			return Gathered{}, err
		}
		if g.Generation = after; before == after {
			return g, nil
		}
	}
	return Gathered{}, plumbing.Fail(plumbing.ErrConflict, "facts were forgotten while the memory section was made", "try again")
}

func (s Stores) generation() (int64, error) {
	if s.Generation == nil {
		return 0, nil
	}
	g, err := s.Generation()
	if err != nil {
		return 0, fmt.Errorf("read the generation: %w", err)
	}
	return g, nil
}

func (s Stores) once(ctx context.Context, c Caps) (g Gathered, err error) {
	in := Input{MaxBytes: c.MaxBytes, FactsMaxBytes: c.FactsMaxBytes}
	if err := g.facts(ctx, s, &in); err != nil {
		return Gathered{}, err
	}
	if in.Memory, err = g.note(ctx, s, nameMemory); err != nil {
		return Gathered{}, err
	}
	if in.Scratchpad, err = g.note(ctx, s, nameScratchpad); err != nil {
		return Gathered{}, err
	}
	g.Section = Build(in)
	g.explain()
	return g, nil
}

// facts fills in.Facts with those that hold.
func (g *Gathered) facts(ctx context.Context, s Stores, in *Input) error {
	if s.Newest == nil {
		return nil
	}
	list, err := s.Newest(ctx)
	if err != nil {
		return fmt.Errorf("list facts: %w", err)
	}
	for _, f := range list[:min(len(list), MaxLooked)] {
		l := Looked{ID: name(f.ID), Revision: f.Revision}
		status, err := f.Status(ctx)
		switch {
		case err == nil && status == source.Valid:
			l.Status = &status
			in.Facts = append(in.Facts, f.Fact)
		case err == nil:
			why := string(status)
			l.Status, l.Why = &status, &why
		case errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrInvalid):
			// ErrInvalid: a ref that lecode would not have stored.
			why := WhyRefused
			l.Why = &why
			g.Warnings = append(g.Warnings, Warning{name(f.ID), err})
		default:
			return fmt.Errorf("check the evidence of fact %s: %w", name(f.ID), err)
		}
		g.Looked = append(g.Looked, l)
	}
	return nil
}

func (g *Gathered) note(ctx context.Context, s Stores, name string) (Note, error) {
	if s.Note == nil {
		return Note{}, nil
	}
	n, err := s.Note(ctx, name)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, plumbing.ErrRefused):
		n = Note{Size: n.Size, LeftOut: WhyRefused}
	case errors.Is(err, plumbing.ErrInvalid):
		n = Note{Size: n.Size, LeftOut: WhyNotText}
	default:
		return Note{}, fmt.Errorf("read %s: %w", name, err)
	}
	g.Warnings = append(g.Warnings, Warning{name, err})
	return n, nil
}

// explain notes at each valid fact whether the section left it out.
func (g *Gathered) explain() {
	left := map[string]string{}
	for _, o := range g.Section.Omitted {
		left[o.What] = o.Why
	}
	for i, l := range g.Looked {
		if why, ok := left[l.ID]; ok && l.Why == nil {
			g.Looked[i].Why = &why
		}
	}
}
