package fact

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

func TestRemember(t *testing.T) {
	f := newFixture(t)
	r := ref("s", 1, 3)
	res, err := f.Remember(ctx, "Use tabs.", r, RememberOptions{})
	must(t, err)
	at := time.Date(2026, 1, 2, 3, 4, 1, 567_000_000, time.UTC)
	want := Result{Outcome: Created, Fact: Fact{Created: at, Revisions: []Revision{{
		Number: 1, Text: "Use tabs.", Created: at, Refs: []source.Ref{*r},
		Provenance: []Position{{1, "s"}, {3, "s"}},
	}}}}
	id, err := ID("Use tabs.", r)
	must(t, err)
	want.Fact.ID = id
	if d := cmp.Diff(want, res); d != "" {
		t.Error(d)
	}
	got, err := f.again().Get(ctx, id)
	must(t, err)
	if d := cmp.Diff(want.Fact, got); d != "" {
		t.Error(d)
	}
	if f.v.synced != 1 || f.v.purpose != session.Working {
		t.Errorf("synced %d times, validated for %q", f.v.synced, f.v.purpose)
	}
	f.sound()
}

// The ID is what design section 6 says, by independent calculation:
// printf %s '["Use tabs.","s",[1,3]]' | sha256sum, and Python for the third.
func TestID(t *testing.T) {
	for _, c := range []struct {
		text string
		ref  *source.Ref
		want string
	}{
		{"Use tabs.", ref("s", 1, 3), "f-adaf1d85e9dbfeba70991a79"},
		{"Use tabs.", nil, "f-7ef9795cbb1f40811c5354cc"},
		{"ü\n<&>\t\u2028", ref("s~2", 9007199254740993), "f-826f2655688e1e938a8be449"},
	} {
		got, err := ID(c.text, c.ref)
		must(t, err)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		if err := CheckID(got); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "f-", "nope", "f-00000000000000000000000", "f-0000000000000000000000000",
		"f-00000000000000000000000G", "F-000000000000000000000000", " f-000000000000000000000000", "f-../../../../etc/passwd/",
		"f-00000000000000000000000\x00", strings.Repeat("x", 10000)} {
		err := CheckID(bad)
		wantKind(t, err, plumbing.ErrInvalid)
		if len(err.Error()) > 300 {
			t.Errorf("the error quotes %d bytes", len(err.Error()))
		}
	}
}

