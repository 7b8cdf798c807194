package fact

import (
	"database/sql"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lecode/lecode/plumbing"
)

// migrate brings an older database to the current version inside the write
// transaction that needs it: whoever is cut off in it leaves the old one.
// Facts, revisions, provenance, exclusions and markers are kept; evidence that
// was never attached is not made up (seed, "Source-linked recall").
func (t *txn) migrate(l *layout) error {
	var err error
	if l.tables == nil {
		err = t.addMissing(l)
	} else {
		err = t.rebuild(l)
	}
	if err == nil {
		err = t.exec(stamp())
	}
	if sqliteCode(err)&0xff == sqlite3.SQLITE_CONSTRAINT {
		return t.s.corrupt(fmt.Sprintf("the rows of its version %d do not fit together", l.version), err)
	}
	if err != nil {
		return t.s.explain(fmt.Sprintf("bring the fact database from version %d to %d", l.version, schemaVersion), err)
	}
	// What was migrated is kept only if the write that asked for it is.
	t.dirty = false
	return nil
}

func (t *txn) addMissing(l *layout) error {
	for _, o := range schema() {
		if o.name == "source_refs" && l.rel.refs == noRefs {
			return t.exec(o.sql)
		}
	}
	return nil
}

// rebuild renames the old tables, makes the current ones, copies, and drops the old ones.
func (t *txn) rebuild(l *layout) error {
	const prefix = "older_"
	var steps []string
	add := func(format string, a ...any) { steps = append(steps, fmt.Sprintf(format, a...)) }
	for _, name := range l.indexes {
		add("DROP INDEX %q", name)
	}
	for name := range l.tables {
		add("ALTER TABLE %s RENAME TO %s", name, prefix+name)
	}
	for _, o := range schema() {
		add("%s", o.sql)
	}
	old := olderRelations(prefix, l.tables)
	add("INSERT INTO facts SELECT id, created, revision, revised FROM %s", old.facts)
	add("INSERT INTO meta SELECT 1, generation, forgot_at FROM %s", old.meta)
	if err := t.execAll(steps); err != nil {
		return err
	}
	if err := t.copyRevisions(old.said); err != nil {
		return err
	}
	steps = nil
	add("INSERT INTO provenance SELECT fact_id, revision, session_id, seq FROM %sprovenance", prefix)
	add("INSERT INTO source_refs SELECT fact_id, revision, session_id, seqs, digest FROM %s", old.refs)
	add("INSERT INTO exclusions SELECT session_id, seq FROM %sexclusions", prefix)
	add("INSERT INTO forgotten SELECT fact_id FROM %sforgotten", prefix)
	for _, o := range olderTables() {
		if name, _ := cutOptional(o[0]); l.tables[name] != nil {
			add("DROP TABLE %s", prefix+name)
		}
	}
	if err := t.execAll(steps); err != nil {
		return err
	}
	return t.finishMeta()
}

func (t *txn) execAll(steps []string) error {
	for _, step := range steps {
		if err := t.exec(step); err != nil {
			return err
		}
	}
	return nil
}

// copyRevisions gives each text its own row, in the order in which they were written, and its fold.
func (t *txn) copyRevisions(said string) error {
	rows, err := t.db.QueryContext(t.ctx, "SELECT fact_id, revision, text, created FROM "+said+" ORDER BY created, fact_id, revision")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, text, created string
		var n int64
		if err := rows.Scan(&id, &n, &text, &created); err != nil {
			return err
		}
		if err := t.insertRevision(id, n, text, created); err != nil {
			return err
		}
	}
	return rows.Err()
}

// finishMeta refuses a database that does not know its generation, and dates
// the last forget of one that did not note it: now, the most careful answer.
func (t *txn) finishMeta() error {
	var generation int64
	var at sql.NullString
	err := t.db.QueryRowContext(t.ctx, "SELECT generation, forgot_at FROM meta").Scan(&generation, &at)
	if err != nil {
		return &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: err,
			Message: fmt.Sprintf("%q does not say how often the project forgot", t.s.Path())}
	}
	if generation > 0 && !at.Valid {
		return t.exec("UPDATE meta SET forgot_at = ?", formatTime(t.now))
	}
	return nil
}
