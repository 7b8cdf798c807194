package fact

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// fake is a Validator whose word is what a test says. What is excluded is hidden, as for the real one.
type fake struct {
	mu      sync.Mutex
	status  map[string]source.Status // by session; valid where absent
	noText  map[string]bool          // sessions without user or assistant text
	err     error                    // a failure of the machine
	during  func(ex session.Exclusions)
	synced  int
	purpose session.Purpose
}

func (v *fake) set(id string, s source.Status) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.status == nil {
		v.status = map[string]source.Status{}
	}
	v.status[id] = s
}

func (v *fake) Validate(_ context.Context, ex session.Exclusions, ref source.Ref, p session.Purpose) (source.Status, error) {
	v.mu.Lock()
	status, during, err := v.status[ref.SessionID], v.during, v.err
	v.purpose = p
	v.mu.Unlock()
	if during != nil {
		during(ex)
	}
	if err != nil {
		return "", err
	}
	if status != "" && status != source.Valid {
		return status, nil
	}
	seqs, err := ex.Excluded(session.Key(ref.SessionID))
	if err != nil {
		return "", err
	}
	for _, seq := range seqs {
		for _, mine := range ref.Seqs {
			if seq == mine {
				return source.Hidden, nil
			}
		}
	}
	return source.Valid, nil
}

func (v *fake) Sync(context.Context, source.Ref) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.synced++
	return nil
}

func (v *fake) Evidence(_ context.Context, ref source.Ref) (source.Evidence, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return source.Evidence{Text: !v.noText[ref.SessionID]}, nil
}

// clock counts a second at each look.
type clock struct {
	mu sync.Mutex
	n  int
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return time.Date(2026, 1, 2, 3, 4, c.n, 567_000_000, time.UTC)
}

func options(dir string, v Validator) Options {
	return Options{Config: file.Tree{Dir: dir}, Slug: "p-1", Validator: v, Now: new(clock).now, Enabled: true}
}

// fixture is a store in a folder of its own.
type fixture struct {
	*Store
	t   testing.TB
	v   *fake
	dir string
}

func newFixture(t testing.TB) *fixture {
	dir := t.TempDir()
	v := &fake{}
	f := &fixture{NewStore(options(dir, v)), t, v, dir}
	t.Cleanup(func() { f.Close() })
	return f
}

// again opens the same database as another process would.
func (f *fixture) again() *Store {
	s := NewStore(options(f.dir, f.v))
	f.t.Cleanup(func() { s.Close() })
	return s
}

func (f *fixture) path() string   { return filepath.Join(f.dir, "memory", "p-1", "facts.sqlite3") }
func (f *fixture) folder() string { return filepath.Dir(f.path()) }

func ref(id string, seqs ...int64) *source.Ref {
	sum := sha256.Sum256([]byte(fmt.Sprint(id, seqs)))
	return &source.Ref{Digest: "sha256:" + hex.EncodeToString(sum[:]), Seqs: seqs, SessionID: id}
}

func (f *fixture) remember(text string, r *source.Ref) Fact {
	f.t.Helper()
	res, err := f.Remember(context.Background(), text, r, RememberOptions{})
	must(f.t, err)
	if res.Outcome != Created {
		f.t.Fatalf("remember: outcome %q", res.Outcome)
	}
	return res.Fact
}

func (f *fixture) forget(id string) Receipt {
	f.t.Helper()
	r, err := f.Forget(context.Background(), id)
	must(f.t, err)
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantKind checks the kind of err, that its text holds words, and that it is of no other kind.
func wantKind(t testing.TB, err, kind error, words ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want kind %q", err, kind)
	}
	for _, other := range []error{plumbing.ErrNo, plumbing.ErrInvalid, plumbing.ErrNotFound, plumbing.ErrConflict,
		plumbing.ErrRefused, plumbing.ErrCorrupt, plumbing.ErrBusy} {
		if other != kind && errors.Is(err, other) {
			t.Fatalf("error %v is of kind %q and %q", err, kind, other)
		}
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Fatalf("error %q does not name %q", err, w)
		}
	}
}

// raw opens the database with no rules of ours.
func (f *fixture) raw() *sql.DB {
	f.t.Helper()
	db, err := sql.Open("sqlite", "file:"+f.path())
	must(f.t, err)
	db.SetMaxOpenConns(1)
	f.t.Cleanup(func() { db.Close() })
	return db
}

func (f *fixture) rawExec(statements ...string) {
	f.t.Helper()
	db := f.raw()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			f.t.Fatalf("%s: %v", s, err)
		}
	}
	must(f.t, db.Close())
}

// sum is the hash of a file, "" where there is none.
func sum(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return ""
	}
	must(t, err)
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// tree lists everything under dir with its size.
func tree(t testing.TB, dir string) string {
	t.Helper()
	var out bytes.Buffer
	must(t, filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		size := info.Size()
		if strings.HasSuffix(p, ".lock") {
			size = 0 // it names whoever last held it
		}
		fmt.Fprintln(&out, strings.TrimPrefix(p, dir), info.Mode(), size)
		return nil
	}))
	return out.String()
}

// sound checks a database with a fresh store.
func (f *fixture) sound() {
	f.t.Helper()
	problems, err := f.again().Check(context.Background())
	must(f.t, err)
	if len(problems) > 0 {
		f.t.Fatalf("problems: %v", problems)
	}
}

func contains(b []byte, text string) bool { return bytes.Contains(b, []byte(text)) }
