package session

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// noRaise wants no generation to be raised.
func noRaise(t *testing.T) func(int64) error {
	return func(g int64) error { t.Errorf("the generation was raised to %d", g); return nil }
}

// pot is another project.
func pot(t *testing.T) *world {
	w := newWorld(t)
	w.opt.Project = Project{Root: "/pot", Slug: "pot-1"}
	return w
}

func TestImportLogRoundTrip(t *testing.T) {
	w, other := newWorld(t), pot(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 2), user("c"), assistant("d", 3))
	if err := w.undo(id, 0); err != nil {
		t.Fatal(err)
	}
	exported := w.export(id, forgets{}, false)
	raised := int64(0)
	got, err := other.ImportLog(context.Background(), strings.NewReader(exported), func(g int64) error {
		if _, err := other.Open(context.Background(), id); !errors.Is(err, plumbing.ErrNotFound) {
			t.Errorf("the log is there before the generation is raised: %v", err)
		}
		raised = g
		return nil
	})
	if diff := cmp.Diff(Imported{ID: "s1", Appended: 5}, got); diff != "" || err != nil {
		t.Fatalf("%v %s", err, diff)
	}
	if raised != 2 { // 3 stands in an omitted record only
		t.Errorf("raised to %d, want 2", raised)
	}
	want := strings.Replace(exported, `{"root":"/kettle","slug":"kettle-1"}`, `{"root":"/pot","slug":"pot-1"}`, 1)
	if diff := cmp.Diff(want, other.read("s1")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("1 2", other.visible("s1", forgets{}, Durable)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int64{6}, other.append("s1", user("goes on"))); diff != "" {
		t.Error(diff)
	}
}

func TestImportLogCopies(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 0), user("c"))
	original := w.export(id, forgets{}, true)
	for _, want := range []string{"s1~2", "s1~3"} {
		got, err := w.ImportLog(context.Background(), strings.NewReader(original), noRaise(t))
		if diff := cmp.Diff(Imported{ID: want, Appended: 3, Copy: true}, got); diff != "" || err != nil {
			t.Fatalf("%v %s", err, diff)
		}
	}
	if diff := cmp.Diff(strings.Replace(original, `"id":"s1"`, `"id":"s1~2"`, 1), w.read("s1~2")); diff != "" {
		t.Error(diff)
	}
	_, err := w.Attach(context.Background(), "s1~2")
	wantKind(t, err, plumbing.ErrRefused)
	if hint := new(plumbing.Error); !errors.As(err, &hint) || !strings.Contains(hint.Hint, "/handoff") {
		t.Errorf("%v does not name /handoff", err)
	}
	// An exclusion of the original holds for the copy.
	byKey := keyed{"s1": {1}}
	for _, id := range []string{"s1", "s1~2"} {
		if diff := cmp.Diff("2 3", w.visible(id, byKey, Durable)); diff != "" {
			t.Errorf("%s: %s", id, diff)
		}
	}
	// The copy of a copy is a copy of the session; where that is gone it takes its place.
	copied := w.export("s1~3", forgets{}, true)
	if err := w.Delete(context.Background(), "s1~2"); err != nil {
		t.Fatal(err)
	}
	got, err := w.ImportLog(context.Background(), strings.NewReader(copied), noRaise(t))
	if err != nil || got.ID != "s1~2" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := w.Delete(context.Background(), "s1"); err != nil {
		t.Fatal(err)
	}
	got, err = w.ImportLog(context.Background(), strings.NewReader(copied), noRaise(t))
	if err != nil || got.ID != "s1" || got.Copy || w.read("s1") != original {
		t.Errorf("%+v, %v", got, err)
	}
}

// keyed is exclusions by session key.
type keyed map[string][]int64

func (k keyed) Generation() (int64, error)           { return 0, nil }
func (k keyed) Excluded(key string) ([]int64, error) { return k[key], nil }

// TestImportLogWhileAttached: the original may be in use; the copy needs no lock of it.
func TestImportLogWhileAttached(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	got, err := w.ImportLog(context.Background(), strings.NewReader(w.read(id)), noRaise(t))
	if err != nil || got.ID != "s1~2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestImportLogKeepsTheHeader(t *testing.T) {
	w := newWorld(t)
	in := `{"big":9007199254740993,"id":"x","imported":{"format":"f","source_id":"i"},"project":{"root":"/o","slug":"o"},"seq":0,"time":"2026-01-01T00:00:00.000Z","type":"session","version":1,"writer":"agent"}` + "\n"
	if _, err := w.ImportLog(context.Background(), strings.NewReader(in), noRaise(t)); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(in, `{"root":"/o","slug":"o"}`, `{"root":"/kettle","slug":"kettle-1"}`, 1)
	if diff := cmp.Diff(want, w.read("x")); diff != "" {
		t.Error(diff)
	}
	if im := w.open("x").Header().Imported; im == nil || *im != (ImportedFrom{"f", "i"}) {
		t.Errorf("imported %+v", im)
	}
}

