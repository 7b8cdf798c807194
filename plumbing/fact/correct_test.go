package fact

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

func TestCorrect(t *testing.T) {
	f := newFixture(t)
	x := f.remember("Use tabs.", ref("s", 1))
	res, err := f.Correct(ctx, x.ID, 1, "Use spaces.", ref("t", 4, 5), CorrectOptions{})
	must(t, err)
	if res.Outcome != "" || len(res.Fact.Revisions) != 2 || !res.Fact.Created.Equal(x.Created) {
		t.Errorf("%+v", res)
	}
	if d := cmp.Diff(x.Revisions[0], res.Fact.Revisions[0]); d != "" {
		t.Error("the first revision changed:", d)
	}
	if r := res.Fact.Current(); r.Number != 2 || r.Text != "Use spaces." || !r.Source().Equal(*ref("t", 4, 5)) ||
		!cmp.Equal(r.Provenance, []Position{{4, "t"}, {5, "t"}}) || !r.Created.After(x.Created) {
		t.Errorf("%+v", r)
	}
	// The same words again, said elsewhere, are a revision too.
	res, err = f.Correct(ctx, x.ID, 2, "Use spaces.", ref("t", 9), CorrectOptions{})
	must(t, err)
	if res.Fact.Current().Number != 3 {
		t.Errorf("%+v", res)
	}
	got, err := f.again().Get(ctx, x.ID)
	must(t, err)
	if d := cmp.Diff(res.Fact, got); d != "" {
		t.Error(d)
	}
	f.sound()
}

func TestCorrectRefuses(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	f.v.noText = map[string]bool{"tool": true}
	_, err := f.Correct(ctx, x.ID, 1, "y", ref("tool", 1), CorrectOptions{})
	wantKind(t, err, plumbing.ErrRefused, "tool output")
	_, err = f.Correct(ctx, x.ID, 2, "y", ref("s", 2), CorrectOptions{})
	wantKind(t, err, plumbing.ErrConflict, x.ID, "revision 1, not 2")
	_, err = f.Correct(ctx, unknown, 1, "y", ref("s", 2), CorrectOptions{})
	wantKind(t, err, plumbing.ErrNotFound, unknown)
	_, err = f.Correct(ctx, "../x", 1, "y", ref("s", 2), CorrectOptions{})
	wantKind(t, err, plumbing.ErrInvalid)
	_, err = f.Correct(ctx, x.ID, 1, "y", nil, CorrectOptions{})
	wantKind(t, err, plumbing.ErrInvalid, "evidence is due")
	y := f.remember("y", ref("s", 2))
	f.forget(x.ID)
	_, err = f.Correct(ctx, x.ID, 1, "y", ref("s", 3), CorrectOptions{})
	wantKind(t, err, plumbing.ErrNotFound, "was forgotten")
	_, err = f.Correct(ctx, y.ID, 1, "z", ref("s", 1, 3), CorrectOptions{})
	wantKind(t, err, plumbing.ErrRefused)
	_, err = f.Correct(ctx, y.ID, 1, "z", ref("s~2", 1), CorrectOptions{})
	wantKind(t, err, plumbing.ErrRefused)
	if got, err := f.Get(ctx, y.ID); err != nil || !cmp.Equal(got, y) {
		t.Errorf("%v %v", got, err)
	}
}

func TestCorrectAHiddenFactAndUnverified(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("undone", 1))
	f.v.set("undone", source.Hidden)
	res, err := f.Correct(ctx, x.ID, 1, "y", ref("s", 1), CorrectOptions{})
	must(t, err)
	if s, err := f.Status(ctx, res.Fact, f, session.Durable); s != source.Hidden || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	f.v.set("undone", source.Valid)
	if s, err := f.Status(ctx, res.Fact, f, session.Durable); s != source.Valid || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	res, err = f.Correct(ctx, x.ID, 2, "z", nil, CorrectOptions{Unverified: true})
	must(t, err)
	if s, err := f.Status(ctx, res.Fact, f, session.Durable); s != source.Unverified || err != nil {
		t.Errorf("%q, %v", s, err)
	}
}

