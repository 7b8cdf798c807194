package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func (w *world) export(id string, ex Exclusions, all bool) string {
	w.t.Helper()
	var out bytes.Buffer
	if err := w.Export(context.Background(), id, ex, all, &out); err != nil {
		w.t.Fatal(err)
	}
	return out.String()
}

// omitted lists the seqs that an export leaves out, and holds every other line against the log.
func (w *world) omitted(id string, ex Exclusions) string {
	w.t.Helper()
	stored := strings.Split(w.read(id), "\n")
	var seqs []string
	for seq, line := range strings.Split(w.export(id, ex, false), "\n") {
		switch line {
		case stored[seq]:
		case fmt.Sprintf(`{"seq":%d,"type":"omitted"}`, seq):
			seqs = append(seqs, fmt.Sprint(seq))
		default:
			w.t.Fatalf("line %d is neither the log's nor omitted", seq+1)
		}
	}
	return strings.Join(seqs, " ")
}

// put stores events that come from commands of their own.
func (w *world) put(id string, events ...string) {
	w.t.Helper()
	for _, e := range events {
		line, err := canon.Canonicalize([]byte(e))
		if err != nil {
			w.t.Fatal(err)
		}
		if err := w.event(id, func(a *Writer) (Event, error) { return a.AppendEvent(context.Background(), line) }); err != nil {
			w.t.Fatal(err)
		}
	}
}

// ref is a SourceRef on records as they are stored.
func (w *world) ref(id string, seqs ...int64) string {
	w.t.Helper()
	l := w.open(id)
	var lines [][]byte
	for _, seq := range seqs {
		line, err := l.Record(seq)
		if err != nil {
			w.t.Fatal(err)
		}
		lines = append(lines, line)
	}
	list := strings.ReplaceAll(strings.Trim(fmt.Sprint(seqs), "[]"), " ", ",")
	return fmt.Sprintf(`{"digest":%q,"seqs":[%s],"session_id":%q}`, canon.Digest(lines...), list, id)
}

