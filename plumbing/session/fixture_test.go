package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/file"
)

// world is a store in folders of the test's own.
type world struct {
	*Store
	t   testing.TB
	ids int
}

func newWorld(t testing.TB) *world {
	w := &world{t: t}
	dir := t.TempDir()
	w.Store = NewStore(Options{
		Config:   file.Tree{Dir: dir + "/config"},
		Cache:    file.Tree{Dir: dir + "/cache"},
		Project:  Project{Root: "/kettle", Slug: "kettle-1"},
		Now:      func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) },
		NewID:    func() (string, error) { w.ids++; return fmt.Sprintf("s%d", w.ids), nil },
		LockWait: 20 * time.Millisecond,
		Holder:   "the test",
	})
	return w
}

// forgets is a fixed Exclusions.
type forgets struct {
	generation int64
	seqs       []int64
}

func (f forgets) Generation() (int64, error)       { return f.generation, nil }
func (f forgets) Excluded(string) ([]int64, error) { return f.seqs, nil }

func user(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%q}]}`, text)
}

func assistant(text string, generation int) string {
	return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":%d,"content":[{"type":"text","text":%q}]}`, generation, text)
}

func (w *world) new() string {
	w.t.Helper()
	info, err := w.New(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return info.ID
}

// append stores lines and wants no error.
func (w *world) append(id string, lines ...string) []int64 {
	w.t.Helper()
	seqs, err := w.tryAppend(id, lines...)
	if err != nil {
		w.t.Fatal(err)
	}
	return seqs
}

func (w *world) tryAppend(id string, lines ...string) ([]int64, error) {
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	return a.Append(context.Background(), raw, 3)
}

func (w *world) path(id string) string { return w.opt.Config.Path(w.logName(id)) }

func (w *world) read(id string) string {
	w.t.Helper()
	b, err := os.ReadFile(w.path(id))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

func (w *world) write(id, content string) {
	w.t.Helper()
	if err := os.WriteFile(w.path(id), []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) open(id string) *Log {
	w.t.Helper()
	l, err := w.Open(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { l.Close() })
	return l
}

// visible lists the seqs that are visible for a purpose.
func (w *world) visible(id string, ex Exclusions, p Purpose) string {
	w.t.Helper()
	l := w.open(id)
	v, err := l.Visibility(ex)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for seq := int64(1); seq <= l.Last(); seq++ {
		ok, err := v.Visible(seq, p)
		if err != nil {
			w.t.Fatal(err)
		}
		if ok {
			out = append(out, fmt.Sprint(seq))
		}
	}
	return strings.Join(out, " ")
}

// event runs one event on a session.
func (w *world) event(id string, do func(*Writer) (Event, error)) error {
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		return err
	}
	defer a.Close()
	_, err = do(a)
	return err
}

func (w *world) undo(id string, seq int64) error {
	return w.event(id, func(a *Writer) (Event, error) { return a.Undo(context.Background(), forgets{}, seq) })
}

func (w *world) redo(id string) error {
	return w.event(id, func(a *Writer) (Event, error) { return a.Redo(context.Background()) })
}

func (w *world) clear(id string) error {
	return w.event(id, func(a *Writer) (Event, error) { return a.Clear(context.Background()) })
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want one of kind %v", err, kind)
	}
}
