package fact

import (
	"context"
	"fmt"
	"strings"
)

// Problem is one thing that Check found. Neither field carries a text.
type Problem struct {
	Code    string // "damaged", "dangling", "id", "revision", "provenance", "exclusion" or "text"
	Message string
}

// maxProblems bounds what Check tells of each kind.
const maxProblems = 100

// Check reads the whole database and tells what is wrong in it, for fsck: it
// trusts no index, writes nothing and takes as long as the database is large.
// A database that cannot be used at all is an error (plumbing.ErrCorrupt), a
// missing one has no problems.
func (s *Store) Check(ctx context.Context) ([]Problem, error) {
	var list []Problem
	err := s.read(ctx, func(q *query) error {
		for _, step := range []func(*query) ([]Problem, error){checkPages, checkKeys, checkRows, checkExclusions, checkIDs} {
			found, err := step(q)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			list = append(list, found...)
		}
		return nil
	})
	return list, ignoreNone(err)
}

// strings runs a statement of one text column.
func (q *query) strings(statement string) ([]string, error) { return q.ids(statement) }

func checkPages(q *query) ([]Problem, error) {
	lines, err := q.strings(fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems))
	if err != nil || len(lines) == 1 && lines[0] == "ok" {
		return nil, err
	}
	return problems("damaged", "SQLite finds damage: %s", lines), nil
}

func checkKeys(q *query) ([]Problem, error) {
	lines, err := q.strings(fmt.Sprintf(
		`SELECT DISTINCT "table" || ' has rows without a row in ' || parent FROM pragma_foreign_key_check LIMIT %d`, maxProblems))
	return problems("dangling", "%s", lines), err
}

// checkRows holds what is stored twice against each other.
func checkRows(q *query) ([]Problem, error) {
	checks := []struct{ code, message, statement string }{
		{"revision", "fact %s does not have the revisions that it counts", `SELECT f.id FROM ` + q.rel.facts + ` f
			LEFT JOIN revisions r ON r.fact_id = f.id GROUP BY f.id
			HAVING f.revision IS NULL OR count(r.revision) <> f.revision OR max(r.revision) <> f.revision`},
		{"provenance", "fact %s has evidence at positions that its provenance lacks", `SELECT DISTINCT s.fact_id FROM ` + q.rel.refs + ` s, json_each(s.seqs) e
			WHERE NOT EXISTS (SELECT 1 FROM provenance p WHERE p.fact_id = s.fact_id AND p.revision = s.revision
				AND p.session_id = s.session_id AND p.seq = e.value)`},
		{"id", "fact %s was forgotten and is there", "SELECT f.id FROM facts f JOIN forgotten g ON g.fact_id = f.id"},
	}
	if q.rel.said == currentRelations().said {
		checks = append(checks, struct{ code, message, statement string }{"text", "text %s belongs to no fact and was not overwritten",
			`SELECT CAST(t.id AS TEXT) FROM texts t LEFT JOIN revisions r ON r.text_id = t.id
			WHERE r.fact_id IS NULL AND trim(t.text, '.') <> ''`})
	}
	var list []Problem
	for _, c := range checks {
		ids, err := q.strings(c.statement + fmt.Sprintf(" LIMIT %d", maxProblems))
		if err != nil {
			return nil, err
		}
		list = append(list, problems(c.code, c.message, ids)...)
	}
	return list, nil
}

// checkIDs makes each ID anew from the first revision: a changed byte in a text or in a ref shows there.
func checkIDs(q *query) ([]Problem, error) {
	var list []Problem
	last := ""
	for len(list) < maxProblems {
		ids, err := q.ids("SELECT id FROM "+q.rel.facts+" WHERE id > ? ORDER BY id LIMIT ?", last, MaxPage)
		if err != nil || len(ids) == 0 {
			return list, err
		}
		last = ids[len(ids)-1]
		facts, err := q.load(ids)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			if !idFits(f) {
				list = append(list, problems("id", "fact %s does not have the ID of its first revision", []string{f.ID})...)
			}
		}
	}
	return list, nil
}

// idFits: evidence may have been attached after the fact was made without.
func idFits(f Fact) bool {
	first := f.Revisions[0]
	with, err1 := ID(first.Text, first.Source())
	without, err2 := ID(first.Text, nil)
	return err1 == nil && err2 == nil && (f.ID == with || f.ID == without)
}

// problems puts each item into the message, on one line.
func problems(code, message string, items []string) []Problem {
	var list []Problem
	for _, item := range items {
		list = append(list, Problem{code, fmt.Sprintf(message, strings.ReplaceAll(item, "\n", " "))})
	}
	return list
}
