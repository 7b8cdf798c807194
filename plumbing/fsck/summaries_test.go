package fsck

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// TestSummaries: a summary of edited records is named; one that is inert
// because of an undo or a forget is as it should be.
func TestSummaries(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		want   []string
	}{
		"it holds":         {func(*world) {}, []string{}},
		"undone":           {func(w *world) { w.undo("s1") }, []string{}},
		"an edited record": {func(w *world) { w.edit(w.sessions("s1.jsonl"), "PELICAN it is", "PELICAN he is"); w.fresh() }, []string{"summary_stale s1.jsonl:6"}},
		"and a forget": {func(w *world) {
			w.forget(w.remember("A bird.", 1, 1))
			w.edit(w.sessions("s1.jsonl"), "PELICAN it is", "PELICAN he is")
			w.fresh()
		}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.summary(1, 2)
			c.change(w)
			if diff := cmp.Diff(c.want, w.codes(w.Check)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// summary stores a compact event over the first two records.
func (w *world) summary(start, end int64) {
	w.t.Helper()
	s, err := w.sources.Snapshot(ctx, w.facts, "s1", start, end)
	must(w.t, err)
	line, err := canon.Canonicalize(fmt.Appendf(nil,
		`{"type":"compact","covered_through":%d,"covers":[{"digest":%q,"seqs":[1,2],"session_id":"s1"}],"prior":null,"generation":0,"summary":"birds"}`, end, s.Digest))
	must(w.t, err)
	a, err := w.store.Attach(ctx, "s1")
	must(w.t, err)
	defer a.Close()
	_, err = a.AppendEvent(ctx, line)
	must(w.t, err)
}

func (w *world) undo(id string) {
	w.t.Helper()
	a, err := w.store.Attach(ctx, id)
	must(w.t, err)
	defer a.Close()
	_, err = a.Undo(ctx, session.Exclusions(w.facts), 1)
	must(w.t, err)
}
