package fact

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

func ids(list []Fact) []string {
	var out []string
	for _, f := range list {
		out = append(out, f.ID)
	}
	return out
}

func TestListPages(t *testing.T) {
	f := newFixture(t)
	var want []string
	for i := range 25 {
		want = append(want, f.remember(fmt.Sprint("fact ", i), ref("s", int64(i+1))).ID)
	}
	var got []string
	for offset := int64(0); ; offset += 10 {
		page, err := f.List(ctx, Page{Offset: offset, Limit: 10})
		must(t, err)
		if len(page) == 0 {
			break
		}
		got = append(got, ids(page)...)
		// A correction and a new fact in between move none.
		_, err = f.Correct(ctx, page[0].ID, 1, "new words", ref("t", offset+1), CorrectOptions{})
		must(t, err)
		want = append(want, f.remember(fmt.Sprint("late ", offset), ref("u", offset+1)).ID)
		if offset > 100 {
			break
		}
	}
	if d := cmp.Diff(want[:len(got)], got); d != "" {
		t.Error(d)
	}
	all, err := f.List(ctx, Page{})
	must(t, err)
	if d := cmp.Diff(want, ids(all)); d != "" {
		t.Error(d)
	}
	if all[0].Current().Text != "new words" || all[0].Current().Source() == nil || all[0].Current().Provenance != nil {
		t.Errorf("%+v", all[0])
	}
	for _, bad := range []Page{{Offset: -1}, {Limit: -1}} {
		_, err := f.List(ctx, bad)
		wantKind(t, err, plumbing.ErrInvalid)
		_, err = f.Search(ctx, "x", bad)
		wantKind(t, err, plumbing.ErrInvalid)
	}
}

// Equal times are told apart by ID, so that the order is the same every time.
func TestOrders(t *testing.T) {
	f := newFixture(t)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Store.opt.Now = func() time.Time { return now }
	byID := func(n int, name string) []string {
		var list []string
		for i := range n {
			list = append(list, f.remember(fmt.Sprint(name, i), ref(name, int64(i+1))).ID)
		}
		return sorted(list)
	}
	old := byID(40, "old")
	now = now.Add(time.Second)
	young := byID(20, "young")
	now = now.Add(time.Second)
	_, err := f.Correct(ctx, old[7], 1, "corrected", ref("c", 1), CorrectOptions{})
	must(t, err)

	list, err := f.List(ctx, Page{})
	must(t, err)
	if d := cmp.Diff(append(append([]string{}, old...), young...), ids(list)); d != "" {
		t.Error("list:", d)
	}
	newest, err := f.NewestFirst(ctx)
	must(t, err)
	want := append([]string{old[7]}, young...)
	want = append(append(want, old[:7]...), old[8:]...)[:NewestCount]
	if d := cmp.Diff(want, ids(newest)); d != "" {
		t.Error("newest:", d)
	}
	candidates, err := f.Candidates(ctx)
	must(t, err)
	if d := cmp.Diff(sorted(append(append([]string{}, old...), young...))[:CandidateCount], ids(candidates)); d != "" {
		t.Error("candidates:", d)
	}
	if n, err := f.Count(ctx); n != 60 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

func sorted(list []string) []string {
	out := append([]string{}, list...)
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func TestSearchIsLiteral(t *testing.T) {
	f := newFixture(t)
	texts := []string{`100% sure`, `a_b`, `say "hi"`, `it's`, `'; DROP TABLE facts;--`, `NEAR(a b)`, `col:x*`, "two\nlines", "Ünïcode", `[a-z]`, `\`}
	for i, text := range texts {
		f.remember(text, ref("s", int64(i+1)))
	}
	found := func(words string) []string {
		t.Helper()
		list, err := f.Search(ctx, words, Page{})
		must(t, err)
		var out []string
		for _, x := range list {
			out = append(out, x.Current().Text)
		}
		return out
	}
	for words, want := range map[string][]string{
		"%": {`100% sure`}, "_": {`a_b`}, `"`: {`say "hi"`}, `'`: {`it's`, `'; DROP TABLE facts;--`}, "NEAR(": {`NEAR(a b)`},
		"*": {`col:x*`}, "o\nl": {"two\nlines"}, "nïc": {"Ünïcode"}, "Ü": {"Ünïcode"}, "ünï": nil, "[a": {`[a-z]`}, `\`: {`\`},
		`a" OR text MATCH "b`: nil, "a\x00b": nil, "\x00": nil, strings.Repeat("x", 1<<20): nil,
		"a": {`a_b`, `say "hi"`, `'; DROP TABLE facts;--`, `NEAR(a b)`, `[a-z]`},
	} {
		if d := cmp.Diff(want, found(words)); d != "" {
			t.Errorf("%.40q: %s", words, d)
		}
	}
	for _, bad := range []string{"", "\xff"} {
		_, err := f.Search(ctx, bad, Page{})
		wantKind(t, err, plumbing.ErrInvalid)
	}
	page, err := f.Search(ctx, "a", Page{Offset: 3, Limit: 1})
	must(t, err)
	if len(page) != 1 || page[0].Current().Text != `NEAR(a b)` {
		t.Errorf("%v", page)
	}
	// Corrected-away words are not found, forgotten ones neither.
	x := f.remember("PELICAN", ref("s", 100))
	_, err = f.Correct(ctx, x.ID, 1, "HERON", ref("s", 101), CorrectOptions{})
	must(t, err)
	if got := found("PELICAN"); got != nil {
		t.Errorf("%v", got)
	}
	if got := found("HERON"); len(got) != 1 {
		t.Errorf("%v", got)
	}
	f.forget(x.ID)
	if got := found("HERON"); got != nil {
		t.Errorf("%v", got)
	}
}

func FuzzSearch(fz *testing.F) {
	f := newFixture(fz)
	text := "one % two _ \\ three ' four \" five\tsix ü"
	f.remember(text, ref("s", 1))
	for _, s := range []string{"%", "_", "'", `"`, "two _", "\x00", "ü", "\xc3", "x"} {
		fz.Add(s)
	}
	fz.Fuzz(func(t *testing.T, words string) {
		list, err := f.Search(ctx, words, Page{})
		if err != nil {
			wantKind(t, err, plumbing.ErrInvalid)
			return
		}
		if got, want := len(list) == 1, strings.Contains(text, words); got != want {
			t.Errorf("%q: found %v, want %v", words, got, want)
		}
	})
}

func TestProvenanceAndSource(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	_, err := f.Revise(ctx, x.ID, 1, "y", []Position{{2, "t"}})
	must(t, err)
	list, err := f.Provenance(ctx, x.ID)
	must(t, err)
	var got [][]Position
	for _, r := range list {
		got = append(got, r.Provenance)
	}
	if d := cmp.Diff([][]Position{{{1, "s"}}, {{2, "t"}}}, got); d != "" {
		t.Error(d)
	}
	for n, want := range map[int64]*source.Ref{1: ref("s", 1), 2: nil} {
		got, err := f.Source(ctx, x.ID, n)
		must(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	for _, n := range []int64{0, 3} {
		_, err := f.Source(ctx, x.ID, n)
		wantKind(t, err, plumbing.ErrNotFound)
	}
	_, err = f.Provenance(ctx, unknown)
	wantKind(t, err, plumbing.ErrNotFound)
}
