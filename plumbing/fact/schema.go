package fact

import "fmt"

// applicationID marks a database as lecode's ("leco"); schemaVersion counts
// its forms: 1 had no source_refs and kept the text in revisions.
const (
	applicationID = 0x6c65636f
	schemaVersion = 2
)

// object is one table or index, with the SQL exactly as sqlite_schema keeps it:
// a database of the current version must hold these and nothing else.
type object struct{ kind, name, sql string }

// schema lists the tables of design section 6, parents first, and their
// indexes. Two things go beyond that list:
//
// revisions.fold is the SHA-256 of the folded text (fold.go), so that
// deduplication costs the same with 100,000 facts as with 100.
//
// texts holds the words apart from revisions. SQLite's secure_delete clears
// what it deletes, but when a b-tree is rebalanced copies of moved rows stay in
// the unused part of a page and outlive them. Rows of texts are only ever
// appended, and blanked in place at the same length, so none of them moves and
// a forgotten text is nowhere in the file (TestForgottenTextLeavesNoBytes).
func schema() []object {
	return []object{
		{"table", "facts", `CREATE TABLE facts (
  id TEXT NOT NULL PRIMARY KEY,
  created TEXT NOT NULL,
  revision INTEGER NOT NULL CHECK (revision >= 1),
  revised TEXT NOT NULL
) STRICT, WITHOUT ROWID`},
		{"index", "facts_by_created", `CREATE INDEX facts_by_created ON facts (created, id)`},
		{"index", "facts_by_revised", `CREATE INDEX facts_by_revised ON facts (revised DESC, id)`},
		{"table", "texts", `CREATE TABLE texts (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL
) STRICT`},
		{"table", "revisions", `CREATE TABLE revisions (
  fact_id TEXT NOT NULL REFERENCES facts (id),
  revision INTEGER NOT NULL CHECK (revision >= 1),
  text_id INTEGER NOT NULL REFERENCES texts (id),
  fold BLOB NOT NULL CHECK (length(fold) = 32),
  created TEXT NOT NULL,
  PRIMARY KEY (fact_id, revision)
) STRICT, WITHOUT ROWID`},
		{"index", "revisions_by_fold", `CREATE INDEX revisions_by_fold ON revisions (fold)`},
		{"table", "provenance", `CREATE TABLE provenance (
  fact_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  PRIMARY KEY (fact_id, revision, session_id, seq),
  FOREIGN KEY (fact_id, revision) REFERENCES revisions (fact_id, revision)
) STRICT, WITHOUT ROWID`},
		{"table", "source_refs", `CREATE TABLE source_refs (
  fact_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  seqs TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (fact_id, revision),
  FOREIGN KEY (fact_id, revision) REFERENCES revisions (fact_id, revision)
) STRICT, WITHOUT ROWID`},
		{"table", "exclusions", `CREATE TABLE exclusions (
  session_id TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq >= 1),
  PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID`},
		{"table", "forgotten", `CREATE TABLE forgotten (
  fact_id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID`},
		{"table", "meta", `CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  forgot_at TEXT
) STRICT`},
	}
}

// stamp is the SQL that names the database as one of the current version.
func stamp() string {
	return fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, schemaVersion)
}

// relations are the sources that queries read from, so that a reader can use
// an older database as it lies, without a write.
type relations struct {
	facts string // id, created, revision, revised
	said  string // fact_id, revision, text, created
	refs  string // fact_id, revision, session_id, seqs, digest
	meta  string // generation, forgot_at
}

func currentRelations() relations {
	return relations{
		facts: "facts",
		said: `(SELECT r.fact_id, r.revision, t.text, r.created
			FROM revisions r JOIN texts t ON t.id = r.text_id)`,
		refs: "source_refs",
		meta: "meta",
	}
}
