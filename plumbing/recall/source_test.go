package recall

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/source"
)

func TestSource(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(w *world, id string, ref *source.Ref)
		want   source.Status
	}{
		{"untouched", func(*world, string, *source.Ref) {}, source.Valid},
		{"cleared", func(w *world, id string, _ *source.Ref) { w.clear(id) }, source.Hidden},
		{"undone", func(w *world, id string, _ *source.Ref) { w.undo(id) }, source.Hidden},
		{"undone and redone", func(w *world, id string, _ *source.Ref) { w.undo(id); w.redo(id) }, source.Valid},
		{"forgotten", func(w *world, id string, ref *source.Ref) {
			if _, err := w.Facts.Forget(context.Background(), w.remember("Tabs.", ref)); err != nil {
				w.t.Fatal(err)
			}
		}, source.Hidden},
		{"changed", func(w *world, id string, _ *source.Ref) { w.write(id, strings.Replace(w.read(id), "tabs", "bats", 1)) }, source.Stale},
		{"deleted", func(w *world, id string, _ *source.Ref) { os.Remove(w.path(id)) }, source.Missing},
		{"past the end", func(_ *world, _ string, ref *source.Ref) { ref.Seqs = []int64{1, 99} }, source.Missing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			id := w.new(user("We use tabs."), assistant("Noted."))
			ref := w.ref(id, 1, 2)
			tt.change(w, id, ref)
			p, err := Source(context.Background(), w.Deps, *ref, 0, DefaultLimit)
			if err != nil {
				t.Fatal(err)
			}
			w.check(p)
			if p.Status != tt.want || p.FactID != nil || p.Revision != nil || *p.SessionID != id || !p.Source.Equal(*ref) {
				t.Errorf("want %q: %s", tt.want, canonical(t, p))
			}
		})
	}
}

// A ref and the range that it was taken from show the same pages.
func TestSourceIsRange(t *testing.T) {
	w := newWorld(t)
	id := w.new(user("We use tabs."), assistant(strings.Repeat("Noted. 🫖\\", 900)))
	ref := *w.ref(id, 1, 2)
	for offset := int64(0); offset < 9000; offset += 1234 {
		a, err := Source(context.Background(), w.Deps, ref, offset, 3000)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Range(context.Background(), w.Deps, id, 1, 2, offset, 3000)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(canonical(t, a), canonical(t, b)); d != "" {
			t.Error(d)
		}
	}
}

func TestSourceErrors(t *testing.T) {
	w := newWorld(t)
	ref := *w.ref(w.new(user("We use tabs.")), 1, 1)
	path := ref
	path.SessionID = "../s1"
	for _, tt := range []struct {
		name          string
		ref           source.Ref
		offset, limit int64
	}{
		{"not a ref", source.Ref{SessionID: ref.SessionID}, 0, 1},
		{"a path for an ID", path, 0, 1},
		{"past the end", ref, 1 << 40, 1},
		{"negative offset", ref, -1, 1},
		{"limit 0", ref, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Source(context.Background(), w.Deps, tt.ref, tt.offset, tt.limit)
			wantKind(t, err, plumbing.ErrInvalid)
			if d := cmp.Diff(Page{}, p); d != "" {
				t.Error(d)
			}
		})
	}
}
