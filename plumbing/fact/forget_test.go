package fact

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

func TestForget(t *testing.T) {
	f := newFixture(t)
	x := f.remember("Use tabs.", ref("s", 1, 3))
	_, err := f.Correct(ctx, x.ID, 1, "Use spaces.", ref("t~2", 4, 5), CorrectOptions{})
	must(t, err)
	_, err = f.Correct(ctx, x.ID, 2, "Use both.", ref("s~7", 2, 3), CorrectOptions{})
	must(t, err)
	other := f.remember("other", ref("s", 9))

	r := f.forget(x.ID)
	want := Receipt{Changed: true, FactID: x.ID, Generation: 1, GenerationBefore: 0, Revisions: 3, Remains: Remains(),
		Positions: []Position{{1, "s"}, {2, "s"}, {3, "s"}, {4, "t"}, {5, "t"}}}
	if d := cmp.Diff(want, r); d != "" {
		t.Error(d)
	}
	_, err = f.Get(ctx, x.ID)
	wantKind(t, err, plumbing.ErrNotFound, x.ID, "was forgotten")
	list, err := f.List(ctx, Page{})
	must(t, err)
	if len(list) != 1 || list[0].ID != other.ID {
		t.Errorf("%v", list)
	}
	at, ok, err := f.ForgotAt()
	must(t, err)
	if !ok || !at.Equal(time.Date(2026, 1, 2, 3, 4, 5, 567_000_000, time.UTC)) {
		t.Errorf("%v %v", at, ok)
	}
	f.sound()

	// Again: said so, and nothing changes.
	before := sum(t, f.path())
	r = f.forget(x.ID)
	want = Receipt{FactID: x.ID, Generation: 1, GenerationBefore: 1, Remains: Remains(), Positions: []Position{}}
	if d := cmp.Diff(want, r); d != "" {
		t.Error(d)
	}
	if sum(t, f.path()) != before {
		t.Error("a retry writes")
	}
	_, err = f.Forget(ctx, unknown)
	wantKind(t, err, plumbing.ErrNotFound, unknown)
	_, err = f.Forget(ctx, "nope")
	wantKind(t, err, plumbing.ErrInvalid)
	if g, err := f.again().Generation(); g != 1 || err != nil {
		t.Errorf("%d, %v", g, err)
	}
}

// What was forgotten does not come back in any order of events, through no copy.
func TestForgottenEvidenceStaysOut(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s~2", 1, 2))
	overlap := f.remember("overlap", ref("s", 2, 3))
	apart := f.remember("apart", ref("s", 4))
	u, err := f.Add(ctx, "u", nil)
	must(t, err)
	f.forget(x.ID)

	for _, r := range []*source.Ref{ref("s~2", 1, 2), ref("s", 1), ref("s~9", 2, 8)} {
		_, err := f.Remember(ctx, "anything else", r, RememberOptions{})
		wantKind(t, err, plumbing.ErrRefused)
		_, err = f.Correct(ctx, apart.ID, 1, "anything else", r, CorrectOptions{})
		wantKind(t, err, plumbing.ErrRefused)
		_, err = f.Attach(ctx, u.Fact.ID, 1, *r)
		wantKind(t, err, plumbing.ErrRefused)
	}
	_, err = f.Remember(ctx, "x", ref("s~2", 1, 2), RememberOptions{})
	wantKind(t, err, plumbing.ErrRefused, x.ID)

	// The overlapping fact is kept, and does not validate.
	for _, c := range []struct {
		f    Fact
		want source.Status
	}{{overlap, source.Hidden}, {apart, source.Valid}} {
		got, err := f.Get(ctx, c.f.ID)
		must(t, err)
		if d := cmp.Diff(c.f, got); d != "" {
			t.Error(d)
		}
		if s, err := f.Status(ctx, got, f, session.Durable); s != c.want || err != nil {
			t.Errorf("%s: %q, %v", got.ID, s, err)
		}
	}
	// A validator that overlooks the exclusions changes nothing.
	f.v.during = func(session.Exclusions) {}
	f.Store.opt.Validator = gullible{f.v}
	_, err = f.Remember(ctx, "anything else", ref("s", 1), RememberOptions{})
	wantKind(t, err, plumbing.ErrRefused, "seq 1")
	// New words from elsewhere are new.
	f.remember("x", ref("s", 10))
}

type gullible struct{ Validator }

func (gullible) Validate(_ context.Context, _ session.Exclusions, _ source.Ref, _ session.Purpose) (source.Status, error) {
	return source.Valid, nil
}

func TestForgetAFactWithoutEvidence(t *testing.T) {
	f := newFixture(t)
	u, err := f.Add(ctx, "u", nil)
	must(t, err)
	r := f.forget(u.Fact.ID)
	if !r.Changed || r.Generation != 1 || len(r.Positions) != 0 || r.Revisions != 1 {
		t.Errorf("%+v", r)
	}
}

func TestForgetCoversEvidenceWithoutProvenance(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1, 2))
	f.rawExec("DELETE FROM provenance")
	r := f.forget(x.ID)
	if d := cmp.Diff([]Position{{1, "s"}, {2, "s"}}, r.Positions); d != "" {
		t.Error(d)
	}
}

func TestManyPositions(t *testing.T) {
	f := newFixture(t)
	seqs := make([]int64, source.MaxPositions)
	for i := range seqs {
		seqs[i] = int64(3*i + 1)
	}
	x := f.remember("x", ref("s", seqs...))
	r := f.forget(x.ID)
	if len(r.Positions) != len(seqs) {
		t.Errorf("%d positions", len(r.Positions))
	}
	got, err := f.Excluded("s")
	must(t, err)
	if d := cmp.Diff(seqs, got); d != "" {
		t.Error(d)
	}
}