func TestImportLogRefuses(t *testing.T) {
	head := func(id, version string) string {
		return `{"id":"` + id + `","project":{"root":"/o","slug":"o"},"seq":0,"time":"2026-01-01T00:00:00.000Z","type":"session","version":` + version + `,"writer":"a"}` + "\n"
	}
	good := head("x", "1")
	for name, c := range map[string]struct {
		in   string
		kind error
	}{
		"empty":             {"", plumbing.ErrInvalid},
		"spaces":            {"   \n", plumbing.ErrInvalid},
		"no header":         {`{"seq":1,"type":"cancel"}` + "\n", plumbing.ErrInvalid},
		"cut off":           {good + `{"seq":1,"type":"can`, plumbing.ErrInvalid},
		"no last newline":   {good + `{"seq":1,"type":"cancel"}`, plumbing.ErrInvalid},
		"header cut off":    {strings.TrimSuffix(good, "\n"), plumbing.ErrInvalid},
		"a gap":             {good + `{"seq":2,"type":"cancel"}` + "\n", plumbing.ErrInvalid},
		"CRLF":              {strings.ReplaceAll(good, "\n", "\r\n"), plumbing.ErrInvalid},
		"BOM":               {"\ufeff" + good, plumbing.ErrInvalid},
		"NULs":              {good + "\x00\x00\n", plumbing.ErrInvalid},
		"duplicate keys":    {good + `{"seq":1,"seq":1,"type":"cancel"}` + "\n", plumbing.ErrInvalid},
		"lone surrogate":    {good + `{"seq":1,"t":"\ud800","type":"cancel"}` + "\n", plumbing.ErrInvalid},
		"a long line":       {good + strings.Repeat("x", 17<<20) + "\n", plumbing.ErrInvalid},
		"a path as ID":      {head("../../x", "1"), plumbing.ErrInvalid},
		"no ID":             {head("", "1"), plumbing.ErrInvalid},
		"a hidden ID":       {head(".x", "1"), plumbing.ErrInvalid},
		"no version":        {head("x", "0"), plumbing.ErrInvalid},
		"a newer version":   {head("x", "2"), plumbing.ErrRefused},
		"another's JSON":    {`{"type":"user","message":{}}` + "\n", plumbing.ErrInvalid},
		"absurd generation": {good + `{"generation":99999999999999999,"seq":1,"type":"x"}` + "\n", plumbing.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := w.ImportLog(context.Background(), strings.NewReader(c.in), noRaise(t))
			wantKind(t, err, c.kind)
			if diff := cmp.Diff([]string{}, w.names()); diff != "" {
				t.Errorf("left behind: %s", diff)
			}
		})
	}
}

func TestImportLogFailures(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"), assistant("b", 1))
	log := w.export(id, forgets{}, true)
	other := pot(t)
	_, err := other.ImportLog(context.Background(), strings.NewReader(log), func(int64) error { return errFull })
	if !errors.Is(err, errFull) {
		t.Errorf("a generation that cannot be raised: %v", err)
	}
	_, err = other.ImportLog(context.Background(), io.MultiReader(strings.NewReader(log), iotest.ErrReader(errFull)), noRaise(t))
	if !errors.Is(err, errFull) {
		t.Errorf("an input that cannot be read: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := other.ImportLog(ctx, strings.NewReader(log), noRaise(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if diff := cmp.Diff([]string{}, other.names()); diff != "" {
		t.Errorf("left behind: %s", diff)
	}
	// What stands in the way of the name is left alone, whatever it is.
	if err := os.Symlink(w.path(id), other.path("s1")); err != nil {
		t.Fatal(err)
	}
	got, err := other.ImportLog(context.Background(), strings.NewReader(log), func(int64) error { return nil })
	if err != nil || got.ID != "s1~2" || w.read(id) != log {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzImportLog: what is taken in is a log that opens, with the records' bytes as they came.
func FuzzImportLog(f *testing.F) {
	f.Add([]byte(`{"id":"x","project":{"root":"/o","slug":"o"},"seq":0,"type":"session","version":1}` + "\n" + `{"generation":3,"seq":1,"type":"cancel"}` + "\n"))
	f.Add([]byte(`{"id":"a~2","project":1,"seq":0,"type":"session","version":1}` + "\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		w := newWorld(t)
		got, err := w.ImportLog(context.Background(), strings.NewReader(string(in)), func(int64) error { return nil })
		if err != nil {
			if names := w.names(); len(names) > 0 {
				t.Fatalf("left behind %v after %v", names, err)
			}
			return
		}
		l := w.open(got.ID)
		_, body, _ := strings.Cut(string(in), "\n")
		_, stored, _ := strings.Cut(w.read(got.ID), "\n")
		if l.Corruption() != nil || body != stored || l.Last() != got.Appended {
			t.Fatalf("%+v: %v", got, l.Corruption())
		}
	})
}
