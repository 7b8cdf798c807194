package fact

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/source"
)

var ctx = context.Background()

var (
	_ Validator = source.Validator{}
	_ Validator = (*source.Validator)(nil)
)

func TestReadsOfAMissingDatabaseMakeNothing(t *testing.T) {
	f := newFixture(t)
	s := NewStore(Options{Config: file.Tree{Dir: filepath.Join(f.dir, "not", "there")}, Slug: "p-1", Enabled: true})
	for _, s := range []*Store{f.Store, s} {
		g, err := s.Generation()
		must(t, err)
		seqs, err := s.Excluded("a")
		must(t, err)
		_, forgot, err := s.ForgotAt()
		must(t, err)
		all, err := s.Exclusions(ctx)
		must(t, err)
		v, err := s.View(ctx)
		must(t, err)
		vg, err := v.Generation()
		must(t, err)
		vseqs, err := v.Excluded("a")
		must(t, err)
		n, err := s.Count(ctx)
		must(t, err)
		if g != 0 || vg != 0 || n != 0 || forgot || len(seqs)+len(vseqs)+len(all) > 0 {
			t.Error("a missing database says something")
		}
		for name, list := range map[string]func() ([]Fact, error){
			"list":       func() ([]Fact, error) { return s.List(ctx, Page{}) },
			"newest":     func() ([]Fact, error) { return s.NewestFirst(ctx) },
			"candidates": func() ([]Fact, error) { return s.Candidates(ctx) },
			"search":     func() ([]Fact, error) { return s.Search(ctx, "x", Page{}) },
		} {
			if facts, err := list(); err != nil || len(facts) > 0 {
				t.Errorf("%s: %v, %v", name, facts, err)
			}
		}
		problems, err := s.Check(ctx)
		if err != nil || len(problems) > 0 {
			t.Errorf("check: %v, %v", problems, err)
		}
		_, err = s.Get(ctx, unknown)
		wantKind(t, err, plumbing.ErrNotFound, unknown)
		_, err = s.Forget(ctx, unknown)
		wantKind(t, err, plumbing.ErrNotFound, unknown)
		must(t, s.RaiseGeneration(ctx, 0))
	}
	if got := tree(t, f.dir); strings.Count(got, "\n") != 1 {
		t.Errorf("reads made files:\n%s", got)
	}
}

func TestRefusedWritesMakeNoDatabase(t *testing.T) {
	f := newFixture(t)
	f.v.set("gone", "missing")
	_, err := f.Remember(ctx, "x", ref("gone", 1), RememberOptions{})
	wantKind(t, err, plumbing.ErrNotFound)
	_, err = f.Correct(ctx, unknown, 1, "x", ref("s", 1), CorrectOptions{})
	wantKind(t, err, plumbing.ErrNotFound)
	_, err = f.Attach(ctx, unknown, 1, *ref("s", 1))
	wantKind(t, err, plumbing.ErrNotFound)
	if got := tree(t, f.dir); strings.Count(got, "\n") != 1 {
		t.Errorf("refused writes made files:\n%s", got)
	}
}

func TestFilesAndBits(t *testing.T) {
	f := newFixture(t)
	f.remember("x", ref("s", 1))
	list, err := os.ReadDir(f.folder())
	must(t, err)
	var got []string
	for _, e := range list {
		info, err := e.Info()
		must(t, err)
		got = append(got, e.Name()+" "+info.Mode().String())
	}
	want := []string{"facts.lock -rw-------", "facts.sqlite3 -rw-------"}
	if d := cmp.Diff(want, got); d != "" && runtime.GOOS != "windows" {
		t.Error(d)
	}
}

func TestPragmasOfEveryConnection(t *testing.T) {
	f := newFixture(t)
	f.remember("x", ref("s", 1))
	for _, write := range []bool{false, true} {
		h, done, err := f.handleFor(write)
		must(t, err)
		got := map[string]string{}
		for _, p := range []string{"journal_mode", "synchronous", "secure_delete", "foreign_keys", "trusted_schema",
			"busy_timeout", "temp_store", "user_version", "application_id"} {
			var v string
			must(t, h.db.QueryRow("PRAGMA "+p).Scan(&v))
			got[p] = v
		}
		want := map[string]string{"journal_mode": "delete", "synchronous": "3", "secure_delete": "1", "foreign_keys": "1",
			"trusted_schema": "0", "busy_timeout": "5000", "temp_store": "2", "user_version": "2", "application_id": "1818583919"}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("write %v: %s", write, d)
		}
		if n := h.db.Stats().MaxOpenConnections; n != 1 {
			t.Errorf("%d connections", n)
		}
		tx, err := h.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: !write})
		must(t, err)
		_, err = tx.Exec("UPDATE meta SET generation = 7")
		if write != (err == nil) {
			t.Errorf("write %v: %v", write, err)
		}
		must(t, tx.Rollback())
		done()
	}
}

// A transaction is immediate: two writers meet at its begin, not at their first write.
func TestTransactionsAreImmediate(t *testing.T) {
	if got := dsn("/x", true); !strings.Contains(got, "_txlock=immediate") {
		t.Error(got)
	}
	f := newFixture(t)
	f.remember("x", ref("s", 1))
	h, done, err := f.handleFor(true)
	must(t, err)
	defer done()
	tx, err := h.db.BeginTx(ctx, nil)
	must(t, err)
	defer tx.Rollback()
	other := f.raw()
	_, err = other.Exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE")
	if code := sqliteCode(err); code != 5 {
		t.Errorf("a second writer begins: %v", err)
	}
}

