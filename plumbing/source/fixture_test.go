package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
)

// world is a session store in folders of the test's own, and a validator on it.
type world struct {
	Validator
	t   testing.TB
	dir string
	ids int
}

const (
	root = "/kettle"
	slug = "kettle-1"
)

func newWorld(t testing.TB) *world {
	w := &world{t: t, dir: t.TempDir()}
	w.Sessions = w.store(root)
	return w
}

// store is the project's folder as a project with another root sees it.
func (w *world) store(root string) *session.Store {
	return session.NewStore(session.Options{
		Config:   file.Tree{Dir: w.dir + "/config"},
		Cache:    file.Tree{Dir: w.dir + "/cache"},
		Project:  session.Project{Root: root, Slug: slug},
		Now:      func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) },
		NewID:    func() (string, error) { w.ids++; return fmt.Sprintf("s%d", w.ids), nil },
		LockWait: 20 * time.Millisecond,
		Holder:   "the test",
	})
}

func (w *world) new(lines ...string) string {
	w.t.Helper()
	info, err := w.Sessions.New(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if len(lines) > 0 {
		w.append(info.ID, lines...)
	}
	return info.ID
}

func (w *world) attached(id string, do func(*session.Writer) error) {
	w.t.Helper()
	a, err := w.Sessions.Attach(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	defer a.Close()
	if err := do(a); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) append(id string, lines ...string) {
	w.t.Helper()
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	w.attached(id, func(a *session.Writer) error {
		_, err := a.Append(context.Background(), raw, 3)
		return err
	})
}

func (w *world) undo(id string, seq int64) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error {
		_, err := a.Undo(context.Background(), forgets{}, seq)
		return err
	})
}

func (w *world) redo(id string) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Redo(context.Background()); return err })
}

func (w *world) clear(id string) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Clear(context.Background()); return err })
}

func (w *world) path(id string) string {
	return w.dir + "/config/sessions/" + slug + "/" + id + ".jsonl"
}

func (w *world) read(id string) []byte {
	w.t.Helper()
	b, err := os.ReadFile(w.path(id))
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// edit replaces bytes in a log as an editor would.
func (w *world) edit(id, from, to string) {
	w.t.Helper()
	old := w.read(id)
	if !bytes.Contains(old, []byte(from)) {
		w.t.Fatalf("nothing to edit in %s", id)
	}
	if err := os.WriteFile(w.path(id), bytes.Replace(old, []byte(from), []byte(to), 1), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) snapshot(id string, start, end int64) Snapshot {
	w.t.Helper()
	s, err := w.Snapshot(context.Background(), forgets{}, id, start, end)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// forgets is a fixed session.Exclusions.
type forgets struct {
	generation int64
	seqs       []int64
	err        error
}

func (f forgets) Generation() (int64, error)       { return f.generation, f.err }
func (f forgets) Excluded(string) ([]int64, error) { return f.seqs, f.err }

func user(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%q}]}`, text)
}

func synthetic(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"synthetic","generation":0,"content":[{"type":"text","text":%q}]}`, text)
}

func assistant(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"text","text":%q}]}`, text)
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want one of kind %v", err, kind)
	}
}

// dialogue is a session of four messages with a title between them: seqs 1, 2, 4, 5.
func (w *world) dialogue() string {
	return w.new(user("We use tabs."), assistant("Noted."), `{"type":"title","title":"Tabs"}`, user("And LF."), assistant("Good."))
}
