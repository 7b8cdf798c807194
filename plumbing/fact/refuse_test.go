package fact

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

const unknown = "f-000000000000000000000000"

// ask tries every way to read and to write, and returns the errors by name.
func ask(s *Store, id string) map[string]error {
	out := map[string]error{}
	_, out["generation"] = s.Generation()
	_, out["excluded"] = s.Excluded("s")
	_, _, out["forgot at"] = s.ForgotAt()
	_, out["view"] = s.View(ctx)
	_, out["exclusions"] = s.Exclusions(ctx)
	_, out["is excluded"] = s.IsExcluded(ctx, "s", 1)
	_, out["list"] = s.List(ctx, Page{})
	_, out["newest"] = s.NewestFirst(ctx)
	_, out["search"] = s.Search(ctx, "x", Page{})
	_, out["count"] = s.Count(ctx)
	_, out["get"] = s.Get(ctx, id)
	_, out["check"] = s.Check(ctx)
	_, out["remember"] = s.Remember(ctx, "x", ref("s", 1), RememberOptions{})
	_, out["correct"] = s.Correct(ctx, id, 1, "x", ref("s", 1), CorrectOptions{})
	_, out["attach"] = s.Attach(ctx, id, 1, *ref("s", 1))
	_, out["forget"] = s.Forget(ctx, id)
	out["raise"] = s.RaiseGeneration(ctx, 3)
	return out
}

// A database that is not ours, not whole or not known is refused by every
// verb, as it lies: no byte changes and no empty answer is given.
func TestUnusableDatabases(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(f *fixture)
		words []string
	}{
		"text":          {func(f *fixture) { must(t, os.WriteFile(f.path(), bytes.Repeat([]byte("hello\n"), 1000), 0o600)) }, nil},
		"short text":    {func(f *fixture) { must(t, os.WriteFile(f.path(), []byte("hello"), 0o600)) }, nil},
		"empty":         {func(f *fixture) { must(t, os.WriteFile(f.path(), nil, 0o600)) }, []string{"empty"}},
		"zeros":         {func(f *fixture) { must(t, os.WriteFile(f.path(), make([]byte, 8192), 0o600)) }, nil},
		"cut":           {func(f *fixture) { must(t, os.Truncate(f.path(), 4096*3)) }, nil},
		"cut unevenly":  {func(f *fixture) { must(t, os.Truncate(f.path(), 4096*3+100)) }, nil},
		"newer":         {func(f *fixture) { f.rawExec("PRAGMA user_version = 999") }, []string{"version 999", "up to 2"}},
		"negative":      {func(f *fixture) { f.rawExec("PRAGMA user_version = -1") }, []string{"version -1"}},
		"foreign":       {func(f *fixture) { f.rawExec("PRAGMA application_id = 252006674") }, []string{"0xf055112", "another program"}},
		"foreign, bare": {func(f *fixture) { must(t, os.Remove(f.path())); f.rawExec("CREATE TABLE notes (x)") }, []string{"version 0"}},
		"no tables":     {func(f *fixture) { must(t, os.Remove(f.path())); f.rawExec("VACUUM") }, nil},
		"lost column":   {func(f *fixture) { f.rawExec("ALTER TABLE source_refs DROP COLUMN digest") }, []string{"source_refs", "version 2"}},
		"more columns":  {func(f *fixture) { f.rawExec("ALTER TABLE facts ADD COLUMN score REAL") }, []string{"facts"}},
		"lost table":    {func(f *fixture) { f.rawExec("DROP TABLE exclusions") }, []string{"lacks table exclusions"}},
		"lost index":    {func(f *fixture) { f.rawExec("DROP INDEX revisions_by_fold") }, []string{"revisions_by_fold"}},
		"trigger": {func(f *fixture) {
			f.rawExec("CREATE TRIGGER t AFTER INSERT ON exclusions BEGIN DELETE FROM exclusions; END")
		}, []string{`trigger "t"`}},
		"view": {func(f *fixture) { f.rawExec("CREATE VIEW v AS SELECT 1") }, []string{`view "v"`}},
		"view for a table": {func(f *fixture) {
			f.rawExec("DROP TABLE exclusions", "CREATE VIEW exclusions AS SELECT 's' AS session_id, 1 AS seq WHERE 0")
		}, []string{`view "exclusions"`}},
		"other table": {func(f *fixture) { f.rawExec("CREATE TABLE x (y)") }, []string{`table "x"`}},
		"older, lost column": {func(f *fixture) {
			older(f)
			f.rawExec("DROP INDEX revisions_by_fold", "ALTER TABLE revisions DROP COLUMN text")
		}, []string{"lacks the column text", "version 1"}},
		"older, lost table": {func(f *fixture) { older(f); f.rawExec("DROP TABLE exclusions") }, []string{"lacks table exclusions", "version 1"}},
		"older, more":       {func(f *fixture) { older(f); f.rawExec("ALTER TABLE facts ADD COLUMN score REAL") }, []string{"facts"}},
		"older, trigger": {func(f *fixture) {
			older(f)
			f.rawExec("CREATE TRIGGER t AFTER INSERT ON facts BEGIN SELECT 1; END")
		}, []string{`trigger "t"`}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			x := f.remember("x", ref("s", 1))
			f.forget(x.ID)
			must(t, f.Close())
			c.spoil(f)
			before, files := sum(t, f.path()), tree(t, f.folder())
			for verb, err := range ask(f.again(), unknown) {
				if err == nil {
					t.Errorf("%s: no error", verb)
					continue
				}
				wantKind(t, err, plumbing.ErrCorrupt, append(c.words, f.path())...)
			}
			if sum(t, f.path()) != before || tree(t, f.folder()) != files {
				t.Errorf("something changed:\n%s\n%s", files, tree(t, f.folder()))
			}
		})
	}
}

