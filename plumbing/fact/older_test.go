package fact

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

const (
	olderFact      = "f-00000000000000000000000a"
	olderRevised   = "f-00000000000000000000000b"
	olderForgotten = "f-00000000000000000000000c"
)

// older puts a database of version 1 in place: no source_refs, the text in revisions.
func older(f *fixture) {
	f.t.Helper()
	must(f.t, os.MkdirAll(f.folder(), 0o700))
	if err := os.Remove(f.path()); err != nil && !os.IsNotExist(err) {
		f.t.Fatal(err)
	}
	f.rawExec(
		"CREATE TABLE facts (id TEXT PRIMARY KEY, created TEXT NOT NULL)",
		`CREATE TABLE revisions (fact_id TEXT NOT NULL REFERENCES facts (id), revision INTEGER NOT NULL,
			text TEXT NOT NULL, created TEXT NOT NULL, PRIMARY KEY (fact_id, revision))`,
		"CREATE INDEX revisions_by_fold ON revisions (text)",
		"CREATE TABLE provenance (fact_id TEXT NOT NULL, revision INTEGER NOT NULL, session_id TEXT NOT NULL, seq INTEGER NOT NULL)",
		"CREATE TABLE exclusions (session_id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (session_id, seq))",
		"CREATE TABLE forgotten (fact_id TEXT PRIMARY KEY)",
		"CREATE TABLE meta (generation INTEGER NOT NULL)",
		"INSERT INTO facts VALUES ('"+olderFact+"', '2025-01-01T00:00:00.000Z'), ('"+olderRevised+"', '2025-01-02T00:00:00Z')",
		"INSERT INTO revisions VALUES ('"+olderFact+"', 1, 'Use tabs.', '2025-01-01T00:00:00.000Z')",
		"INSERT INTO revisions VALUES ('"+olderRevised+"', 1, 'Old words', '2025-01-02T00:00:00Z'), ('"+olderRevised+"', 2, 'New words', '2025-01-03T00:00:00+00:00')",
		"INSERT INTO provenance VALUES ('"+olderFact+"', 1, 's', 4), ('"+olderRevised+"', 2, 't', 1)",
		"INSERT INTO exclusions VALUES ('s', 2), ('s', 3)",
		"INSERT INTO forgotten VALUES ('"+olderForgotten+"')",
		"INSERT INTO meta VALUES (4)",
		"PRAGMA user_version = 1")
}

func olderFacts() []Fact {
	day := func(n int) time.Time { return time.Date(2025, 1, n, 0, 0, 0, 0, time.UTC) }
	return []Fact{
		{ID: olderFact, Created: day(1), Revisions: []Revision{{Number: 1, Text: "Use tabs.", Created: day(1)}}},
		{ID: olderRevised, Created: day(2), Revisions: []Revision{
			{Number: 1, Text: "Old words", Created: day(2)}, {Number: 2, Text: "New words", Created: day(3)}}},
	}
}

// checkOlder holds what both the unmigrated and the migrated database have to say.
func checkOlder(t *testing.T, s *Store) {
	t.Helper()
	list, err := s.List(ctx, Page{})
	must(t, err)
	if d := cmp.Diff(olderFacts(), list); d != "" {
		t.Error(d)
	}
	newest, err := s.NewestFirst(ctx)
	must(t, err)
	if d := cmp.Diff([]string{olderRevised, olderFact}, ids(newest)); d != "" {
		t.Error(d)
	}
	found, err := s.Search(ctx, "New", Page{})
	must(t, err)
	if d := cmp.Diff([]string{olderRevised}, ids(found)); d != "" {
		t.Error(d)
	}
	g, err := s.Generation()
	must(t, err)
	seqs, err := s.Excluded("s")
	must(t, err)
	if g != 4 || !cmp.Equal(seqs, []int64{2, 3}) {
		t.Errorf("generation %d, excluded %v", g, seqs)
	}
	f, err := s.Get(ctx, olderFact)
	must(t, err)
	if d := cmp.Diff([]Position{{4, "s"}}, f.Revisions[0].Provenance); d != "" {
		t.Error(d)
	}
	if status, err := s.Status(ctx, f, s, session.Durable); status != source.Unverified || err != nil {
		t.Errorf("%q, %v", status, err)
	}
	if _, ok, err := s.ForgotAt(); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	_, err = s.Get(ctx, olderForgotten)
	wantKind(t, err, plumbing.ErrNotFound, "was forgotten")
}

