package tool

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

const slug = "kettle-1"

// world is the real stores in folders of the test's own, with one session s1 of two user messages.
type world struct {
	Deps
	t        testing.TB
	config   file.Tree
	sessions *session.Store
}

func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	w := &world{t: t, config: file.Tree{Dir: dir + "/config"}}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	w.sessions = session.NewStore(session.Options{
		Config: w.config, Cache: file.Tree{Dir: dir + "/cache"}, Project: session.Project{Root: "/kettle", Slug: slug},
		Now: now, NewID: func() (string, error) { return "s1", nil }, Holder: "the test",
	})
	w.Sources = source.Validator{Sessions: w.sessions}
	w.Facts = fact.NewStore(fact.Options{Config: w.config, Slug: slug, Validator: w.Sources, Now: now, Enabled: true})
	w.Notes = note.NewStore(note.Options{Config: w.config, Slug: slug, Now: now, Holder: "the test", LockWait: time.Minute})
	t.Cleanup(func() { w.Facts.Close() })
	if _, err := w.sessions.New(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.say("We use tabs.", "Two spaces in YAML.")
	return w
}

// say appends messages of a user.
func (w *world) say(texts ...string) {
	w.t.Helper()
	a, err := w.sessions.Attach(w.t.Context(), "s1")
	if err != nil {
		w.t.Fatal(err)
	}
	defer a.Close()
	var lines [][]byte
	for _, text := range texts {
		lines = append(lines, fmt.Appendf(nil, `{"content":[{"text":%q,"type":"text"}],"origin":"user","role":"user","type":"message"}`, text))
	}
	if _, err := a.Append(w.t.Context(), lines, 0); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) ref(start, end int64) *source.Ref {
	w.t.Helper()
	s, err := w.Sources.Snapshot(w.t.Context(), w.Facts, "s1", start, end)
	if err != nil {
		w.t.Fatal(err)
	}
	return &s.Ref
}

func (w *world) remember(text string, start, end int64) string {
	w.t.Helper()
	r, err := w.Facts.Remember(w.t.Context(), text, w.ref(start, end), fact.RememberOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Fact.ID
}

func (w *world) write(file, text string) {
	w.t.Helper()
	if _, err := w.Notes.Write(w.t.Context(), file, text, note.Replace); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) call(name, args string) (Result, error) {
	return Call(context.Background(), w.Deps, Caller{}, name, []byte(args))
}

// must is the text of a call that has to succeed.
func (w *world) must(name, args string) string {
	w.t.Helper()
	r, err := w.call(name, args)
	if err != nil {
		w.t.Fatalf("%s %s: %v", name, args, err)
	}
	return r.Text
}