// Without the row of meta nothing that depends on the generation passes.
func TestLostGeneration(t *testing.T) {
	for _, before := range []func(*fixture){func(*fixture) {}, older} {
		f := newFixture(t)
		id := f.remember("x", ref("s", 1)).ID
		must(t, f.Close())
		if before(f); version(f) == 1 {
			id = olderFact
		}
		f.rawExec("DELETE FROM meta")
		errs := ask(f.Store, unknown)
		for _, verb := range []string{"generation", "forgot at", "view", "raise"} {
			wantKind(t, errs[verb], plumbing.ErrCorrupt, f.path())
		}
		_, err := f.Forget(ctx, id)
		wantKind(t, err, plumbing.ErrCorrupt, f.path())
		g := int64(0)
		_, err = f.Remember(ctx, "y", ref("s", 7), RememberOptions{ExpectedGeneration: &g})
		wantKind(t, err, plumbing.ErrCorrupt, f.path())
	}
}

// Links, folders, FIFOs and files with two names are refused, and what they lead to is not touched.
func TestThingsThatAreNoDatabase(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such things there")
	}
	elsewhere := func(f *fixture) string { return filepath.Join(f.dir, "victim") }
	for name, plant := range map[string]func(f *fixture) error{
		"link":          func(f *fixture) error { return os.Symlink(elsewhere(f), f.path()) },
		"dangling link": func(f *fixture) error { return os.Symlink(filepath.Join(f.dir, "nothing"), f.path()) },
		"folder":        func(f *fixture) error { return os.Mkdir(f.path(), 0o700) },
		"hard link":     func(f *fixture) error { return os.Link(elsewhere(f), f.path()) },
		"fifo":          func(f *fixture) error { return mkfifo(f.path()) },
		"journal is a link": func(f *fixture) error {
			copyFile(t, elsewhere(f), f.path())
			return os.Symlink(elsewhere(f), f.path()+"-journal")
		},
		"journal dangles": func(f *fixture) error {
			copyFile(t, elsewhere(f), f.path())
			return os.Symlink(f.dir+"/new", f.path()+"-journal")
		},
		"wal is a link": func(f *fixture) error {
			copyFile(t, elsewhere(f), f.path())
			return os.Symlink(elsewhere(f), f.path()+"-wal")
		},
		"shm is a fifo": func(f *fixture) error { copyFile(t, elsewhere(f), f.path()); return mkfifo(f.path() + "-shm") },
		"lock is a link": func(f *fixture) error {
			copyFile(t, elsewhere(f), f.path())
			return os.Symlink(elsewhere(f), f.folder()+"/facts.lock")
		},
		"folder is a link":   func(f *fixture) error { return replaceByLink(f.folder(), f.dir+"/away") },
		"memory is a link":   func(f *fixture) error { return replaceByLink(filepath.Dir(f.folder()), f.dir+"/away") },
		"folder is a a file": func(f *fixture) error { must(t, os.Remove(f.folder())); return os.WriteFile(f.folder(), nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.remember("x", ref("s", 1))
			must(t, f.Close())
			must(t, os.Rename(f.path(), elsewhere(f)))
			must(t, os.Remove(f.folder()+"/facts.lock"))
			must(t, plant(f))
			before, files := sum(t, elsewhere(f)), tree(t, f.dir)
			for verb, err := range ask(f.again(), unknown) {
				if name == "lock is a link" && err == nil {
					continue // readers take no lock
				}
				if name == "lock is a link" && verb == "get" {
					wantKind(t, err, plumbing.ErrNotFound)
					continue
				}
				if err == nil {
					t.Errorf("%s: no error", verb)
					continue
				}
				wantKind(t, err, plumbing.ErrRefused, f.dir)
			}
			if sum(t, elsewhere(f)) != before || tree(t, f.dir) != files {
				t.Errorf("something changed:\n%s\n%s", files, tree(t, f.dir))
			}
		})
	}
}