func TestExportMessages(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 1), user("c"), assistant("d", 2), `{"type":"title","title":"T"}`)
	if diff := cmp.Diff("", w.omitted(id, forgets{})); diff != "" {
		t.Errorf("nothing forgotten: %s", diff)
	}
	if diff := cmp.Diff("1 2", w.omitted(id, forgets{2, []int64{1}})); diff != "" {
		t.Errorf("record 1 forgotten: %s", diff)
	}
	if err := w.undo(id, 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("3 4", w.omitted(id, forgets{})); diff != "" {
		t.Errorf("undone: %s", diff)
	}
	if err := w.redo(id); err != nil {
		t.Fatal(err)
	}
	if err := w.clear(id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("", w.omitted(id, forgets{})); diff != "" {
		t.Errorf("redone and cleared: %s", diff)
	}
	w.write(id, w.read(id)+"torn")
	whole := strings.TrimSuffix(w.read(id), "torn")
	if diff := cmp.Diff(whole, w.export(id, forgets{9, []int64{1}}, true)); diff != "" {
		t.Errorf("all: %s", diff)
	}
}

func TestExportSummaries(t *testing.T) {
	compact := func(w *world, id, covers, prior string, through int) string {
		return fmt.Sprintf(`{"type":"compact","covered_through":%d,"covers":[%s],"prior":%s,"generation":1,"summary":"s"}`, through, covers, prior)
	}
	for name, c := range map[string]struct {
		change  func(*world, string) error
		ex      forgets
		omitted string
	}{
		"they hold":        {nil, forgets{generation: 1}, ""},
		"a forget":         {nil, forgets{2, []int64{1}}, "1 2 4 5 8 9"},
		"excluded alone":   {nil, forgets{1, []int64{3}}, "3 5 8 9"},
		"a clear":          {func(w *world, id string) error { return w.clear(id) }, forgets{generation: 1}, "5 8 9"},
		"the last undone":  {func(w *world, id string) error { return w.undo(id, 6) }, forgets{generation: 1}, "6 7 8"},
		"the first undone": {func(w *world, id string) error { return w.undo(id, 1) }, forgets{generation: 1}, "1 2 5 8 9"},
		"undone and redone": {func(w *world, id string) error { return errors.Join(w.undo(id, 0), w.redo(id)) },
			forgets{generation: 1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new()
			w.append(id, user("a"), assistant("b", 1), user("c"), assistant("d", 1))
			w.put(id, compact(w, id, w.ref(id, 1, 2)+","+w.ref(id, 3, 4), "null", 4)) // 5
			w.append(id, user("e"), assistant("f", 2))
			prior := fmt.Sprintf(`{"digest":%q,"seq":5}`, canon.Digest(mustRecord(t, w.open(id), 5)))
			w.put(id, compact(w, id, w.ref(id, 6, 7), prior, 7), // 8
				`{"type":"learning","compact_seq":5,"generation":1,"proposals":[{"text":"a","source":`+w.ref(id, 1)+`},{"source_seqs":[3]}]}`)
			if c.change != nil {
				if err := c.change(w, id); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.omitted, w.omitted(id, c.ex)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestExportBadSummaries: whatever an event says, a claim that does not hold is left out and nothing panics.
func TestExportBadSummaries(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), user("b"))
	good := w.ref(id, 1)
	for _, e := range []string{
		`{"type":"compact"}`,
		`{"type":"compact","covered_through":1,"covers":[],"prior":null}`,
		`{"type":"compact","covered_through":1,"covers":"x","prior":null}`,
		`{"type":"compact","covered_through":1,"covers":[{"digest":"sha256:0","seqs":[1],"session_id":"s1"}],"prior":null}`,
		`{"type":"compact","covered_through":2,"covers":[` + good + `],"prior":null}`,
		`{"type":"compact","covered_through":99,"covers":[` + good + `],"prior":null}`,
		`{"type":"compact","covered_through":-1,"covers":[],"prior":null}`,
		`{"type":"compact","covered_through":1,"covers":[` + good + `,` + good + `],"prior":null}`,
		`{"type":"compact","covered_through":1,"covers":[` + strings.Replace(good, `"s1"`, `"s2"`, 1) + `],"prior":null}`,
		`{"type":"compact","covered_through":1,"covers":[` + good + `],"prior":{"digest":"sha256:0","seq":3}}`,
		`{"type":"compact","covered_through":1,"covers":[{"digest":"sha256:0","seqs":[0,-5,99],"session_id":"s1"}],"prior":null}`,
		`{"type":"learning","proposals":[{"source_seqs":[99]}]}`,
		`{"type":"learning","considered":[-1]}`,
		`{"type":"learning","proposals":[{"source":{"seqs":[1],"session_id":"other"}}]}`,
	} {
		w.put(id, e)
		if got := w.export(id, forgets{}, false); !strings.HasSuffix(got, `"type":"omitted"}`+"\n") {
			t.Errorf("kept: %s", e)
		}
	}
	w.put(id, `{"type":"compact","covered_through":1,"covers":[`+good+`],"prior":null}`)
	held := w.open(id).Last()
	w.put(id, fmt.Sprintf(`{"type":"compact","covered_through":2,"covers":[%s],"prior":{"digest":"sha256:0","seq":%d}}`, w.ref(id, 2), held))
	if got := w.export(id, forgets{}, false); !strings.HasSuffix(got, `"type":"omitted"}`+"\n") {
		t.Error("kept a summary whose prior is another one")
	}
	w.put(id, `{"type":"compact","covered_through":1,"covers":[`+good+`],"prior":null}`)
	if got := w.export(id, forgets{}, false); strings.HasSuffix(got, `"type":"omitted"}`+"\n") {
		t.Error("left out a summary that holds")
	}
}

// TestExportOlderThanAForget: words of the user do not age, what was made of them does.
func TestExportOlderThanAForget(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	w.put(id, `{"type":"compact","covered_through":1,"covers":[`+w.ref(id, 1)+`],"prior":null,"generation":1}`,
		`{"type":"learning","generation":1,"proposals":[{"source_seqs":[1]}]}`,
		`{"type":"learning","proposals":[{"source_seqs":[1]}]}`)
	for generation, want := range map[int64]string{0: "", 1: "4", 2: "2 3 4"} {
		if diff := cmp.Diff(want, w.omitted(id, forgets{generation: generation})); diff != "" {
			t.Errorf("generation %d: %s", generation, diff)
		}
	}
}

func TestExportCorruptAndMissing(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	good := w.read(id)
	w.write(id, good+"\x00\x00\n")
	var out bytes.Buffer
	wantKind(t, w.Export(context.Background(), id, forgets{}, false, &out), plumbing.ErrCorrupt)
	if diff := cmp.Diff(good, out.String()); diff != "" {
		t.Error(diff)
	}
	wantKind(t, w.Export(context.Background(), "nope", forgets{}, false, &out), plumbing.ErrNotFound)
	wantKind(t, w.Export(context.Background(), "a/b", forgets{}, false, &out), plumbing.ErrInvalid)
}

// fails is a reader and writer that gives up after n bytes.
type fails struct{ n int }

var errFull = errors.New("full")

func (f *fails) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestExportReportsAFailedWrite(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user(strings.Repeat("x", 200_000)))
	for _, n := range []int{0, 100, 70_000} {
		err := w.Export(context.Background(), id, forgets{}, false, &fails{n})
		if !errors.Is(err, errFull) {
			t.Errorf("room for %d bytes: %v", n, err)
		}
	}
	if err := w.Export(context.Background(), id, brokenStore{}, false, &fails{1 << 30}); !errors.Is(err, errFull) {
		t.Errorf("exclusions that cannot be read: %v", err)
	}
}

// brokenStore is exclusions that cannot be read.
type brokenStore struct{}

func (brokenStore) Generation() (int64, error)       { return 0, errFull }
func (brokenStore) Excluded(string) ([]int64, error) { return nil, errFull }
