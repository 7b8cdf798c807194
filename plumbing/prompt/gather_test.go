package prompt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

func candidate(n int, text string, status source.Status, err error) Candidate {
	return Candidate{testFact(n, text), func(context.Context) (source.Status, error) { return status, err }}
}

func newest(list ...Candidate) func(context.Context) ([]Candidate, error) {
	return func(context.Context) ([]Candidate, error) { return list, nil }
}

func notes(m map[string]string) func(context.Context, string) (Note, error) {
	return func(_ context.Context, name string) (Note, error) { return wholeNote(m[name]), nil }
}

var small = Caps{900, 800}

func TestGather(t *testing.T) {
	refused := plumbing.Fail(plumbing.ErrRefused, "a link", "")
	g, err := Gather(t.Context(), Stores{
		Newest: newest(
			candidate(6, "shown", source.Valid, nil),
			candidate(5, "undone words", source.Hidden, nil),
			candidate(4, strings.Repeat("large ", 200), source.Valid, nil),
			candidate(3, "planted words", "", fmt.Errorf("open session: %w", refused)),
			candidate(2, "stale words", source.Stale, nil),
			Candidate{Fact{ID: "f\u202E", Revision: 1, Text: "not ours"}, candidate(0, "", source.Valid, nil).Status},
			candidate(1, "shown too", source.Valid, nil)),
		Generation: func() (int64, error) { return 7, nil },
		Note:       notes(map[string]string{nameMemory: "the memory\n", nameScratchpad: "the pad\n"}),
	}, small)
	if err != nil {
		t.Fatal(err)
	}
	var looked []string
	for _, l := range g.Looked {
		status, why := "-", "-"
		if l.Status != nil {
			status = string(*l.Status)
		}
		if l.Why != nil {
			why = *l.Why
		}
		looked = append(looked, fmt.Sprint(l.ID, " ", l.Revision, " ", status, " ", why))
	}
	want := []string{"f-006 6 valid -", "f-005 5 hidden hidden", "f-004 4 valid facts_max_bytes",
		"f-003 3 - refused", "f-002 2 stale stale", "f<U+202E> 1 valid not_text", "f-001 1 valid -"}
	if d := cmp.Diff(want, looked); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Shown{{"f-006", 6}, {"f-001", 1}}, g.Section.Facts); d != "" {
		t.Error(d)
	}
	for _, words := range []string{"undone", "large", "planted", "stale words"} {
		if strings.Contains(g.Section.Text, words) {
			t.Errorf("%q is in the section", words)
		}
	}
	for _, words := range []string{"> the memory\n", "> the pad\n"} {
		if !strings.Contains(g.Section.Text, words) {
			t.Errorf("%q is not in the section", words)
		}
	}
	if g.Generation != 7 || len(g.Warnings) != 1 || g.Warnings[0].What != "f-003" || !errors.Is(g.Warnings[0].Err, refused) {
		t.Errorf("generation %d, warnings %v", g.Generation, g.Warnings)
	}
}

func TestGatherLooksAtFifty(t *testing.T) {
	asked := 0
	var list []Candidate
	for i := range 60 {
		list = append(list, Candidate{testFact(i, "x"), func(context.Context) (source.Status, error) {
			asked++
			return source.Missing, nil
		}})
	}
	g, err := Gather(t.Context(), Stores{Newest: newest(list...)}, small)
	if err != nil || asked != MaxLooked || len(g.Looked) != MaxLooked || g.Section.Text != "" {
		t.Errorf("%v: %d asked, %d looked at, %q", err, asked, len(g.Looked), g.Section.Text)
	}
}

func TestGatherSkipsNotes(t *testing.T) {
	for _, c := range []struct {
		kind error
		why  string
	}{{plumbing.ErrRefused, WhyRefused}, {plumbing.ErrInvalid, WhyNotText}} {
		g, err := Gather(t.Context(), Stores{Note: func(_ context.Context, name string) (Note, error) {
			if name == nameMemory {
				return Note{Size: 9}, plumbing.Fail(c.kind, "a reason", "")
			}
			return wholeNote("pad\n"), nil
		}}, small)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]Omitted{{9, nameMemory, c.why}}, g.Section.Omitted); d != "" {
			t.Error(d)
		}
		if g.Section.Text != labelScratchpad+"> pad\n" || len(g.Warnings) != 1 || g.Warnings[0].What != nameMemory {
			t.Errorf("%q, warnings %v", g.Section.Text, g.Warnings)
		}
	}
}

// A forget while the section is made: the words it took away are not in it.
func TestGatherForgetInBetween(t *testing.T) {
	generation := int64(1)
	list := []Candidate{candidate(1, "forgotten words", source.Valid, nil)}
	s := Stores{
		Newest:     func(context.Context) ([]Candidate, error) { return list, nil },
		Generation: func() (int64, error) { return generation, nil },
		Note: func(context.Context, string) (Note, error) {
			list, generation = nil, 2
			return Note{}, nil
		},
	}
	g, err := Gather(t.Context(), s, small)
	if err != nil || g.Section.Text != "" || g.Generation != 2 || len(g.Looked) != 0 {
		t.Errorf("%v: generation %d, %q", err, g.Generation, g.Section.Text)
	}
	s.Note = func(context.Context, string) (Note, error) { generation++; return Note{}, nil }
	if _, err := Gather(t.Context(), s, small); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("forgets without end: %v", err)
	}
}

func TestGatherFails(t *testing.T) {
	broken := &fs.PathError{Op: "read", Path: "x", Err: errors.New("input/output error")}
	for name, s := range map[string]Stores{
		"list":       {Newest: func(context.Context) ([]Candidate, error) { return nil, broken }},
		"status":     {Newest: newest(candidate(1, "x", "", broken))},
		"generation": {Generation: func() (int64, error) { return 0, broken }},
		"note":       {Note: func(context.Context, string) (Note, error) { return Note{}, broken }},
	} {
		if g, err := Gather(t.Context(), s, small); !errors.Is(err, broken) || g.Section.Text != "" {
			t.Errorf("%s: %v, %q", name, err, g.Section.Text)
		}
	}
}