func replaceByLink(folder, away string) error {
	if err := os.Rename(folder, away); err != nil {
		return err
	}
	return os.Symlink(away, folder)
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	must(t, err)
	must(t, os.WriteFile(to, b, 0o600))
}

// A link put in place after the check is met at the open: SQLite tells where it landed.
func TestLinkSwappedInAfterTheCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	f := newFixture(t)
	f.remember("x", ref("s", 1))
	must(t, f.Close())
	info, err := f.checkFiles()
	must(t, err)
	must(t, os.Rename(f.path(), f.dir+"/victim"))
	must(t, os.Symlink(f.dir+"/victim", f.path()))
	_, err = f.open(info, false)
	wantKind(t, err, plumbing.ErrRefused, f.path())
}

// Any one byte of the schema page or of a row changed: refused, found by Check, or without effect; never a panic.
func TestChangedBytes(t *testing.T) {
	f := newFixture(t)
	x := f.remember("Use tabs.", ref("s", 1, 2))
	y := f.remember("Use spaces.", ref("s", 3))
	f.forget(y.ID)
	must(t, f.Close())
	whole, err := os.ReadFile(f.path())
	must(t, err)
	const step = 149
	vanished := 0
	for at := 0; at < len(whole); at += step {
		spoiled := bytes.Clone(whole)
		spoiled[at] ^= 0x55
		must(t, os.WriteFile(f.path(), spoiled, 0o600))
		s := f.again()
		seqs, err := s.Excluded("s")
		if err == nil && (len(seqs) != 1 || seqs[0] != 3) {
			if problems, err := s.Check(ctx); err == nil && len(problems) == 0 {
				vanished++ // a changed seq is a row like any other: SQLite keeps no checksum
			}
		}
		if got, err := s.Get(ctx, x.ID); err == nil && got.Revisions[0].Text != "Use tabs." {
			if problems, err := s.Check(ctx); err == nil && len(problems) == 0 {
				t.Errorf("byte %d: another text, and Check finds nothing", at)
			}
		}
		must(t, s.Close())
	}
	if vanished > 4 {
		t.Errorf("%d changed bytes change an exclusion unseen", vanished)
	}
}

func TestCheckFindsWhatDoesNotFit(t *testing.T) {
	for name, c := range map[string]struct{ statement, code string }{
		"text":       {"UPDATE texts SET text = 'Use tabz.'", "id"},
		"seqs":       {"UPDATE source_refs SET seqs = '[1,7]'", "provenance"},
		"fact gone":  {"DELETE FROM facts", "dangling"},
		"forgotten":  {"INSERT INTO forgotten SELECT id FROM facts", "id"},
		"not erased": {"INSERT INTO texts (text) VALUES ('left over')", "text"},
		"provenance": {"DELETE FROM provenance", "provenance"},
	} {
		f := newFixture(t)
		f.remember("Use tabs.", ref("s", 1))
		f.sound()
		f.rawExec("PRAGMA foreign_keys = OFF", c.statement)
		problems, err := f.Check(ctx)
		must(t, err)
		if len(problems) == 0 || problems[0].Code != c.code {
			t.Errorf("%s: %v", name, problems)
		}
	}
	f := newFixture(t)
	x := f.remember("Use tabs.", ref("s", 1))
	f.rawExec("UPDATE facts SET revision = 2")
	_, err := f.Get(ctx, x.ID)
	wantKind(t, err, plumbing.ErrCorrupt, x.ID)
}

// Another program's lock on the database is waited for, and named when it does not end.
func TestBusy(t *testing.T) {
	f := newFixture(t)
	f.remember("x", ref("s", 1))
	lock, err := f.Store.opt.Config.TryLock(f.lockName(), "somebody")
	must(t, err)
	opt := options(f.dir, f.v)
	opt.LockWait = 1
	s := NewStore(opt)
	defer s.Close()
	_, err = s.Remember(ctx, "y", ref("s", 2), RememberOptions{})
	wantKind(t, err, plumbing.ErrBusy, "somebody")
	c, cancel := context.WithCancel(ctx)
	cancel()
	_, err = f.Remember(c, "y", ref("s", 2), RememberOptions{})
	if err == nil || fmt.Sprint(err) == "" {
		t.Error("a cancelled wait ends well")
	}
	// Readers do not wait.
	if n, err := s.Count(ctx); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	must(t, lock.Unlock())

	h, done, err := f.handleFor(true)
	must(t, err)
	defer done()
	_, err = h.db.Exec("PRAGMA busy_timeout = 0")
	must(t, err)
	db := f.raw()
	_, err = db.Exec("BEGIN EXCLUSIVE")
	must(t, err)
	err = f.Store.explain("write", begin(h.db))
	wantKind(t, err, plumbing.ErrBusy, f.path())
}

func begin(db *sql.DB) error {
	tx, err := db.Begin()
	if err == nil {
		tx.Rollback()
	}
	return err
}
