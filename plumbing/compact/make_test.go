package compact

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// TestCovered is what a first plan covers, or why there is none.
func TestCovered(t *testing.T) {
	join := func(parts ...[]string) []string {
		var all []string
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	one := func(lines ...string) []string { return lines }
	for name, c := range map[string]struct {
		lines  []string
		change func(*world, string)
		want   string
		kind   error
		block  string
	}{
		"nothing":       {nil, nil, "", plumbing.ErrNo, ""},
		"four messages": {exchanges(2), nil, "", plumbing.ErrNo, ""},
		"three messages and one that is answered by nobody": {join(exchanges(1), one(user("x"))), nil, "", plumbing.ErrNo, ""},
		"five messages: the cut is at an exchange":          {join(exchanges(2), one(user("x"))), nil, "", plumbing.ErrNo, ""},
		"six messages": {exchanges(3), nil, "1 2", nil, ""},
		"C1: a cancelled exchange is first": {join(one(user("a"), calls("c1"), cancel), exchanges(8)), nil, "",
			plumbing.ErrPaused, "1 2 cancelled"},
		"C1: and behind others":   {join(exchanges(2), one(user("a"), calls("c1"), cancel), exchanges(8)), nil, "1 2 3 4", nil, ""},
		"a call without a result": {join(exchanges(1), one(user("a"), calls("c1")), exchanges(8)), nil, "1 2", nil, ""},
		"it is first":             {join(one(user("a"), calls("c1")), exchanges(8)), nil, "", plumbing.ErrPaused, "1 2 incomplete"},
		"a cancelled exchange that is among the last stays raw": {join(exchanges(1), one(user("a"), calls("c1"), cancel), one(user("b"))), nil, "", plumbing.ErrNo, ""},
		"nobody answered":                        {join(one(user("a"), user("b")), exchanges(3)), nil, "1 2 3 4", nil, ""},
		"tools":                                  {join(one(user("a"), calls("c1", "c2"), result("c1", "x"), result("c2", "y"), assistant("z")), exchanges(2)), nil, "1 2 3 4 5", nil, ""},
		"a synthetic message begins an exchange": {join(exchanges(1), one(synthetic("done"), assistant("ok")), exchanges(2)), nil, "1 2 3 4", nil, ""},
		"an undone exchange is passed over":      {exchanges(5), func(w *world, id string) { w.undo(id, 3) }, "1 2 5 6", nil, ""},
		"an undone cancelled exchange": {join(exchanges(1), one(user("a"), calls("c1"), cancel), exchanges(3)),
			func(w *world, id string) { w.undo(id, 3) }, "1 2 6 7", nil, ""},
		"cleared":   {exchanges(5), func(w *world, id string) { w.clear(id); w.append(id, exchanges(3)...) }, "12 13", nil, ""},
		"forgotten": {exchanges(8), func(w *world, id string) { w.forgets.forget(3) }, "1 5 7", nil, ""},
		"forgotten: blocked exchanges go on with what the user said": {join(one(user("a"), calls("c1"), cancel), one(user("b"), calls("c2")), exchanges(6)),
			func(w *world, id string) { w.forgets.forget() }, "1 4 6 8", nil, ""},
		"an exclusion alone hides": {exchanges(4), func(w *world, id string) { w.forgets.seqs = []int64{1} }, "2 3 4", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(c.lines...)
			if c.change != nil {
				c.change(w, id)
			}
			p, err := w.make(id)
			if c.kind != nil {
				wantKind(t, err, c.kind)
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, covered(p)); diff != "" {
				t.Error(diff)
			}
			var b *Blocked
			if got := ""; errors.As(err, &b) != (c.block != "") {
				t.Errorf("blocked: %v", err)
			} else if b != nil {
				got = fmt.Sprint(b.First, b.Last, " ", b.Why)
				if got != c.block {
					t.Errorf("blocked by %s, want %s", got, c.block)
				}
			}
		})
	}
}

// TestCoversOnlyWhatIsSent is case C5, and that every limit counts.
func TestCoversOnlyWhatIsSent(t *testing.T) {
	w := newWorld(t)
	var lines []string
	for i := range 150 {
		lines = append(lines, user(fmt.Sprintf("%d %s", i, strings.Repeat(`say "x" `, 125))), assistant(strings.Repeat("y ", 500)))
	}
	id := w.new(lines...)
	for name, l := range map[string]Limits{
		"bytes":  roomy,
		"less":   {ContextWindow: 9, MaxOutputTokens: 9, RequestBytes: 30_000, RequestTokens: 1 << 30},
		"tokens": {ContextWindow: 9, MaxOutputTokens: 9, RequestBytes: MaxRequestBytes, RequestTokens: 10_000},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Make(context.Background(), w.Deps, id, l, "m")
			if err != nil {
				t.Fatal(err)
			}
			b, err := canon.Marshal(p.Request)
			if err != nil || int64(len(b)) > l.RequestBytes {
				t.Errorf("%d bytes, %v", len(b), err)
			}
			if n := w.Tokens(p.Request.System) + w.Tokens(p.Request.Messages[0].Content[0].Text); n > l.RequestTokens {
				t.Errorf("%d tokens", n)
			}
			if int64(len(b)) < l.RequestBytes/2 && w.Tokens(string(b)) < l.RequestTokens/2 {
				t.Errorf("only %d bytes were used", len(b))
			}
			if diff := cmp.Diff(covered(p), inRequest(t, p)); diff != "" {
				t.Errorf("covered and sent differ: %s", diff)
			}
		})
	}
	first := w.compact(id, "one")
	next := w.plan(id)
	if got := next.Covers[0].Seqs[0]; got != first.CoveredThrough+1 {
		t.Errorf("the next one begins at %d, the last one ended at %d", got, first.CoveredThrough)
	}
}