// However rows were moved about on the pages, and whatever their length, a
// forgotten text is nowhere in the folder; the texts that stay are there.
// (SQLite's secure_delete alone fails this: see schema.)
func TestForgottenTextLeavesNoBytes(t *testing.T) {
	f := newFixture(t)
	r := rand.New(rand.NewPCG(3, 4))
	live := map[string][]string{} // ID to the marks in its texts
	var gone []string
	for range 20 {
		must(t, f.write(ctx, true, func(t *txn) error { return f.say(t, r, live) }))
		must(t, f.write(ctx, true, func(t *txn) error {
			marks, err := forgetSome(t, live)
			gone = append(gone, marks...)
			return err
		}))
	}
	all := everything(t, f.dir)
	for _, m := range gone {
		if bytes.Contains(all, []byte(m)) {
			t.Errorf("%s was forgotten and is there", m)
		}
	}
	for _, marks := range live {
		for _, m := range marks {
			if !bytes.Contains(all, []byte(m)) {
				t.Errorf("%s is not there", m)
			}
		}
	}
	if len(gone) < 1000 || len(live) < 100 {
		t.Errorf("%d gone, %d live", len(gone), len(live))
	}
	f.sound()
}

// say makes 60 facts, some corrected, of every length, each text with a mark of its own at both ends.
func (f *fixture) say(t *txn, r *rand.Rand, live map[string][]string) error {
	text := func() (mark, text string) {
		mark = fmt.Sprintf("PELICAN-%016x", r.Uint64())
		length := r.IntN(300)
		if r.IntN(10) == 0 {
			length = r.IntN(MaxText - 2*len(mark))
		}
		return mark, mark + strings.Repeat("ä", length/2) + mark
	}
	for range 60 {
		mark, words := text()
		b := basis{ref: ref("s", int64(r.Uint32())+1)}
		id, err := ID(words, b.ref)
		if err != nil {
			return err
		}
		res, err := t.create(id, words, b)
		live[id] = []string{mark}
		for n := r.IntN(3); n > 0 && err == nil; n-- {
			mark, words := text()
			res, err = t.revise(res.Fact, words, b)
			live[id] = append(live[id], mark)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forgetSome forgets 50 facts in the order of their IDs, which is none, and returns their marks.
func forgetSome(t *txn, live map[string][]string) ([]string, error) {
	var gone []string
	for _, id := range slices.Sorted(maps.Keys(live))[:50] {
		f, err := t.one(id)
		if err != nil {
			return nil, err
		}
		g, err := t.ex.Generation()
		if err == nil {
			err = t.forget(f, Receipt{Generation: g + 1, Positions: contributing(f)})
		}
		if err != nil {
			return nil, err
		}
		gone = append(gone, live[id]...)
		delete(live, id)
	}
	return gone, nil
}

// everything is the content of all files under dir.
func everything(t testing.TB, dir string) []byte {
	t.Helper()
	var all []byte
	must(t, filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		all = append(all, b...)
		return err
	}))
	return all
}

func TestExclusions(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("b", 2, 5))
	y := f.remember("y", ref("a~3", 7))
	v, err := f.View(ctx)
	must(t, err)
	f.forget(x.ID)
	f.forget(y.ID)
	all, err := f.Exclusions(ctx)
	must(t, err)
	if d := cmp.Diff([]Position{{7, "a"}, {2, "b"}, {5, "b"}}, all); d != "" {
		t.Error(d)
	}
	for _, id := range []string{"b", "b~2", "b~9"} {
		seqs, err := f.ExcludedSeqs(ctx, id)
		must(t, err)
		if d := cmp.Diff([]int64{2, 5}, seqs); d != "" {
			t.Error(d)
		}
		for seq, want := range map[int64]bool{1: false, 2: true, 3: false, 5: true, 6: false} {
			if got, err := f.IsExcluded(ctx, id, seq); got != want || err != nil {
				t.Errorf("%s %d: %v, %v", id, seq, got, err)
			}
		}
	}
	if is, err := f.IsExcluded(ctx, "bb", 2); is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
	// The view was made before; what it learns later only hides more.
	if g, _ := v.Generation(); g != 0 {
		t.Errorf("generation %d", g)
	}
	seqs, err := v.Excluded("b")
	must(t, err)
	if d := cmp.Diff([]int64{2, 5}, seqs); d != "" {
		t.Error(d)
	}
	if g, _ := v.Generation(); g != 2 {
		t.Errorf("generation %d", g)
	}
	seqs[0] = 99
	if again, _ := v.Excluded("b"); again[0] != 2 {
		t.Error("a caller can change what is excluded")
	}
}

func TestRaiseGeneration(t *testing.T) {
	f := newFixture(t)
	must(t, f.RaiseGeneration(ctx, 5))
	must(t, f.RaiseGeneration(ctx, 3))
	if g, err := f.Generation(); g != 5 || err != nil {
		t.Errorf("%d, %v", g, err)
	}
	if _, ok, err := f.ForgotAt(); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	wantKind(t, f.RaiseGeneration(ctx, -1), plumbing.ErrInvalid)
	x := f.remember("x", ref("s", 1))
	if r := f.forget(x.ID); r.Generation != 6 || r.GenerationBefore != 5 {
		t.Errorf("%+v", r)
	}
}