func TestPathsWithEverySpecialCharacter(t *testing.T) {
	for _, name := range []string{"a b", "q?mode=memory", "h#1", "p%41%", "amp&_pragma=x", "semi;colon", "ü", `quo"te'`, "plus+", "a=b:c@d"} {
		dir := filepath.Join(t.TempDir(), name)
		s := NewStore(options(dir, &fake{}))
		_, err := s.Remember(ctx, "x", ref("s", 1), RememberOptions{})
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "memory", "p-1", "facts.sqlite3")); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		again := NewStore(options(dir, &fake{}))
		if n, err := again.Count(ctx); n != 1 || err != nil {
			t.Errorf("%q: %d, %v", name, n, err)
		}
		must(t, s.Close())
		must(t, again.Close())
	}
}

func TestLinksAboveTheTreeAreFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	must(t, os.Symlink("real", filepath.Join(dir, "link")))
	s := NewStore(options(filepath.Join(dir, "link"), &fake{}))
	defer s.Close()
	_, err := s.Remember(ctx, "x", ref("s", 1), RememberOptions{})
	must(t, err)
}

func TestDisabledMemory(t *testing.T) {
	f := newFixture(t)
	opt := options(f.dir, f.v)
	opt.Enabled = false
	off := NewStore(opt)
	defer off.Close()
	refused := func() {
		t.Helper()
		_, err := off.Remember(ctx, "x", ref("s", 1), RememberOptions{})
		wantKind(t, err, plumbing.ErrRefused, "memory.enabled")
		_, err = off.Add(ctx, "x", nil)
		wantKind(t, err, plumbing.ErrRefused, "memory.enabled")
		_, err = off.Correct(ctx, unknown, 1, "x", ref("s", 1), CorrectOptions{})
		wantKind(t, err, plumbing.ErrRefused, "memory.enabled")
		_, err = off.Attach(ctx, unknown, 1, *ref("s", 1))
		wantKind(t, err, plumbing.ErrRefused, "memory.enabled")
	}
	refused()
	wantKind(t, off.RaiseGeneration(ctx, 3), plumbing.ErrRefused, "memory.enabled")
	must(t, off.RaiseGeneration(ctx, 0))
	if got := tree(t, f.dir); strings.Count(got, "\n") != 1 {
		t.Errorf("disabled memory made files:\n%s", got)
	}

	x := f.remember("x", ref("s", 1))
	refused()
	r, err := off.Forget(ctx, x.ID)
	must(t, err)
	if !r.Changed || r.Generation != 1 {
		t.Errorf("%+v", r)
	}
	if is, err := off.IsExcluded(ctx, "s", 1); !is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
	must(t, off.RaiseGeneration(ctx, 3))
	if g, err := off.Generation(); g != 3 || err != nil {
		t.Errorf("%d, %v", g, err)
	}
}

func TestReadOnlyStore(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	opt := options(f.dir, f.v)
	opt.ReadOnly = true
	s := NewStore(opt)
	defer s.Close()
	_, err := s.Remember(ctx, "y", ref("s", 2), RememberOptions{})
	wantKind(t, err, plumbing.ErrRefused)
	_, err = s.Forget(ctx, x.ID)
	wantKind(t, err, plumbing.ErrRefused)
	if got, err := s.Get(ctx, x.ID); err != nil || got.Current().Text != "x" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPrepareRunsOnceBeforeTheFolder(t *testing.T) {
	f := newFixture(t)
	opt := options(f.dir, f.v)
	n := 0
	fail := errors.New("no")
	opt.Prepare = func(context.Context) error {
		n++
		if _, err := os.Stat(f.folder()); !errors.Is(err, os.ErrNotExist) {
			t.Error("the folder is there")
		}
		return fail
	}
	s := NewStore(opt)
	defer s.Close()
	_, err := s.Remember(ctx, "x", ref("s", 1), RememberOptions{})
	if !errors.Is(err, fail) || n != 1 {
		t.Fatalf("%d, %v", n, err)
	}
	fail = nil
	for i := range 3 {
		_, err := s.Remember(ctx, "x", ref("s", int64(i+1)), RememberOptions{})
		must(t, err)
	}
	if n != 2 {
		t.Errorf("ran %d times", n)
	}
}

// A store that stays open meets a database that was moved away, replaced, or closed under it.
func TestReplacedDatabase(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	must(t, os.Rename(f.folder(), f.folder()+"-old"))
	if n, err := f.Count(ctx); n != 0 || err != nil {
		t.Errorf("moved away: %d, %v", n, err)
	}
	f.remember("y", ref("s", 2))
	if _, err := f.Get(ctx, x.ID); !errors.Is(err, plumbing.ErrNotFound) {
		t.Error(err)
	}
	must(t, os.RemoveAll(f.folder()))
	must(t, os.Rename(f.folder()+"-old", f.folder()))
	if _, err := f.Get(ctx, x.ID); err != nil {
		t.Error(err)
	}
	must(t, f.Close())
	if _, err := f.Get(ctx, x.ID); err != nil {
		t.Error(err)
	}
	f.sound()
}

func TestTwoProjectsInOneProcess(t *testing.T) {
	f := newFixture(t)
	opt := options(f.dir, f.v)
	opt.Slug = "p-2"
	other := NewStore(opt)
	defer other.Close()
	x := f.remember("x", ref("s", 1))
	t.Chdir(t.TempDir())
	y, err := other.Remember(ctx, "y", ref("s", 1), RememberOptions{})
	must(t, err)
	f.forget(x.ID)
	if g, err := other.Generation(); g != 0 || err != nil {
		t.Errorf("%d, %v", g, err)
	}
	if is, err := other.IsExcluded(ctx, "s", 1); is || err != nil {
		t.Errorf("%v, %v", is, err)
	}
	if _, err := f.Get(ctx, y.Fact.ID); !errors.Is(err, plumbing.ErrNotFound) {
		t.Error(err)
	}
}
