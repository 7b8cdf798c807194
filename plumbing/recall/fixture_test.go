package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

const slug = "kettle-1"

// world is the real stores in folders of the test's own.
type world struct {
	Deps
	t        testing.TB
	dir      string
	sessions *session.Store
	ids      int
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, dir: t.TempDir()}
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) }
	config := file.Tree{Dir: w.dir + "/config"}
	w.sessions = session.NewStore(session.Options{
		Config: config, Cache: file.Tree{Dir: w.dir + "/cache"},
		Project:  session.Project{Root: "/kettle", Slug: slug},
		Now:      now,
		NewID:    func() (string, error) { w.ids++; return fmt.Sprintf("s%d", w.ids), nil },
		LockWait: 20 * time.Millisecond, Holder: "the test",
	})
	w.Sources = source.Validator{Sessions: w.sessions}
	w.Facts = fact.NewStore(fact.Options{Config: config, Slug: slug, Validator: w.Sources, Now: now, Enabled: true})
	t.Cleanup(func() { w.Facts.Close() })
	return w
}

func (w *world) new(lines ...string) string {
	w.t.Helper()
	info, err := w.sessions.New(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	w.append(info.ID, lines...)
	return info.ID
}

func (w *world) append(id string, lines ...string) {
	w.t.Helper()
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	w.attached(id, func(a *session.Writer) error {
		_, err := a.Append(context.Background(), raw, 0)
		return err
	})
}

func (w *world) attached(id string, do func(*session.Writer) error) {
	w.t.Helper()
	a, err := w.sessions.Attach(context.Background(), id)
	if err == nil {
		err = do(a)
		a.Close()
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) clear(id string) {
	w.attached(id, func(a *session.Writer) error { _, err := a.Clear(context.Background()); return err })
}

func (w *world) undo(id string) {
	w.attached(id, func(a *session.Writer) error { _, err := a.Undo(context.Background(), w.Facts, 0); return err })
}

func (w *world) redo(id string) {
	w.attached(id, func(a *session.Writer) error { _, err := a.Redo(context.Background()); return err })
}

func (w *world) path(id string) string {
	return w.dir + "/config/sessions/" + slug + "/" + id + ".jsonl"
}

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

func (w *world) ref(id string, start, end int64) *source.Ref {
	w.t.Helper()
	s, err := w.Sources.Snapshot(context.Background(), w.Facts, id, start, end)
	if err != nil {
		w.t.Fatal(err)
	}
	return &s.Ref
}

func (w *world) remember(text string, ref *source.Ref) string {
	w.t.Helper()
	r, err := w.Facts.Remember(context.Background(), text, ref, fact.RememberOptions{Unverified: ref == nil})
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Fact.ID
}

func (w *world) correct(id string, revision int64, text string, ref *source.Ref) {
	w.t.Helper()
	if _, err := w.Facts.Correct(context.Background(), id, revision, text, ref, fact.CorrectOptions{}); err != nil {
		w.t.Fatal(err)
	}
}

// fact recalls a fact and wants no error.
func (w *world) fact(id string, offset, limit int64) Page {
	w.t.Helper()
	p, err := Fact(context.Background(), w.Deps, id, offset, limit)
	if err != nil {
		w.t.Fatal(err)
	}
	w.check(p)
	return p
}

// check holds a page against what every page keeps.
func (w *world) check(p Page) {
	w.t.Helper()
	line, err := canon.Marshal(p)
	if err != nil {
		w.t.Fatal(err)
	}
	if len(line)+1 > MaxBytes {
		w.t.Fatalf("a page of %d bytes", len(line)+1)
	}
	if valid := p.Status == source.Valid; valid != (p.SourceText != nil) || !valid && (p.FactText != nil || p.NextOffset != nil) {
		w.t.Fatalf("content does not go with status %q: %s", p.Status, line)
	}
}

// all puts the pages together; next is asked for the page at an offset.
func (w *world) all(next func(offset int64) (Page, error)) string {
	w.t.Helper()
	text, digest := "", ""
	for offset := int64(0); ; {
		p, err := next(offset)
		if err != nil {
			w.t.Fatal(err)
		}
		w.check(p)
		if p.Status != source.Valid {
			w.t.Fatalf("status %q", p.Status)
		}
		if digest != "" && digest != p.Source.Digest {
			w.t.Fatal("another digest on the next page")
		}
		digest = p.Source.Digest
		got := int64(len([]rune(*p.SourceText)))
		if got < 1 || got > p.Limit {
			w.t.Fatalf("%d characters where at most %d are due", got, p.Limit)
		}
		text += *p.SourceText
		if p.NextOffset == nil {
			return text
		}
		if *p.NextOffset != offset+got {
			w.t.Fatalf("next_offset %d after %d and %d characters", *p.NextOffset, offset, got)
		}
		offset = *p.NextOffset
	}
}

func message(role, origin, content string) string {
	g := `,"generation":0`
	if origin == "user" {
		g = ""
	}
	return fmt.Sprintf(`{"type":"message","role":%q,"origin":%q%s,"content":[%s]}`, role, origin, g, content)
}

func quote(s string) string {
	b, err := canon.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func text(s string) string { return `{"type":"text","text":` + quote(s) + `}` }

func user(s string) string { return message("user", "user", text(s)) }

func assistant(s string) string { return message("assistant", "generated", text(s)) }

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want one of kind %v", err, kind)
	}
}
