package fsck

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

var ctx = context.Background()

// world is a project with a session s1 of four records, in folders of the test's own.
type world struct {
	*Checker
	t       testing.TB
	dir     string
	store   *session.Store
	sources source.Validator
	facts   *fact.Store
}

func now() time.Time { return time.Now().Add(time.Hour) } // every file here is old

const talk = `{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"the codeword is PELICAN"}]}
{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"text","text":"PELICAN it is"}]}
{"type":"title","title":"words"}
{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":"lunch at noon"}]}`

func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o700))
	w := &world{t: t, dir: dir}
	config, cache := file.Tree{Dir: dir + "/config"}, file.Tree{Dir: dir + "/cache"}
	p := session.Project{Root: "/kettle", Slug: "kettle-1"}
	n := 0
	w.store = session.NewStore(session.Options{Config: config, Cache: cache, Project: p, Now: time.Now,
		NewID: func() (string, error) { n++; return fmt.Sprintf("s%d", n), nil }, Holder: "the test"})
	w.sources = source.Validator{Sessions: w.store}
	w.facts = fact.NewStore(fact.Options{Config: config, Slug: p.Slug, Validator: w.sources, Now: time.Now, Enabled: true})
	t.Cleanup(func() { w.facts.Close() })
	w.Checker = New(Options{Config: config, Cache: cache, Project: p, Facts: w.facts, Now: now, Repairs: w.store})
	_, err := w.store.New(ctx)
	must(t, err)
	w.append("s1", talk)
	return w
}

func (w *world) append(id, lines string) {
	w.t.Helper()
	a, err := w.store.Attach(ctx, id)
	must(w.t, err)
	defer a.Close()
	_, err = a.Append(ctx, bytes.Split([]byte(lines), []byte("\n")), 9)
	must(w.t, err)
}

func (w *world) remember(text string, start, end int64) string {
	w.t.Helper()
	s, err := w.sources.Snapshot(ctx, w.facts, "s1", start, end)
	must(w.t, err)
	r, err := w.facts.Remember(ctx, text, &s.Ref, fact.RememberOptions{})
	must(w.t, err)
	return r.Fact.ID
}

func (w *world) forget(id string) {
	w.t.Helper()
	_, err := w.facts.Forget(ctx, id)
	must(w.t, err)
}

func (w *world) sessions(name string) string {
	return filepath.Join(w.dir, "config/sessions/kettle-1", name)
}
func (w *world) memory(name string) string {
	return filepath.Join(w.dir, "config/memory/kettle-1", name)
}
func (w *world) indexes(name string) string {
	return filepath.Join(w.dir, "cache/index/kettle-1", name)
}

func (w *world) write(path, content string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(w.t, os.WriteFile(path, []byte(content), 0o600))
}

func (w *world) edit(path, from, to string) {
	w.t.Helper()
	b, err := os.ReadFile(path)
	must(w.t, err)
	if !bytes.Contains(b, []byte(from)) {
		w.t.Fatalf("nothing to edit in %s", path)
	}
	must(w.t, os.WriteFile(path, bytes.Replace(b, []byte(from), []byte(to), 1), 0o600))
}

// fresh makes the index of s1 anew, as any reader does.
func (w *world) fresh() {
	w.t.Helper()
	l, err := w.store.Open(ctx, "s1")
	must(w.t, err)
	l.Close()
}

// codes runs a check and returns what it found as "code base[:line]".
func (w *world) codes(run func(context.Context, func(Finding) error) error) []string {
	w.t.Helper()
	list := []string{}
	must(w.t, run(ctx, func(f Finding) error {
		s := f.Code + " " + filepath.Base(f.File)
		if f.Line != nil {
			s += fmt.Sprintf(":%d", *f.Line)
		}
		if strings.Contains(f.Help, "PELICAN") || strings.Contains(f.Help, "\n") || f.Help == "" {
			w.t.Errorf("help of %s: %q", f.Code, f.Help)
		}
		list = append(list, s)
		return nil
	}))
	slices.Sort(list)
	return list
}

// state is every file with its bytes, bits and time.
func (w *world) state() map[string]string {
	all := map[string]string{}
	must(w.t, filepath.Walk(w.dir, func(p string, info os.FileInfo, err error) error {
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		all[p] = fmt.Sprint(info.Mode(), info.ModTime(), string(b))
		return err
	}))
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
