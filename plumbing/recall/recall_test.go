package recall

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/source"
)

func canonical(t testing.TB, p Page) string {
	t.Helper()
	line, err := canon.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestFactObject(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."))
	ref := w.ref(id, 1, 1)
	f := w.remember("Tabs.", ref)
	record := strings.Split(w.read(id), "\n")[1]
	head := `{"fact_id":"` + f + `","fact_text":"Tabs.","fact_text_truncated":false,"limit":4096,"next_offset":null,"offset":0,"revision":1,` +
		`"session_id":"s1","source":{"digest":"` + ref.Digest + `","seqs":[1],"session_id":"s1"},"source_text":`
	want := head + quote("["+record+"]") + `,"status":"valid","type":"recall"}`
	if d := cmp.Diff(want, canonical(t, w.fact(f, 0, DefaultLimit))); d != "" {
		t.Error(d)
	}
}

func TestFactStatus(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(w *world, id string)
		want   source.Status
	}{
		{"untouched", func(w *world, id string) {}, source.Valid},
		{"cleared: a fact goes on", func(w *world, id string) { w.clear(id) }, source.Valid},
		{"undone", func(w *world, id string) { w.undo(id) }, source.Hidden},
		{"undone and redone", func(w *world, id string) { w.undo(id); w.redo(id) }, source.Valid},
		{"changed", func(w *world, id string) { w.write(id, strings.Replace(w.read(id), "tabs", "bats", 1)) }, source.Stale},
		{"corrupt", func(w *world, id string) { w.write(id, strings.Replace(w.read(id), `"seq":2`, `"seq":3`, 1)) }, source.Stale},
		{"deleted", func(w *world, id string) { os.Remove(w.path(id)) }, source.Missing},
		{"an overlapping fact forgotten", func(w *world, id string) {
			other := w.remember("Other.", w.ref(id, 1, 2))
			if _, err := w.Facts.Forget(context.Background(), other); err != nil {
				w.t.Fatal(err)
			}
		}, source.Hidden},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(user("We use tabs."), assistant("Noted."))
			elsewhere := w.new(user("No, spaces."))
			f := w.remember("Tabs.", w.ref(id, 1, 1))
			older := w.remember("Tabs!", w.ref(id, 1, 1))
			w.correct(older, 1, "Spaces.", w.ref(elsewhere, 1, 1))
			tt.change(w, id)
			for _, f := range []string{f, older} {
				p := w.fact(f, 0, 100)
				if p.Status != tt.want {
					t.Errorf("status %q, want %q", p.Status, tt.want)
				}
				if *p.FactID != f || p.Revision == nil || p.Source == nil || *p.SessionID != p.Source.SessionID {
					t.Errorf("the IDs are missing: %+v", p)
				}
			}
			if p := w.fact(older, 0, 1000); p.Status == source.Valid &&
				(*p.FactText != "Spaces." || *p.Revision != 2 || !strings.Contains(*p.SourceText, "No, spaces.")) {
				t.Error("not the current revision")
			}
		})
	}
}

func TestFactUnverified(t *testing.T) {
	w := newWorld(t)
	f := w.remember("Nobody said so.", nil)
	want := `{"fact_id":"` + f + `","fact_text":null,"fact_text_truncated":null,"limit":8192,"next_offset":null,"offset":7,"revision":1,` +
		`"session_id":null,"source":null,"source_text":null,"status":"unverified","type":"recall"}`
	if d := cmp.Diff(want, canonical(t, w.fact(f, 7, 9000))); d != "" {
		t.Error(d)
	}
}

func TestFactErrors(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."))
	f := w.remember("Tabs.", w.ref(id, 1, 1))
	gone := w.remember("Gone.", w.ref(w.new(user("x")), 1, 1))
	if _, err := w.Facts.Forget(context.Background(), gone); err != nil {
		t.Fatal(err)
	}
	end := int64(len([]rune(*w.fact(f, 0, 4096).SourceText)))
	if p := w.fact(f, end-1, 1); *p.SourceText != "]" || p.NextOffset != nil {
		t.Errorf("the last character is %q", *p.SourceText)
	}
	for _, tt := range []struct {
		name          string
		id            string
		offset, limit int64
		kind          error
	}{
		{"unknown", "f-000000000000000000000000", 0, 1, plumbing.ErrNotFound},
		{"forgotten", gone, 0, 1, plumbing.ErrNotFound},
		{"no fact ID", "nope", 0, 1, plumbing.ErrInvalid},
		{"negative offset", f, -1, 1, plumbing.ErrInvalid},
		{"limit 0", f, 0, 0, plumbing.ErrInvalid},
		{"at the end", f, end, 1, plumbing.ErrInvalid},
		{"past the end", f, 1<<63 - 1, 1 << 62, plumbing.ErrInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Fact(context.Background(), w.Deps, tt.id, tt.offset, tt.limit)
			wantKind(t, err, tt.kind)
			if d := cmp.Diff(Page{}, p); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFactTextIsCut(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("x"))
	for n, cut := range map[int]bool{511: false, 512: false, 513: true} {
		text := strings.Repeat("🫖", n)
		p := w.fact(w.remember(text, w.ref(id, 1, 1)), 0, 10)
		if want := strings.Repeat("🫖", min(n, 512)); *p.FactText != want || *p.FactTextTruncated != cut {
			t.Errorf("%d characters: %d shown, truncated %v", n, len([]rune(*p.FactText)), *p.FactTextTruncated)
		}
	}
}

func TestRange(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."), assistant("Noted."))
	cleared := w.new(user("We use tabs."))
	w.clear(cleared)
	corrupt := w.new(user("We use tabs."))
	w.write(corrupt, strings.Replace(w.read(corrupt), `"seq":1`, `"seq":4`, 1))
	for _, tt := range []struct {
		name       string
		id         string
		start, end int64
		status     source.Status
		kind       error
	}{
		{"valid", id, 1, 2, source.Valid, nil},
		{"cleared", cleared, 1, 2, source.Hidden, nil},
		{"no session", "nope", 1, 2, source.Missing, plumbing.ErrNotFound},
		{"past its end", id, 1, 3, source.Missing, plumbing.ErrNotFound},
		{"corrupt", corrupt, 1, 1, source.Stale, plumbing.ErrCorrupt},
		{"no range", id, 2, 1, "", plumbing.ErrInvalid},
		{"no ID", "a/b", 1, 1, "", plumbing.ErrInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Range(context.Background(), w.Deps, tt.id, tt.start, tt.end, 0, 100)
			if tt.kind == nil && err != nil || tt.kind != nil {
				wantKind(t, err, tt.kind)
			}
			if p.Status != tt.status {
				t.Fatalf("status %q, want %q", p.Status, tt.status)
			}
			if tt.status == "" {
				return
			}
			w.check(p)
			if *p.SessionID != tt.id || p.FactID != nil || p.Revision != nil || (p.Source != nil) != (tt.status == source.Valid) {
				t.Error(canonical(t, p))
			}
		})
	}
}

// The database that cannot be read must not make what was forgotten visible.
func TestBrokenDatabase(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."))
	w.remember("Tabs.", w.ref(id, 1, 1))
	w.Facts.Close()
	if err := os.WriteFile(w.Facts.Path(), []byte(strings.Repeat("no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Range(context.Background(), w.Deps, id, 1, 1, 0, 100)
	wantKind(t, err, plumbing.ErrCorrupt)
}