func TestOlderDatabase(t *testing.T) {
	f := newFixture(t)
	older(f)
	before := sum(t, f.path())
	checkOlder(t, f.Store)
	if sum(t, f.path()) != before {
		t.Error("a reader migrates")
	}
	// A write that is refused leaves the old one.
	_, err := f.Remember(ctx, "x", ref("s", 2), RememberOptions{})
	wantKind(t, err, plumbing.ErrRefused)
	_, err = f.Correct(ctx, olderFact, 2, "x", ref("s", 9), CorrectOptions{})
	wantKind(t, err, plumbing.ErrConflict)
	if sum(t, f.path()) != before {
		t.Error("a refused write migrates")
	}
	res, err := f.Attach(ctx, olderFact, 1, *ref("s", 4))
	must(t, err)
	if status, err := f.Status(ctx, res.Fact, f, session.Durable); status != source.Valid || err != nil {
		t.Errorf("%q, %v", status, err)
	}
	res, err = f.Remember(ctx, "OLD words", ref("u", 1), RememberOptions{Deduplicate: true})
	must(t, err)
	if res.Outcome != Deduplicated || res.Fact.ID != olderRevised {
		t.Errorf("%+v", res)
	}
	// Their IDs are not of this lecode's making, which Check tells; nothing else is wrong.
	problems, err := f.Check(ctx)
	must(t, err)
	for _, p := range problems {
		if p.Code != "id" {
			t.Error(p)
		}
	}
	r := f.forget(olderFact)
	if d := cmp.Diff([]Position{{4, "s"}}, r.Positions); d != "" || r.Generation != 5 {
		t.Error(d, r)
	}
	for _, path := range []string{f.path(), f.path() + "-journal"} {
		if b, err := os.ReadFile(path); err == nil && contains(b, "Use tabs.") {
			t.Errorf("%s holds the forgotten text", path)
		}
	}
}

// An unrelated write migrates, and all that was there still is.
func TestMigration(t *testing.T) {
	f := newFixture(t)
	older(f)
	must(t, f.RaiseGeneration(ctx, 3)) // lower than it is: nothing to write
	if got := version(f); got != 1 {
		t.Errorf("version %d", got)
	}
	x := f.remember("x", ref("u", 1))
	if got := version(f); got != schemaVersion {
		t.Errorf("version %d", got)
	}
	f.v.set("u", "")
	must(t, f.Close())
	for _, s := range []*Store{f.Store, f.again()} {
		r, err := s.Get(ctx, x.ID)
		must(t, err)
		if d := cmp.Diff(x, r); d != "" {
			t.Error(d)
		}
	}
	f.forget(x.ID) // so that what is left is what was there
	f.rawExec("UPDATE meta SET generation = 4")
	checkOlder(t, f.again())
}

func version(f *fixture) (n int) {
	f.t.Helper()
	must(f.t, f.raw().QueryRow("PRAGMA user_version").Scan(&n))
	return n
}

// A current database without source_refs, or without its stamp, is of the older kind too.
func TestOlderByHand(t *testing.T) {
	for name, statements := range map[string][]string{
		"no source_refs":            {"DROP TABLE source_refs"},
		"no source_refs, version 1": {"DROP TABLE source_refs", "PRAGMA user_version = 1"},
		"no stamp":                  {"PRAGMA user_version = 0", "PRAGMA application_id = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			x := f.remember("x", ref("s", 1))
			y := f.remember("y", ref("s", 2))
			f.forget(y.ID)
			f.rawExec(statements...)
			got, err := f.Get(ctx, x.ID)
			must(t, err)
			if name != "no stamp" {
				x.Revisions[0].Refs = nil
			}
			if d := cmp.Diff(x, got); d != "" {
				t.Error(d)
			}
			if g, err := f.Generation(); g != 1 || err != nil {
				t.Errorf("%d, %v", g, err)
			}
			f.remember("z", ref("s", 3))
			if got, err := f.Get(ctx, x.ID); err != nil || !cmp.Equal(got, x) {
				t.Errorf("%v, %v", got, err)
			}
			// That its evidence is lost shows in its ID; nothing else is wrong.
			problems, err := f.Check(ctx)
			must(t, err)
			if want := name != "no stamp"; len(problems) > 1 || (len(problems) == 1 && problems[0].Code == "id") != want {
				t.Error(problems)
			}
			r := f.forget(x.ID)
			if d := cmp.Diff([]Position{{1, "s"}}, r.Positions); d != "" {
				t.Error(d)
			}
			if got := version(f); got != schemaVersion {
				t.Errorf("version %d", got)
			}
		})
	}
}

// A database in WAL mode goes back to a rollback journal with the first write.
func TestWALIsLeft(t *testing.T) {
	f := newFixture(t)
	x := f.remember("x", ref("s", 1))
	must(t, f.Close())
	f.rawExec("PRAGMA journal_mode = WAL")
	if got, err := f.Get(ctx, x.ID); err != nil || !cmp.Equal(got, x) {
		t.Errorf("%v, %v", got, err)
	}
	f.remember("y", ref("s", 2))
	f.remember("z", ref("s", 3))
	must(t, f.Close())
	var mode string
	must(t, f.raw().QueryRow("PRAGMA journal_mode").Scan(&mode))
	if mode != "delete" {
		t.Errorf("mode %q", mode)
	}
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Lstat(f.path() + suffix); !os.IsNotExist(err) {
			t.Errorf("%s: %v", suffix, err)
		}
	}
	f.sound()
}
