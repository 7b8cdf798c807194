package compact

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lecode/lecode/plumbing/session"
)

// growing holds a context that grows against one that is made anew.
func growing(t *testing.T, w *world, a *session.Writer, c *Context) (grew bool) {
	t.Helper()
	grew, err := c.Grow(context.Background(), w.Deps, a.Log())
	if err != nil {
		t.Fatal(err)
	}
	anew, err := ReplayLog(context.Background(), w.Deps, a.Log())
	if err != nil {
		t.Fatal(err)
	}
	if grew {
		if diff := cmp.Diff(anew, *c, cmpopts.IgnoreUnexported(Context{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("grown (+) is not replayed (-):\n%s", diff)
		}
	}
	*c = anew
	return grew
}

// A context that grows is, after every record of any order, what a replay makes of the log.
func TestGrow(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w, random := newWorld(t), rand.New(rand.NewPCG(seed, 1))
			id := w.new(user("first"), assistant("answer"))
			grew, rebuilt := 0, 0
			w.attached(id, func(a *session.Writer) error {
				c, err := ReplayLog(context.Background(), w.Deps, a.Log())
				if err != nil {
					return err
				}
				for i := range 60 {
					if err := w.step(a, random, i); err != nil {
						return err
					}
					if growing(t, w, a, &c) {
						grew++
					} else {
						rebuilt++
					}
				}
				return nil
			})
			if grew < 20 || rebuilt == 0 {
				t.Errorf("grew %d times, was made anew %d times: the test does not look at both", grew, rebuilt)
			}
		})
	}
}

// step appends something that may follow; call IDs are new, as those of an agent are.
func (w *world) step(a *session.Writer, random *rand.Rand, i int) error {
	ctx, call := context.Background(), fmt.Sprintf("c%d", i)
	add := func(lines ...string) error {
		for _, l := range lines {
			if _, err := a.Append(ctx, [][]byte{[]byte(l)}, 9); err != nil {
				return err
			}
		}
		return nil
	}
	switch n := random.IntN(20); {
	case n < 6:
		return add(user(call), assistant("said"))
	case n < 10:
		return add(user("do"), calls(call, call+"b"), result(call, "one"), result(call+"b", "two"))
	case n < 14:
		return add(user("go on"), calls(call))
	case n < 17:
		return add(user("again"), result("c1", "late"), assistant("well"))
	case n == 17:
		return add(user("stop"), cancel)
	case n == 18:
		w.forgets.generation = 0 // nothing is forgotten
		_, err := a.Undo(ctx, w.forgets, 0)
		if err != nil {
			return add(user("nothing to undo"))
		}
		return add(user("after the undo"))
	default:
		return add(synthetic("from the background"))
	}
}

func TestGrowIsRefused(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(3)...)
	w.attached(id, func(a *session.Writer) error {
		c, err := ReplayLog(context.Background(), w.Deps, a.Log())
		if err != nil {
			return err
		}
		if !growing(t, w, a, &c) {
			t.Error("nothing was appended, and the context does not stand")
		}
		w.forgets.forget(1)
		if growing(t, w, a, &c) {
			t.Error("grown over a forget")
		}
		if _, err := a.Clear(context.Background()); err != nil {
			return err
		}
		if growing(t, w, a, &c) {
			t.Error("grown over a clear")
		}
		return nil
	})
}
