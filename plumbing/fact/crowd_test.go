package fact

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// tally is what the children acknowledged.
type tally struct {
	live    map[string]int64 // ID to revision
	gone    []string
	slowest int64 // microseconds
}

func (a *tally) take(line string) {
	var verb, id string
	var us int64
	fmt.Sscan(line, &verb, &id, &us)
	a.slowest = max(a.slowest, us)
	switch verb {
	case "kept":
		a.live[id] = 1
	case "corrected":
		a.live[id] = 2
	case "forgot":
		delete(a.live, id)
		a.gone = append(a.gone, id)
	}
}

// crowd runs processes that mutate at once and returns what they acknowledged.
func crowd(t testing.TB, dir string, processes, times int) *tally {
	t.Helper()
	all := &tally{live: map[string]int64{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range processes {
		c, out, stderr := start(t, "mutate", dir, i, times)
		wg.Go(func() {
			lines := 0
			for {
				line, err := out.ReadString('\n')
				if err != nil {
					break
				}
				mu.Lock()
				all.take(line)
				mu.Unlock()
				lines++
			}
			if err := c.Wait(); err != nil || lines != times {
				t.Errorf("process %d did %d of %d: %v %s", i, lines, times, err, stderr)
			}
		})
	}
	wg.Wait()
	return all
}

// holds checks that the database has exactly what was acknowledged.
func (a *tally) holds(t testing.TB, s *Store) {
	t.Helper()
	got := map[string]int64{}
	for offset := int64(0); ; offset += MaxPage {
		page, err := s.List(ctx, Page{Offset: offset})
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, f := range page {
			got[f.ID] = f.Current().Number
		}
	}
	if d := cmp.Diff(a.live, got); d != "" {
		t.Error(d)
	}
	if g, err := s.Generation(); g != int64(len(a.gone)) || err != nil {
		t.Errorf("generation %d, %v after %d forgets", g, err, len(a.gone))
	}
	for _, id := range a.gone {
		if _, err := s.Get(ctx, id); !errors.Is(err, plumbing.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// adopt takes in the one change that the killed process may have committed without telling.
func (a *tally) adopt(t testing.TB, s *Store, round int) {
	t.Helper()
	g, err := s.Generation()
	must(t, err)
	n, err := s.Count(ctx)
	must(t, err)
	changes := g - int64(len(a.gone)) + max(n-int64(len(a.live)), 0)
	for offset := int64(0); ; offset += MaxPage {
		page, err := s.List(ctx, Page{Offset: offset})
		must(t, err)
		if len(page) == 0 {
			break
		}
		for _, f := range page {
			if r := f.Current().Number; a.live[f.ID] != r {
				if a.live[f.ID] != 0 {
					changes++
				}
				a.live[f.ID] = r
			}
		}
	}
	if g > int64(len(a.gone)) {
		for id := range a.live {
			if _, err := s.Get(ctx, id); errors.Is(err, plumbing.ErrNotFound) {
				delete(a.live, id)
				a.gone = append(a.gone, id)
			}
		}
	}
	if changes > 1 {
		t.Errorf("round %d: %d changes were not acknowledged", round, changes)
	}
}
