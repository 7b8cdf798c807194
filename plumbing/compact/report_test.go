package compact

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func lostLines(l Loss) []string {
	var lines []string
	for _, x := range l.Lost {
		lines = append(lines, fmt.Sprintf("%s %v %s", x.Kind, x.Seqs, x.Text))
	}
	return lines
}

func TestReport(t *testing.T) {
	w := newWorld(t)
	id := w.new(append([]string{
		user("The export lands in /srv/eu/ledger.parquet, see go.mod. Never write to it by hand.\n1. It takes 8.4 s and 1,250 requests."),
		`{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"text","text":"renewLease has 37 shards; OPS-4417 is fixed."},{"type":"tool_call","id":"c1","name":"bash","arguments":{"command":"make ship  REGION=eu"}}]}`,
		result("c1", "building 9999 files\nld: error: undefined reference to heron_flush\nok"),
		assistant("I ran `git push origin main` and $ it works.\n\n$ make test\nThe export lands in /srv/eu/ledger.parquet."),
	}, exchanges(2)...)...)
	p := w.plan(id)
	p.Response = said("renewLease has 137 shards, 8.4 s. Never write to it by hand! make ship REGION=eu ended with ld: error: undefined reference to heron_flush")
	got, err := ReportPlan(context.Background(), w.Deps, p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"path [1 4] /srv/eu/ledger.parquet", "path [1] go.mod", "identifier [2] OPS-4417", "number [1] 1,250", "number [2] 37",
		"command [4] git push origin main", "command [4] make test",
	}
	if diff := cmp.Diff(want, lostLines(got)); diff != "" {
		t.Error(diff)
	}
	if got.Seq != nil || got.CoveredThrough != 4 || got.Carried[Rule] != 1 || got.Carried[ErrorText] != 1 || got.Carried[Command] != 1 {
		t.Errorf("%+v", got)
	}
	if _, err := w.apply(id, p); err != nil {
		t.Fatal(err)
	}
	for _, seq := range []int64{0, 9} {
		again, err := ReportEvent(context.Background(), w.Deps, id, seq)
		if err != nil || again.Seq == nil || *again.Seq != 9 {
			t.Fatalf("seq %d: %v", seq, err)
		}
		if diff := cmp.Diff(lostLines(got), lostLines(again)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReportRefuses(t *testing.T) {
	w := newWorld(t)
	id := w.new(exchanges(4)...)
	p := w.plan(id)
	_, err := ReportPlan(context.Background(), w.Deps, p)
	wantKind(t, err, plumbing.ErrInvalid)
	_, err = ReportEvent(context.Background(), w.Deps, id, 0)
	wantKind(t, err, plumbing.ErrNo)
	_, err = ReportEvent(context.Background(), w.Deps, id, 3)
	wantKind(t, err, plumbing.ErrNotFound)
	_, err = ReportEvent(context.Background(), w.Deps, id, 99)
	wantKind(t, err, plumbing.ErrNotFound)
	a := w.compact(id, "x")
	w.forgets.forget(1)
	_, err = ReportEvent(context.Background(), w.Deps, id, a.Seq)
	wantKind(t, err, plumbing.ErrConflict)
	if err != nil && strings.Contains(err.Error(), "question") {
		t.Error("the error quotes what was forgotten")
	}
}

func TestKindOf(t *testing.T) {
	for token, want := range map[string]Kind{
		"/srv/acct/exports/ledger-eu.parquet": Path, "go.mod": Path, "main.c": Path, "~/drafts/x.md": Path, "../a": Path,
		`C:\Users\dev\tern.ini`: Path, "https://example.com/a": Path, "test/fixtures/vat/2031-q2.json": Path, ".gitignore": Path,
		"renewQuorumLease": Identifier, "allow_partial_refunds": Identifier, "OPS-4417": Identifier, "9f3c2ab71d": Identifier,
		"--dry-run": Identifier, "nvme1n1p2": Identifier,
		"37": Number, "8.4": Number, "1,250": Number, "45%": Number, "200ms": Number, "0.75": Number, "v": "", "19200": Number, "12:30": Number,
		"word": "", "and/or": "", "e.g": "", "i.e": "", "well-known": "", "Anna's": "", "HTTP": "", "": "", "don't": "", "naïve": "",
	} {
		if got := kindOf(token); got != want {
			t.Errorf("%s is %q, want %q", token, got, want)
		}
	}
}

func TestContainsWhole(t *testing.T) {
	for _, c := range []struct {
		s, word string
		want    bool
	}{
		{"has 37 shards", "37", true}, {"137", "37", false}, {"8.4 s", "4", false}, {"4,000", "4", false}, {"it is 4.", "4", true},
		{"a 4, b", "4", true}, {"renewLeases", "renewLease", false}, {"(renewLease)", "renewLease", true}, {"x go.mod.", "go.mod", true},
		{"/srv/a", "/srv/a", true}, {"x/srv/a", "/srv/a", true}, {"", "x", false}, {"37", "37", true}, {"137 and 37", "37", true},
	} {
		if got := containsWhole(c.s, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.s, got)
		}
	}
}

func FuzzReport(f *testing.F) {
	f.Add("It said: error 7. Never `go x y` /a/b.c", "7")
	f.Add("\xff\u2028`` ` $ \n$ ", "")
	f.Fuzz(func(t *testing.T, text, summary string) {
		d := &details{where: map[Kind]map[string]int{}}
		d.prose(text, 1)
		loss := d.against(summary)
		if len(loss.Lost) > len(d.list) {
			t.Fatal("more was lost than there is")
		}
		for _, x := range d.against(text + " " + summary).Lost {
			if x.Kind == Path || x.Kind == Identifier || x.Kind == Number {
				continue // edges of tokens may join what stands around them
			}
			if len(x.Text) > maxDetail {
				t.Fatalf("%d bytes", len(x.Text))
			}
		}
	})
}
