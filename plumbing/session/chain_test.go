package session

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/canon"
)

// chained is a session with two summaries, at 5 (records 1-4) and 8 (6, 7).
func (w *world) chained() string {
	id := w.new()
	w.append(id, user("a"), assistant("b", 1), user("c"), assistant("d", 1))
	w.put(id, fmt.Sprintf(`{"type":"compact","covered_through":4,"covers":[%s,%s],"prior":null,"generation":1,"summary":"s","model":"m"}`, w.ref(id, 1, 2), w.ref(id, 3, 4)))
	w.append(id, user("e"), assistant("f", 1))
	w.put(id, fmt.Sprintf(`{"type":"compact","covered_through":7,"covers":[%s],"prior":{"digest":%q,"seq":5},"generation":1,"summary":"t"}`,
		w.ref(id, 6, 7), canon.Digest(mustRecord(w.t, w.open(id), 5))))
	return id
}

func (w *world) chain(id string, ex Exclusions) *Chain {
	w.t.Helper()
	c, err := w.open(id).Chain(ex)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func TestChainStandings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world, string)
		ex     forgets
		first  Standing
		second Standing
	}{
		"they hold":         {nil, forgets{}, Holds, Holds},
		"a forget":          {nil, forgets{generation: 2}, Forgotten, Forgotten},
		"excluded":          {nil, forgets{seqs: []int64{6}}, Holds, Hidden},
		"a broken link":     {nil, forgets{seqs: []int64{1}}, Hidden, Broken},
		"undone":            {func(w *world, id string) { w.mustDo(w.undo(id, 3)) }, forgets{}, Hidden, Broken},
		"cleared":           {func(w *world, id string) { w.mustDo(w.clear(id)) }, forgets{}, Hidden, Broken},
		"an edited record":  {func(w *world, id string) { w.swap(id, `"text":"e"`, `"text":"x"`) }, forgets{}, Holds, Changed},
		"an edited summary": {func(w *world, id string) { w.swap(id, `"summary":"s"`, `"summary":"x"`) }, forgets{}, Holds, Broken},
		"no event":          {func(w *world, id string) { w.swap(id, `"type":"compact"`, `"type":"compacu"`) }, forgets{}, Malformed, Broken},
		"a corrupt log":     {func(w *world, id string) { w.write(id, w.read(id)+"x\n") }, forgets{}, Damaged, Damaged},
		"loops":             {func(w *world, id string) { w.swap(id, `"prior":null`, `"prior":{"digest":"sha256:0","seq":8}`) }, forgets{}, Broken, Broken},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.chained()
			if c.change != nil {
				c.change(w, id)
			}
			for _, order := range [][]int64{{5, 8}, {8, 5}} { // whichever is asked first
				chain := w.chain(id, c.ex)
				got := map[int64]Standing{}
				for _, seq := range order {
					var err error
					if got[seq], err = chain.Judge(context.Background(), seq); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(map[int64]Standing{5: c.first, 8: c.second}, got); diff != "" {
					t.Errorf("asked in the order %v: %s", order, diff)
				}
			}
		})
	}
}

func (w *world) mustDo(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// swap edits a log in place.
func (w *world) swap(id, from, to string) {
	w.t.Helper()
	old := w.read(id)
	edited := strings.Replace(old, from, to, 1)
	if edited == old {
		w.t.Fatalf("no %s in the log", from)
	}
	w.write(id, edited)
}

// TestChainUncovered: a message that comes back between what a summary covers ends it.
func TestChainUncovered(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0), user("c"), assistant("d", 0))
	w.put(id, `{"type":"compact","covered_through":4,"covers":[`+w.ref(id, 1, 4)+`],"prior":null,"generation":0}`)
	got, err := w.chain(id, forgets{}).Judge(context.Background(), 5)
	if err != nil || got != Uncovered {
		t.Error(got, err)
	}
}

func TestLineage(t *testing.T) {
	w := newWorld(t)
	id := w.chained()
	chain := w.chain(id, forgets{})
	s, err := chain.InForce(context.Background())
	if err != nil || s == nil || s.Seq != 8 || s.CoveredThrough != 7 || s.Text != "t" || s.Prior.Seq != 5 {
		t.Fatalf("%+v %v", s, err)
	}
	list, err := chain.Lineage(8)
	if err != nil || len(list) != 2 || list[0].Seq != 5 || list[0].Model != "m" || len(list[0].Covers) != 2 {
		t.Errorf("%+v %v", list, err)
	}
	if list, err = chain.Lineage(3); err != nil || len(list) != 0 {
		t.Errorf("of a message: %+v %v", list, err)
	}
}

// TestChainIsRemembered: a process takes a chain over while nothing that it
// went by has changed, also over its own appends, and never else.
func TestChainIsRemembered(t *testing.T) {
	later := time.Date(2026, 5, 5, 5, 5, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*world, string)
		ex     forgets
		want   int
	}{
		"nothing happens":       {func(*world, string) {}, forgets{}, 2},
		"its own append":        {func(w *world, id string) { w.append(id, user("g"), assistant("h", 1)) }, forgets{}, 2},
		"its own event":         {func(w *world, id string) { w.put(id, `{"type":"title","title":"T"}`) }, forgets{}, 2},
		"an undo":               {func(w *world, id string) { w.mustDo(w.undo(id, 0)) }, forgets{}, 0},
		"a clear":               {func(w *world, id string) { w.mustDo(w.clear(id)) }, forgets{}, 0},
		"a forget":              {func(*world, string) {}, forgets{generation: 1}, 0},
		"an exclusion":          {func(*world, string) {}, forgets{seqs: []int64{99}}, 0},
		"another time":          {func(w *world, id string) { w.mustDo(os.Chtimes(w.path(id), later, later)) }, forgets{}, 0},
		"another writer":        {func(w *world, id string) { w.write(id, w.read(id)); w.mustDo(os.Chtimes(w.path(id), later, later)) }, forgets{}, 0},
		"another, then its own": {func(w *world, id string) { w.mustDo(os.Chtimes(w.path(id), later, later)); w.append(id, user("g")) }, forgets{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.chained()
			if _, err := w.chain(id, forgets{}).InForce(context.Background()); err != nil {
				t.Fatal(err)
			}
			c.change(w, id)
			if got := len(w.chain(id, c.ex).links); got != c.want {
				t.Errorf("%d links are taken over, want %d", got, c.want)
			}
		})
	}
}

// TestChainsAreBounded: a long-lived process that looks at many sessions does not grow.
func TestChainsAreBounded(t *testing.T) {
	w := newWorld(t)
	for range maxChains + 5 {
		id := w.new()
		w.append(id, user("a"))
		if _, err := w.chain(id, forgets{}).InForce(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(w.chains.kept); n > maxChains {
		t.Errorf("%d chains are kept", n)
	}
}

func TestChainStopsWhenCancelled(t *testing.T) {
	w := newWorld(t)
	id := w.chained()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	c := w.chain(id, forgets{})
	if _, err := c.InForce(ctx); err == nil {
		t.Error("a cancelled judge goes on")
	}
	if s, err := c.InForce(context.Background()); err != nil || s == nil || s.Seq != 8 {
		t.Errorf("and it has judged: %+v %v", s, err)
	}
}
