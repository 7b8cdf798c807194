package fact

import (
	"context"
	"fmt"
	"strings"
)

// mark is what tells at a small price whether a database is still what it was.
type mark struct {
	application, version int64
	cookie               int64 // SQLite counts it up at every change of the schema
}

// layout is what a look at a database found.
type layout struct {
	mark
	older bool // to be migrated by the next write
	rel   relations
	// tables of version 1 with their columns, and its indexes; nil where the
	// tables have the current form
	tables  map[string]columns
	indexes []string
}

// columns is the set of a table's columns.
type columns map[string]bool

// look checks that the database is one that this lecode can use. It is asked
// in every transaction; while the mark is the same it costs three pragmas.
// What it refuses is plumbing.ErrCorrupt and was not touched.
func (s *Store) look(ctx context.Context, h *handle, db runner) (*layout, error) {
	var m mark
	for _, one := range []struct {
		pragma string
		into   *int64
	}{{"application_id", &m.application}, {"user_version", &m.version}, {"schema_version", &m.cookie}} {
		if err := db.QueryRowContext(ctx, "PRAGMA "+one.pragma).Scan(one.into); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known != nil && h.known.mark == m {
		return h.known, nil
	}
	l, err := s.inspect(ctx, db, m)
	if err != nil {
		return nil, err
	}
	h.known = l
	return l, nil
}

func (s *Store) inspect(ctx context.Context, db runner, m mark) (*layout, error) {
	versions := fmt.Sprintf("application id %#x, version %d; lecode's are %#x and up to %d",
		uint32(m.application), m.version, applicationID, schemaVersion)
	switch {
	case m.application != applicationID && m.application != 0:
		return nil, s.corrupt("it belongs to another program ("+versions+")", nil)
	case m.version > schemaVersion:
		return nil, s.corrupt("it is from a newer lecode ("+versions+")", nil)
	case m.version < 0:
		return nil, s.corrupt("it has no known version ("+versions+")", nil)
	}
	found, err := s.objects(ctx, db)
	if err != nil {
		return nil, err
	}
	l := &layout{mark: m, rel: currentRelations()}
	stamped := m.application == applicationID && m.version == schemaVersion
	fault, refs := compare(found)
	switch {
	case fault == "" && refs && stamped:
		return l, nil
	case fault == "":
		// Whole, but for source_refs or the stamp: of the kind that did not have them.
		l.older = true
		if !refs {
			l.rel.refs = noRefs
		}
		return l, nil
	case stamped:
		return nil, s.corrupt(fault+" ("+versions+")", nil)
	}
	return l, s.inspectOlder(ctx, db, l, found)
}

// objects reads the schema and refuses what runs by itself or stands in for a
// table: a planted trigger or view could undo an exclusion.
func (s *Store) objects(ctx context.Context, db runner) ([]object, error) {
	rows, err := db.QueryContext(ctx, "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []object
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.sql); err != nil {
			return nil, s.corrupt("its schema cannot be read", err)
		}
		if o.kind != "table" && o.kind != "index" {
			return nil, s.corrupt(fmt.Sprintf("it has a %s %q that lecode did not make", o.kind, o.name), nil)
		}
		found = append(found, o)
	}
	return found, rows.Err()
}

// compare holds a database of the current version against the schema and says
// what is wrong; refs tells whether source_refs is there.
func compare(found []object) (fault string, refs bool) {
	due := map[string]object{}
	for _, o := range schema() {
		due[o.name] = o
	}
	for _, o := range found {
		want, ok := due[o.name]
		if !ok {
			return fmt.Sprintf("it has a %s %q that lecode did not make", o.kind, o.name), false
		}
		if o != want {
			return fmt.Sprintf("its %s %q has another form, as after half a migration", o.kind, o.name), false
		}
		delete(due, o.name)
	}
	_, missing := due["source_refs"]
	delete(due, "source_refs")
	if len(due) > 0 {
		return "it lacks " + names(due), !missing
	}
	return "", !missing
}

// names lists what is due in the order of the schema.
func names(due map[string]object) string {
	var list []string
	for _, o := range schema() {
		if _, ok := due[o.name]; ok {
			list = append(list, o.kind+" "+o.name)
		}
	}
	return strings.Join(list, ", ")
}