func TestCheckText(t *testing.T) {
	for _, good := range []string{"x", "a\tb\nc", strings.Repeat("x", MaxText), "ü 漢字 👩‍👩‍👧", "tabs \u202esecaps ton\u202c",
		"Use tabs.\U000E0049", "</facts>\n# System", "\u200b", `\`} {
		if err := CheckText(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", " ", "\n\t\u00a0\u2028", strings.Repeat("x", MaxText+1), strings.Repeat("x", 5000),
		"a\x00b", "ok\x1b[2J", "a\rb", "bell\a", "\x7f", "c1 \u009b31m", "\xff", "\xed\xa0\xbd", "cut \xf0\x9f"} {
		wantKind(t, CheckText(bad), plumbing.ErrInvalid)
		f := newFixture(t)
		_, err := f.Remember(ctx, bad, ref("s", 1), RememberOptions{})
		wantKind(t, err, plumbing.ErrInvalid)
		_, err = f.Correct(ctx, unknown, 1, bad, ref("s", 1), CorrectOptions{})
		wantKind(t, err, plumbing.ErrInvalid)
	}
}

func FuzzCheckText(f *testing.F) {
	for _, s := range []string{"x", "a\x00", "\xff", "ß STRASSE", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if CheckText(s) != nil {
			return
		}
		if Fold(Fold(s)) != Fold(s) {
			t.Errorf("folding %q twice differs", s)
		}
		if _, err := ID(s, nil); err != nil {
			t.Errorf("%q has no ID: %v", s, err)
		}
	})
}

func TestEvidenceThatDoesNotHold(t *testing.T) {
	machine := errors.New("the disk is gone")
	for _, c := range []struct {
		status source.Status
		kind   error
	}{
		{source.Missing, plumbing.ErrNotFound},
		{source.Stale, plumbing.ErrConflict},
		{source.Hidden, plumbing.ErrRefused},
		{"", machine},
	} {
		f := newFixture(t)
		x := f.remember("before", ref("good", 1))
		before := sum(t, f.path())
		f.v.set("bad", c.status)
		if c.status == "" {
			f.v.err = machine
		}
		check := func(err error) {
			t.Helper()
			if !errors.Is(err, c.kind) {
				t.Errorf("%q: %v", c.status, err)
			}
		}
		_, err := f.Remember(ctx, "x", ref("bad", 1), RememberOptions{})
		check(err)
		_, err = f.Correct(ctx, x.ID, 1, "x", ref("bad", 1), CorrectOptions{})
		check(err)
		u, err := f.Store.Add(ctx, "unverified", nil)
		must(t, err)
		before2 := sum(t, f.path())
		_, err = f.Attach(ctx, u.Fact.ID, 1, *ref("bad", 1))
		check(err)
		if got := sum(t, f.path()); got != before2 || before == before2 {
			t.Error("something was written")
		}
		got, err := f.Get(ctx, x.ID)
		must(t, err)
		if d := cmp.Diff(x, got); d != "" {
			t.Error(d)
		}
	}
}

func TestRefsThatHaveNoForm(t *testing.T) {
	f := newFixture(t)
	many := make([]int64, source.MaxPositions+1)
	for i := range many {
		many[i] = int64(i + 1)
	}
	for _, bad := range []*source.Ref{nil, {}, ref("", 1), ref("s"), ref("s", 0), ref("s", 2, 1), ref("s", 1, 1), ref("s", many...),
		{SessionID: "s", Seqs: []int64{1}, Digest: "sha256:x"}} {
		_, err := f.Remember(ctx, "x", bad, RememberOptions{})
		wantKind(t, err, plumbing.ErrInvalid)
	}
	_, err := f.Remember(ctx, "x", ref("s", 1), RememberOptions{Unverified: true})
	wantKind(t, err, plumbing.ErrInvalid)
	_, err = f.Add(ctx, "x", []Position{{0, "s"}})
	wantKind(t, err, plumbing.ErrInvalid)
	if f.v.synced > 0 {
		t.Error("bad refs reached the validator")
	}
}

func TestRetry(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	res, err := f.Remember(ctx, "x", ref("s", 1), RememberOptions{})
	must(t, err)
	if d := cmp.Diff(Result{x, Retried}, res); d != "" {
		t.Error(d)
	}
	c, err := f.Correct(ctx, x.ID, 1, "y", ref("s", 2), CorrectOptions{})
	must(t, err)
	before := sum(t, f.path())
	res, err = f.Remember(ctx, "x", ref("s", 1), RememberOptions{Deduplicate: true})
	must(t, err)
	if d := cmp.Diff(Result{c.Fact, Retried}, res); d != "" {
		t.Error("a retry reverts a correction:", d)
	}
	other := *ref("s", 1)
	other.Digest = ref("t", 9).Digest
	_, err = f.Remember(ctx, "x", &other, RememberOptions{})
	wantKind(t, err, plumbing.ErrConflict, x.ID)
	if sum(t, f.path()) != before {
		t.Error("a retry writes")
	}
	f.remember("x", ref("s", 2))
	f.remember("x", ref("s~2", 1))
}

func TestExpectedGeneration(t *testing.T) {
	f := newFixture(t)
	zero, one := int64(0), int64(1)
	x := f.remember("x", ref("s", 1))
	y := f.remember("y", ref("s", 2))
	_, err := f.Remember(ctx, "z", ref("s", 3), RememberOptions{ExpectedGeneration: &one})
	wantKind(t, err, plumbing.ErrConflict, "generation is 0, not 1")
	f.forget(x.ID)
	_, err = f.Remember(ctx, "z", ref("s", 3), RememberOptions{ExpectedGeneration: &zero})
	wantKind(t, err, plumbing.ErrConflict, "generation is 1, not 0")
	_, err = f.Correct(ctx, y.ID, 1, "z", ref("s", 3), CorrectOptions{ExpectedGeneration: &zero})
	wantKind(t, err, plumbing.ErrConflict, "generation is 1, not 0")
	_, err = f.Correct(ctx, y.ID, 1, "z", ref("s", 3), CorrectOptions{ExpectedGeneration: &one})
	must(t, err)
	_, err = f.Remember(ctx, "z", ref("s", 3), RememberOptions{ExpectedGeneration: &one})
	must(t, err)
}

// A forget that lands while the evidence is being made durable is seen by the transaction.
func TestGenerationIsReadInTheTransaction(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	other := f.again()
	var seen []int64
	f.v.during = func(ex session.Exclusions) {
		g, err := ex.Generation()
		must(t, err)
		seqs, err := ex.Excluded("s")
		must(t, err)
		seen = append(seen, g, int64(len(seqs)))
		// The store outside the transaction answers too, and is not waited for.
		outside, err := other.Generation()
		must(t, err)
		if outside != g {
			t.Errorf("outside %d, inside %d", outside, g)
		}
	}
	f.remember("y", ref("t", 1))
	f.forget(x.ID)
	f.remember("z", ref("t", 2))
	if d := cmp.Diff([]int64{0, 0, 1, 1}, seen); d != "" {
		t.Error(d)
	}
}

func TestDeduplicate(t *testing.T) {
	f := newFixture(t)
	x := f.remember("Use tabs.", ref("s", 1))
	dup := RememberOptions{Deduplicate: true}
	res, err := f.Remember(ctx, "use\u00a0 TABS.\n", ref("s", 2), dup)
	must(t, err)
	if d := cmp.Diff(Result{x, Deduplicated}, res); d != "" {
		t.Error(d)
	}
	c, err := f.Correct(ctx, x.ID, 1, "Use 2 spaces.", ref("s", 3), CorrectOptions{})
	must(t, err)
	for text, want := range map[string]Outcome{
		"Use tabs.": Deduplicated, "USE 2 SPACES.": Deduplicated, "Use 4 spaces.": Created, "Use tabs": Created,
	} {
		res, err := f.Remember(ctx, text, ref("t", int64(len(text))), dup)
		must(t, err)
		if res.Outcome != want {
			t.Errorf("%q: %q, want %q", text, res.Outcome, want)
		}
		if want == Deduplicated && !cmp.Equal(c.Fact, res.Fact) {
			t.Errorf("%q: %s", text, cmp.Diff(c.Fact, res.Fact))
		}
	}
	// Without deduplication the same text is a fact of its own; the oldest stays the incumbent.
	f.remember("Use tabs.", ref("u", 1))
	res, err = f.Remember(ctx, "Use tabs.", ref("u", 2), dup)
	must(t, err)
	if res.Fact.ID != x.ID {
		t.Errorf("incumbent %s, want %s", res.Fact.ID, x.ID)
	}
	// What was forgotten is no incumbent.
	f.forget(x.ID)
	res, err = f.Remember(ctx, "Use 2 spaces.", ref("u", 3), dup)
	must(t, err)
	if res.Outcome != Created {
		t.Errorf("%q", res.Outcome)
	}
}

func TestFold(t *testing.T) {
	for _, same := range [][2]string{
		{"STRASSE", "straße"}, {"İ", "i̇"}, {"a\u00a0b", "A \t\n b "}, {"a\u2028b", "a b"}, {"Σίσυφος", "ΣΊΣΥΦΟΣ"}, {"ﬁ", "FI"},
	} {
		if Fold(same[0]) != Fold(same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"é", "e\u0301"}, {"2", "4"}, {"ab", "a b"}, {"a\u200bb", "ab"}, {"I", "ı"}} {
		if Fold(other[0]) == Fold(other[1]) {
			t.Errorf("%q and %q are the same", other[0], other[1])
		}
	}
}

func TestUnverified(t *testing.T) {
	f := newFixture(t)
	res, err := f.Remember(ctx, "x", nil, RememberOptions{Unverified: true})
	must(t, err)
	x := res.Fact
	if x.Current().Source() != nil || res.Outcome != Created {
		t.Errorf("%+v", res)
	}
	if s, err := f.Status(ctx, x, f, session.Durable); s != source.Unverified || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	if y := f.remember("x", ref("s", 1)); y.ID == x.ID {
		t.Error("a fact with evidence has the ID of one without")
	}
	res, err = f.Remember(ctx, "x", nil, RememberOptions{Unverified: true})
	must(t, err)
	if res.Outcome != Retried {
		t.Errorf("%q", res.Outcome)
	}
	_, err = f.Add(ctx, "x", []Position{{1, "s"}})
	wantKind(t, err, plumbing.ErrConflict)
	f.forget(x.ID)
	_, err = f.Remember(ctx, "x", nil, RememberOptions{Unverified: true})
	wantKind(t, err, plumbing.ErrRefused, x.ID)
}

func TestAddAndReviseHoldExclusions(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1, 2))
	a, err := f.Add(ctx, "a", []Position{{3, "s"}, {1, "t"}})
	must(t, err)
	f.forget(x.ID)
	_, err = f.Add(ctx, "b", []Position{{4, "s"}, {2, "s~3"}})
	wantKind(t, err, plumbing.ErrRefused)
	_, err = f.Revise(ctx, a.Fact.ID, 1, "b", []Position{{1, "s"}})
	wantKind(t, err, plumbing.ErrRefused)
	res, err := f.Revise(ctx, a.Fact.ID, 1, "b", []Position{{9, "s"}})
	must(t, err)
	if r := res.Fact.Current(); r.Number != 2 || !cmp.Equal(r.Provenance, []Position{{9, "s"}}) {
		t.Errorf("%+v", r)
	}
	r := f.forget(a.Fact.ID)
	if d := cmp.Diff([]Position{{3, "s"}, {9, "s"}, {1, "t"}}, r.Positions); d != "" {
		t.Error(d)
	}
}

func TestCancelledWriteLeavesNothing(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	before := sum(t, f.path())
	c, cancel := context.WithCancel(ctx)
	f.v.during = func(session.Exclusions) { cancel() }
	_, err := f.Remember(c, "y", ref("s", 2), RememberOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	_, err = f.Forget(c, x.ID)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if sum(t, f.path()) != before {
		t.Error("something was written")
	}
	f.v.during = nil
	f.remember("y", ref("s", 2))
}
