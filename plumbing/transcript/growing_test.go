package transcript

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// grow hands text to a Growing in the given steps and returns all records.
func grow(t *testing.T, g *Growing, text string, steps ...int) ([]string, error) {
	t.Helper()
	var got []string
	for _, size := range append(steps, len(text)) {
		more, err := g.Look(strings.NewReader(text[:size]), int64(size))
		if err != nil {
			return got, err
		}
		if !more {
			continue
		}
		for b, err := range g.Records() {
			if err != nil {
				return got, err
			}
			got = append(got, string(b))
		}
	}
	return got, nil
}

func growing(t *testing.T) *Growing {
	t.Helper()
	g, err := Grow(formatClaude, "test")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const named = `{"type":"mode","sessionId":"s"}`

// TestGrowingIsTheWhole grows random files, lines before their parents among
// them, by random steps: the records are those of the whole, in its order.
func TestGrowingIsTheWhole(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		all := []string{named}
		for i := range 40 {
			switch n := rnd.IntN(6); n {
			case 0:
				all = append(all, "")
			case 1:
				all = append(all, fmt.Sprintf(`{"type":"assistant","uuid":"u%d","parentUuid":"u%d","message":{"role":"assistant","id":"m%d","content":"ä","usage":{"output_tokens":%d}}}`, i, rnd.IntN(i+1)-1, rnd.IntN(5), rnd.IntN(3)))
			default:
				all = append(all, node(fmt.Sprint("u", i), fmt.Sprint("u", rnd.IntN(i+1)-1)))
			}
			if at := len(all) - 1; at > 6 && rnd.IntN(4) == 0 {
				other := at - rnd.IntN(5)
				all[at], all[other] = all[other], all[at]
			}
		}
		// u-1 is nowhere; from then on it is waited for, so that it must not be one of the last lines.
		for range holdBack {
			all = append(all, `{"type":"mode"}`)
		}
		text := lines(all...)
		var steps []int
		for range 8 {
			steps = append(steps, rnd.IntN(len(text)))
		}
		slices.Sort(steps)
		got, err := grow(t, growing(t), text, steps...)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if diff := cmp.Diff(drain(t, formatClaude, text), got); diff != "" {
			t.Fatalf("round %d, steps %v (-whole +grown):\n%s", round, steps, diff)
		}
	}
}

func TestGrowing(t *testing.T) {
	a, b, late := node("a", ""), node("b", "a"), node("d", "c")
	first := lines(named, a)
	t.Run("a torn line waits", func(t *testing.T) {
		g := growing(t)
		got, err := grow(t, g, first+b) // whole JSON, but without its newline
		if err != nil || len(got) != 2 || g.Offset() != int64(len(first)) {
			t.Fatalf("%d records, offset %d, %v", len(got), g.Offset(), err)
		}
		if got, err = grow(t, g, first+b+"\n"); err != nil || len(got) != 1 {
			t.Errorf("then %d records, %v", len(got), err)
		}
		if id, source := g.ID(); id != "s" || source != "s" {
			t.Errorf("ID %q, source %q", id, source)
		}
	})
	t.Run("a line waits for its parent", func(t *testing.T) {
		g := growing(t)
		got, err := grow(t, g, first+lines(late, b))
		if err != nil || len(got) != 2 {
			t.Fatalf("%d records, %v", len(got), err)
		}
		whole := first + lines(late, b, node("c", "b"))
		more, err := grow(t, g, whole)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(drain(t, formatClaude, whole), append(got, more...)); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("but not for ever", func(t *testing.T) {
		g := growing(t)
		text := first + lines(late) + strings.Repeat(`{"type":"mode"}`+"\n", holdBack)
		got, err := grow(t, g, text)
		if err != nil || len(got) != 3+holdBack {
			t.Fatalf("%d records, %v", len(got), err)
		}
		if _, err := grow(t, g, text+lines(node("c", "a"))); !errors.Is(err, ErrReordered) {
			t.Errorf("the parent then: %v", err)
		}
	})
	t.Run("a name for itself late", func(t *testing.T) {
		g := growing(t)
		if got, err := grow(t, g, lines(`{"type":"summary"}`)); err != nil || len(got) != 0 {
			t.Fatalf("%d records, %v", len(got), err)
		}
		if got, err := grow(t, g, lines(`{"type":"summary"}`, named)); err != nil || len(got) != 2 {
			t.Errorf("%d records, %v", len(got), err)
		}
	})
	t.Run("a bad line is named", func(t *testing.T) {
		if _, err := grow(t, growing(t), first+"not JSON\n"); !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), "line 3") {
			t.Error(err)
		}
	})
	if _, err := Grow(formatSWE, "x"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("one document: %v", err)
	}
}
