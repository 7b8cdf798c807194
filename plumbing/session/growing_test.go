package session

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// TestImportMore grows a source: each import appends what is new, and whatever
// else happens to the log is seen.
func TestImportMore(t *testing.T) {
	said := func(text string) string {
		return `{"content":[{"text":"` + text + `","type":"text"}],"origin":"user","role":"user","time":"2026-01-01T00:00:00.000Z","type":"message"}`
	}
	begin := func(t *testing.T) (*world, *Mark, func(m *Mark, texts ...string) (Imported, error)) {
		w := newWorld(t)
		more := func(m *Mark, texts ...string) (Imported, error) {
			var records []string
			for _, s := range texts {
				records = append(records, said(s))
			}
			return w.ImportMore(context.Background(), ImportOptions{ID: "x", From: ImportedFrom{"f", "x"},
				Records: seqOf(records), Generation: zero}, m)
		}
		m := &Mark{}
		got, err := more(m, "a", "b")
		if diff := cmp.Diff(Imported{ID: "x", Appended: 2}, got); diff != "" || err != nil {
			t.Fatalf("%v %s", err, diff)
		}
		return w, m, more
	}
	t.Run("only what is new", func(t *testing.T) {
		w, m, more := begin(t)
		for _, text := range []string{"c", "d"} {
			got, err := more(m, text)
			if diff := cmp.Diff(Imported{ID: "x", Appended: 1}, got); diff != "" || err != nil {
				t.Fatalf("%v %s", err, diff)
			}
		}
		if got, err := more(m); err != nil || got.Appended != 0 {
			t.Errorf("nothing: %+v, %v", got, err)
		}
		// What a whole import makes is the same.
		if got, err := more(&Mark{}, "a", "b", "c", "d"); err != nil || got.Appended != 0 || got.Unchanged != 4 {
			t.Errorf("whole: %+v, %v", got, err)
		}
		if diff := cmp.Diff("1 2 3 4", w.visible("x", forgets{}, Working)); diff != "" {
			t.Error(diff)
		}
	})
	for name, change := range map[string]func(*testing.T, *world){
		"an event": func(t *testing.T, w *world) {
			if err := w.clear("x"); err != nil {
				t.Fatal(err)
			}
		},
		"deleted": func(t *testing.T, w *world) {
			if err := w.Delete(context.Background(), "x"); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, w *world) {
			log := w.read("x")
			if err := os.Remove(w.path("x")); err != nil {
				t.Fatal(err)
			}
			w.write("x", log)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, m, more := begin(t)
			change(t, w)
			if _, err := more(m, "c"); !errors.Is(err, ErrMark) {
				t.Fatalf("%v, want ErrMark", err)
			}
			got, err := more(m, "a", "b", "c")
			if err != nil || got.Appended+got.Unchanged != 3 {
				t.Fatalf("whole again: %+v, %v", got, err)
			}
			if got, err = more(m, "d"); err != nil || got.Appended != 1 {
				t.Errorf("then: %+v, %v", got, err)
			}
			if log := w.read("x"); strings.Count(log, `"text":"c"`) != 1 {
				t.Errorf("c is there %d times", strings.Count(log, `"text":"c"`))
			}
		})
	}
	t.Run("inside an undone exchange", func(t *testing.T) {
		w, m, more := begin(t)
		if err := w.undo("x", 0); err != nil {
			t.Fatal(err)
		}
		if _, err := more(m, "c"); !errors.Is(err, ErrMark) {
			t.Fatal(err)
		}
		answer := `{"content":[{"text":"x","type":"text"}],"origin":"generated","role":"assistant","time":"2026-01-01T00:00:00.000Z","type":"message"}`
		_, err := w.ImportMore(context.Background(), ImportOptions{ID: "x", From: ImportedFrom{"f", "x"},
			Records: seqOf([]string{said("a"), said("b"), answer}), Generation: zero}, m)
		if !errors.Is(err, plumbing.ErrConflict) || *m != (Mark{}) {
			t.Errorf("%v, mark %v", err, *m)
		}
	})
}
