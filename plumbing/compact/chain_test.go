package compact

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// three is a session of three summaries, at 9 (records 1-4), 14 (5-8) and 19 (10-13); 15-18 are raw.
func (w *world) three() string {
	id := w.new(exchanges(4)...)
	w.compact(id, "one")
	w.append(id, exchanges(2)...)
	w.compact(id, "two")
	w.append(id, exchanges(2)...)
	w.compact(id, "three")
	return id
}

// TestInvalidated: each change ends exactly the summaries that it should.
func TestInvalidated(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world, string)
		want   int64
	}{
		"nothing":                      {func(*world, string) {}, 19},
		"more is said":                 {func(w *world, id string) { w.append(id, exchanges(3)...) }, 19},
		"an undo in the raw rest":      {func(w *world, id string) { w.undo(id, 0) }, 19},
		"an undo in the last range":    {func(w *world, id string) { w.undo(id, 10) }, 14},
		"in the middle one":            {func(w *world, id string) { w.undo(id, 5) }, 9},
		"in the first one":             {func(w *world, id string) { w.undo(id, 3) }, 0},
		"an undo that is redone":       {func(w *world, id string) { w.undo(id, 5); w.redo(id) }, 19},
		"a clear":                      {func(w *world, id string) { w.clear(id) }, 0},
		"an edited record of the last": {func(w *world, id string) { w.editLine(id, 12, "question", "quxstion") }, 14},
		"of the middle":                {func(w *world, id string) { w.editLine(id, 6, "answer", "anXwer") }, 9},
		"of the first":                 {func(w *world, id string) { w.editLine(id, 1, "question", "quxstion") }, 0},
		"of the raw rest":              {func(w *world, id string) { w.editLine(id, 16, "answer", "anXwer") }, 19},
		"an edited summary":            {func(w *world, id string) { w.editLine(id, 14, `"two"`, `"TWO"`) }, 14},
		"an edited first summary":      {func(w *world, id string) { w.editLine(id, 9, `"one"`, `"ONE"`) }, 9},
		"the first summary is gone":    {func(w *world, id string) { w.setLine(id, 9, `{"seq":9,"type":"omitted"}`) }, 0},
		"the last summary is gone":     {func(w *world, id string) { w.setLine(id, 19, `{"seq":19,"type":"omitted"}`) }, 14},
		"a forget of a covered record": {func(w *world, id string) { w.forgets.forget(1) }, 0},
		"a forget of another session":  {func(w *world, id string) { w.forgets.forget() }, 0},
		"an exclusion in the last":     {func(w *world, id string) { w.forgets.seqs = []int64{10} }, 14},
		"an exclusion in the raw rest": {func(w *world, id string) { w.forgets.seqs = []int64{17} }, 19},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.three()
			if got := w.inForce(id); got != 19 {
				t.Fatalf("summary %d is in force at first", got)
			}
			c.change(w, id)
			if got := w.inForce(id); got != c.want {
				t.Errorf("summary %d is in force, want %d", got, c.want)
			}
			w.coversOnce(id)
		})
	}
}

// editLine changes a record in place.
func (w *world) editLine(id string, seq int, from, to string) {
	w.t.Helper()
	line := strings.Split(string(w.read(id)), "\n")[seq]
	if !strings.Contains(line, from) {
		w.t.Fatalf("no %s in record %d", from, seq)
	}
	w.edit(id, line, strings.Replace(line, from, to, 1))
}

func (w *world) setLine(id string, seq int, to string) {
	w.t.Helper()
	w.edit(id, strings.Split(string(w.read(id)), "\n")[seq], to)
}