// Every revision counts, and the first status in the order missing, stale, hidden, unverified is told.
func TestStatusOrder(t *testing.T) {
	f := newFixture(t)
	for _, c := range []struct {
		of   []source.Status
		want source.Status
	}{
		{[]source.Status{source.Valid}, source.Valid},
		{[]source.Status{source.Valid, source.Hidden, source.Valid}, source.Hidden},
		{[]source.Status{source.Hidden, source.Stale}, source.Stale},
		{[]source.Status{source.Stale, source.Hidden, source.Missing}, source.Missing},
		{[]source.Status{source.Unverified, source.Valid}, source.Unverified},
		{[]source.Status{source.Unverified, source.Hidden}, source.Hidden},
	} {
		var x Fact
		for i, s := range c.of {
			r := Revision{Number: int64(i + 1)}
			if s != source.Unverified {
				r.Refs = []source.Ref{*ref(string(s), 1)}
				f.v.set(string(s), s)
			}
			x.Revisions = append(x.Revisions, r)
		}
		got, err := f.Status(ctx, x, f, session.Durable)
		if got != c.want || err != nil || f.v.purpose != session.Durable {
			t.Errorf("%v: %q, %v, want %q", c.of, got, err, c.want)
		}
	}
	f.v.err = errors.New("the disk is gone")
	_, err := f.Status(ctx, Fact{Revisions: []Revision{{Refs: []source.Ref{*ref("s", 1)}}}}, f, session.Durable)
	if !errors.Is(err, f.v.err) {
		t.Error(err)
	}
}

func TestAttach(t *testing.T) {
	f := newFixture(t)
	res, err := f.Add(ctx, "x", []Position{{7, "s"}})
	must(t, err)
	id := res.Fact.ID
	_, err = f.Revise(ctx, id, 1, "y", nil)
	must(t, err)
	for _, n := range []int64{1, 2} {
		res, err = f.Attach(ctx, id, n, *ref("s", n))
		must(t, err)
		if got := res.Fact.Revisions[n-1].Source(); got == nil || !got.Equal(*ref("s", n)) || res.Outcome != "" {
			t.Errorf("%+v", res)
		}
	}
	if d := cmp.Diff([]Position{{1, "s"}, {7, "s"}}, res.Fact.Revisions[0].Provenance); d != "" {
		t.Error(d)
	}
	before := sum(t, f.path())
	res, err = f.Attach(ctx, id, 2, *ref("s", 2))
	must(t, err)
	if res.Outcome != Unchanged {
		t.Errorf("%q", res.Outcome)
	}
	_, err = f.Attach(ctx, id, 2, *ref("s", 3))
	wantKind(t, err, plumbing.ErrConflict, id, "revision 2")
	for _, n := range []int64{-1, 0, 3} {
		_, err = f.Attach(ctx, id, n, *ref("s", 3))
		wantKind(t, err, plumbing.ErrConflict, id, "1 to 2")
	}
	_, err = f.Attach(ctx, unknown, 1, *ref("s", 3))
	wantKind(t, err, plumbing.ErrNotFound)
	if sum(t, f.path()) != before {
		t.Error("something was written")
	}
	if s, err := f.Status(ctx, res.Fact, f, session.Durable); s != source.Valid || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	f.sound()
	f.forget(id)
	_, err = f.Attach(ctx, id, 1, *ref("s", 9))
	wantKind(t, err, plumbing.ErrRefused, "was forgotten")
	u, err := f.Add(ctx, "u", nil)
	must(t, err)
	_, err = f.Attach(ctx, u.Fact.ID, 1, *ref("s", 7))
	wantKind(t, err, plumbing.ErrRefused)
}

// Two who correct the same revision at once: one wins, the other is told.
func TestTwoCorrectionsOfOneRevision(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	stores := []*Store{f.Store, f.again(), f.again(), f.again()}
	for round := int64(1); round <= 10; round++ {
		errs := make([]error, len(stores))
		var wg sync.WaitGroup
		for i, s := range stores {
			wg.Go(func() {
				_, errs[i] = s.Correct(ctx, x.ID, round, "y", ref("s", int64(i+2)), CorrectOptions{})
			})
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				wantKind(t, err, plumbing.ErrConflict)
			}
		}
		if won != 1 {
			t.Fatalf("%d won: %v", won, errs)
		}
	}
	got, err := f.Get(ctx, x.ID)
	must(t, err)
	if got.Current().Number != 11 {
		t.Errorf("revision %d", got.Current().Number)
	}
	f.sound()
}
