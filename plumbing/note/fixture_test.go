package note

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

var ctx = context.Background()

// fixture is a store in a folder of the test's own.
type fixture struct {
	*Store
	t      testing.TB
	dir    string // <config_dir>
	memory string // the project's folder
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	dir := t.TempDir()
	return &fixture{NewStore(options(dir)), t, dir, filepath.Join(dir, "memory", slug)}
}

func options(dir string) Options {
	zone := time.FixedZone("UTC+5", 5*3600)
	return Options{
		Config: file.Tree{Dir: dir}, Slug: slug, Holder: "a test", LockWait: 20 * time.Second,
		Now: func() time.Time { return time.Date(2026, 12, 2, 23, 30, 0, 0, time.UTC).In(zone) },
	}
}

func (f *fixture) path(name string) string { return filepath.Join(f.memory, filepath.FromSlash(name)) }

// plant writes a file without the store.
func (f *fixture) plant(name, text string) {
	f.t.Helper()
	must(f.t, os.MkdirAll(filepath.Dir(f.path(name)), 0o700))
	must(f.t, os.WriteFile(f.path(name), []byte(text), 0o600))
}

// holds compares a file's bytes.
func (f *fixture) holds(name, want string) {
	f.t.Helper()
	if b, err := os.ReadFile(f.path(name)); err != nil || string(b) != want {
		f.t.Errorf("%s holds %.200q, want %.200q (%v)", name, b, want, err)
	}
}

// names lists every file and folder of the memory but the lock.
func (f *fixture) names() (list []string) {
	f.t.Helper()
	err := filepath.WalkDir(f.dir, func(p string, _ os.DirEntry, err error) error {
		if rel, e := filepath.Rel(f.memory, p); e == nil && !strings.HasPrefix(rel, "..") && rel != "." && rel != "notes.lock" {
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	must(f.t, err)
	return list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails checks an error's kind and that it says what it should, the hint included.
func fails(t testing.TB, what string, err, kind error, says ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
		return
	}
	text := err.Error()
	var e *plumbing.Error
	if errors.As(err, &e) {
		text += ": " + e.Hint
	}
	for _, s := range says {
		if !strings.Contains(text, s) {
			t.Errorf("%s: %q does not say %q", what, text, s)
		}
	}
}
