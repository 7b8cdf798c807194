package fact

import (
	"context"
	"fmt"
)

// noRefs stands for the source_refs of a database that has none.
const noRefs = `(SELECT '' AS fact_id, 0 AS revision, '' AS session_id, '' AS seqs, '' AS digest WHERE 0)`

// olderTables are the tables of version 1 with their columns, children first;
// a "?" marks what may be missing. meta has one row.
func olderTables() [][]string {
	return [][]string{
		{"source_refs?", "fact_id", "revision", "session_id", "seqs", "digest"},
		{"provenance", "fact_id", "revision", "session_id", "seq"},
		{"revisions", "fact_id", "revision", "text", "created"},
		{"facts", "id", "created"},
		{"exclusions", "session_id", "seq"},
		{"forgotten", "fact_id"},
		{"meta", "generation", "forgot_at?"},
	}
}

// inspectOlder recognises a database of version 1, or of none but with its
// tables: everything has to be there but source_refs and forgot_at, and
// nothing that the migration would not carry over.
func (s *Store) inspectOlder(ctx context.Context, db runner, l *layout, found []object) error {
	have, err := tableColumns(ctx, db)
	if err != nil {
		return err
	}
	for _, o := range found {
		if o.kind == "index" {
			l.indexes = append(l.indexes, o.name)
		}
	}
	if fault := compareOlder(have); fault != "" {
		return s.corrupt(fmt.Sprintf("%s (version %d; this lecode's is %d)", fault, l.version, schemaVersion), nil)
	}
	l.older, l.tables = true, have
	l.rel = olderRelations("", have)
	return nil
}

func tableColumns(ctx context.Context, db runner) (map[string]columns, error) {
	rows, err := db.QueryContext(ctx, `SELECT m.name, p.name FROM sqlite_schema m, pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	have := map[string]columns{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		if have[table] == nil {
			have[table] = columns{}
		}
		have[table][column] = true
	}
	return have, rows.Err()
}

func compareOlder(have map[string]columns) (fault string) {
	tables := 0
	for _, t := range olderTables() {
		name, optional := cutOptional(t[0])
		got, ok := have[name]
		if !ok && !optional {
			return "it lacks table " + name
		}
		if !ok {
			continue
		}
		tables++
		if fault := compareColumns(name, t[1:], got); fault != "" {
			return fault
		}
	}
	if tables != len(have) {
		return "it has a table that lecode did not make"
	}
	return ""
}

func compareColumns(table string, due []string, got columns) (fault string) {
	n := 0
	for _, c := range due {
		name, optional := cutOptional(c)
		if got[name] {
			n++
		} else if !optional {
			return fmt.Sprintf("its table %s lacks the column %s", table, name)
		}
	}
	if n != len(got) {
		return fmt.Sprintf("its table %s has a column that lecode did not make", table)
	}
	return ""
}

func cutOptional(c string) (name string, optional bool) {
	if n := len(c) - 1; c[n] == '?' {
		return c[:n], true
	}
	return c, false
}

// olderRelations reads a database of version 1 whose tables have the prefix before their names.
func olderRelations(prefix string, have map[string]columns) relations {
	r := relations{
		facts: fmt.Sprintf(`(SELECT f.id, f.created, max(r.revision) AS revision, r.created AS revised
			FROM %[1]sfacts f LEFT JOIN %[1]srevisions r ON r.fact_id = f.id GROUP BY f.id)`, prefix),
		said: fmt.Sprintf("(SELECT fact_id, revision, text, created FROM %srevisions)", prefix),
		refs: prefix + "source_refs",
		meta: prefix + "meta",
	}
	if have["source_refs"] == nil {
		r.refs = noRefs
	}
	if !have["meta"]["forgot_at"] {
		r.meta = fmt.Sprintf("(SELECT generation, NULL AS forgot_at FROM %smeta)", prefix)
	}
	return r
}