// coversOnce: compacting goes on after whatever happened, from the summary in
// force, and the context shows each visible message exactly once: covered or raw.
func (w *world) coversOnce(id string) {
	w.t.Helper()
	w.append(id, exchanges(4)...)
	before := w.inForce(id)
	a := w.compact(id, "rebuilt")
	if prior := int64(0); (a.Prior != nil) != (before > 0) {
		w.t.Errorf("prior %+v, %d was in force", a.Prior, before)
	} else if a.Prior != nil {
		if prior = a.Prior.Seq; prior != before {
			w.t.Errorf("goes on from %d, %d was in force", prior, before)
		}
	}
	if got := w.inForce(id); got != a.Seq {
		w.t.Errorf("summary %d is in force, %d was just made", got, a.Seq)
	}
	log, err := w.Sessions.Open(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	defer log.Close()
	chain, err := log.Chain(w.Exclusions)
	if err != nil {
		w.t.Fatal(err)
	}
	lineage, err := chain.Lineage(a.Seq)
	if err != nil {
		w.t.Fatal(err)
	}
	var shown, want []int64
	for _, s := range lineage {
		for _, r := range s.Covers {
			shown = append(shown, r.Seqs...)
		}
	}
	c, err := Replay(context.Background(), w.Deps, id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, p := range c.Parts[1:] {
		shown = append(shown, p.Seqs...)
	}
	for seq := int64(1); seq <= log.Last(); seq++ {
		if ok, err := chain.Visibility().Visible(seq, session.Working); err == nil && ok {
			want = append(want, seq)
		}
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		w.t.Errorf("visible and shown: %s", diff)
	}
}

// TestRedoBehind: an exchange that comes back in what a summary covers makes it
// inert, and of several the one that fits what is visible is in force.
func TestRedoBehind(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(6)...)
	w.undo(id, 3)
	without := w.compact(id, "without")
	if got := w.inForce(id); got != without.Seq {
		t.Fatalf("summary %d", got)
	}
	w.redo(id)
	if got := w.inForce(id); got != 0 {
		t.Fatalf("after the redo summary %d is in force", got)
	}
	with := w.compact(id, "with")
	if diff := cmp.Diff("[1 2 3 4 5 6 7 8]", fmt.Sprint(with.Covers[0].Seqs)); diff != "" || w.inForce(id) != with.Seq {
		t.Error(diff)
	}
	w.undo(id, 3)
	if got := w.inForce(id); got != without.Seq {
		t.Errorf("without the exchange again: summary %d, want %d", got, without.Seq)
	}
	w.redo(id)
	if got := w.inForce(id); got != with.Seq {
		t.Errorf("with it again: summary %d, want %d", got, with.Seq)
	}
}

// TestLegacySummaries have no lineage: they are inert, and what they stood for is replayed raw.
func TestLegacySummaries(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	for _, e := range []string{
		`{"covered_through":4,"summary":"old","type":"compact"}`,
		`{"covered_through":4,"covers":[],"generation":0,"prior":null,"summary":"old","type":"compact"}`,
		`{"covered_through":4,"covers":"x","generation":0,"prior":null,"summary":"old","type":"compact"}`,
	} {
		line, err := canon.Canonicalize([]byte(e))
		if err != nil {
			t.Fatal(err)
		}
		w.attached(id, func(a *session.Writer) error { _, err := a.AppendEvent(context.Background(), line); return err })
	}
	if got := w.inForce(id); got != 0 {
		t.Errorf("summary %d is in force", got)
	}
	c, err := Replay(context.Background(), w.Deps, id)
	if err != nil || len(c.Parts) != 8 {
		t.Errorf("%d parts, %v", len(c.Parts), err)
	}
	if got := covered(w.plan(id).Plan); got != "1 2 3 4" {
		t.Errorf("the first plan covers %s", got)
	}
}

// TestFiftyRounds: each round covers what is new and carries only that.
func TestFiftyRounds(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(2)...)
	size, next := int64(0), int64(1)
	for round := range 50 {
		w.append(id, exchanges(3)...)
		p := w.plan(id)
		_, records := unframe(t, p.Request.Messages[0].Content[0].Text)
		if len(records) != 6 {
			t.Fatalf("round %d sends %d records", round, len(records))
		}
		p.Response = said(fmt.Sprintf("summary %d", round))
		p.Response.CallID = fmt.Sprint(round)
		before := int64(len(w.read(id)))
		a, err := w.apply(id, p)
		if err != nil {
			t.Fatal(err)
		}
		if a.Covers[0].Seqs[0] != next || w.inForce(id) != a.Seq {
			t.Fatalf("round %d: %+v", round, a.Event)
		}
		next = a.CoveredThrough + 1
		written := int64(len(w.read(id))) - before
		if round == 1 {
			size = written
		}
		if round > 1 && written > size+size/10 {
			t.Fatalf("round %d writes %d bytes, the second one %d", round, written, size)
		}
		for w.typeOf(id, next) == session.TypeCompact {
			next++
		}
	}
	w.coversOnce(id)
}

func (w *world) typeOf(id string, seq int64) string {
	log, err := w.Sessions.Open(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	defer log.Close()
	e, err := log.Entry(seq)
	if err != nil {
		return ""
	}
	return e.Type
}