// inRequest reads the frame as a model would, and lists the seqs in it.
func inRequest(t *testing.T, p Plan) string {
	t.Helper()
	_, transcript := unframe(t, p.Request.Messages[0].Content[0].Text)
	var seqs []string
	for _, r := range transcript {
		seqs = append(seqs, fmt.Sprint(r.Seq))
	}
	return strings.Join(seqs, " ")
}

func TestTooLarge(t *testing.T) {
	w := newWorld(t)
	id := w.new(append([]string{user("a"), assistant(strings.Repeat("x", 5<<20))}, exchanges(4)...)...)
	_, err := w.make(id)
	wantKind(t, err, plumbing.ErrPaused)
	if !strings.Contains(err.Error(), "1 to 2") {
		t.Errorf("the error does not name the exchange: %v", err)
	}
	small := roomy
	small.RequestTokens = 300
	_, err = Make(context.Background(), w.Deps, w.new(exchanges(8)...), small, "m")
	wantKind(t, err, plumbing.ErrPaused)
	for _, l := range []Limits{{}, {1, 1, 0, 1}, {1, 1, MaxRequestBytes + 1, 1}, {1, MaxSummary + 1, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, -1}} {
		_, err := Make(context.Background(), w.Deps, id, l, "m")
		wantKind(t, err, plumbing.ErrInvalid)
	}
}

// TestFiles is case C8: what is sent of a file is its size.
func TestFiles(t *testing.T) {
	w := newWorld(t)
	png := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 5_000_001))
	id := w.new(append([]string{
		`{"type":"message","role":"user","origin":"user","content":[{"type":"file","name":"a.png","media_type":"image/png","data":"` + png + `"}]}`,
		`{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"reasoning","text":"SECRETLY","signature":"c2ln"},{"type":"text","text":"seen"},` +
			`{"type":"tool_call","id":"c1","name":"shot","arguments":{},"signature":"U0lH"}]}`,
		`{"type":"message","role":"tool","origin":"generated","generation":0,"content":[{"type":"tool_result","id":"c1","name":"shot","is_error":false,"text":"","files":[{"type":"file","name":"b","media_type":"image/gif","data":"aGk="}]}]}`,
		assistant("done")}, exchanges(10)...)...)
	p, err := w.make(id)
	if err != nil {
		t.Fatal(err)
	}
	text := p.Request.Messages[0].Content[0].Text
	for _, want := range []string{"[omitted: image/png, 5000001 bytes]", "[omitted: image/gif, 2 bytes]", `"name":"shot"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the request", want)
		}
	}
	for _, not := range []string{"SECRETLY", "c2ln", "U0lH", "BwcHBwcH"} {
		if strings.Contains(text, not) {
			t.Errorf("%s in the request", not)
		}
	}
	snap, err := source.Validator{Sessions: w.Sessions}.Snapshot(context.Background(), w.forgets, id, p.Covers[0].Seqs[0], p.Covers[0].Seqs[len(p.Covers[0].Seqs)-1])
	if err != nil || !snap.Equal(p.Covers[0]) {
		t.Errorf("a snapshot of the same range is another ref (%v)", err)
	}
}

// TestChunks: each ref is one that a snapshot gives, whatever lies between the messages.
func TestChunks(t *testing.T) {
	w := newWorld(t)
	var lines []string
	for i := range 400 {
		lines = append(lines, user(fmt.Sprint(i)), assistant("a"))
		if i%3 == 0 {
			lines = append(lines, `{"type":"title","title":"T"}`)
		}
	}
	id := w.new(lines...)
	p, err := w.make(id)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Covers) < 4 {
		t.Fatalf("%d refs", len(p.Covers))
	}
	for _, r := range p.Covers {
		snap, err := source.Validator{Sessions: w.Sessions}.Snapshot(context.Background(), w.forgets, id, r.Seqs[0], r.Seqs[len(r.Seqs)-1])
		if err != nil || !snap.Equal(r) {
			t.Errorf("ref from %d: %v", r.Seqs[0], err)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	w := newWorld(t)
	_, err := w.make("nope")
	wantKind(t, err, plumbing.ErrNotFound)
	id := w.new(exchanges(5)...)
	w.forgets.err = errors.New("no database")
	if _, err := w.make(id); !errors.Is(err, w.forgets.err) {
		t.Errorf("exclusions that cannot be read: %v", err)
	}
	w.forgets.err = nil
	var out bytes.Buffer
	if err := w.Sessions.Export(context.Background(), id, w.forgets, false, &out); err != nil {
		t.Fatal(err)
	}
	in, err := w.Sessions.ImportLog(context.Background(), &out, nil)
	if err != nil || !session.IsCopy(in.ID) {
		t.Fatal(in, err)
	}
	_, err = w.make(in.ID)
	wantKind(t, err, plumbing.ErrRefused)
	w.edit(id, `"seq":4`, `"seq":5`)
	_, err = w.make(id)
	wantKind(t, err, plumbing.ErrCorrupt)
}
