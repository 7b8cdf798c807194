package fact

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/source"
)

// load reads facts with their revisions and refs, three statements in all,
// and returns those that are there in the order of ids. What does not fit
// together is plumbing.ErrCorrupt.
func (q *query) load(ids []string) ([]Fact, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	b, err := canon.Marshal(ids)
	if err != nil {
		return nil, err
	}
	l := loader{q: q, ids: string(b), facts: map[string]*Fact{}, current: map[string]int64{}}
	for _, step := range []func() error{l.loadFacts, l.loadRevisions, l.loadRefs} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	var list []Fact
	for _, id := range ids {
		f := l.facts[id]
		if f == nil {
			continue
		}
		if int64(len(f.Revisions)) != l.current[id] {
			return nil, q.s.corrupt(fmt.Sprintf("fact %s lacks a revision", id), nil)
		}
		list = append(list, *f)
	}
	return list, nil
}

type loader struct {
	q       *query
	ids     string // a JSON array
	facts   map[string]*Fact
	current map[string]int64 // the number of the current revision
}

// each runs a statement whose only parameter is ids and scans every row into dest before take.
func (l *loader) each(statement string, take func() error, dest ...any) error {
	rows, err := l.q.db.QueryContext(l.q.ctx, statement, l.ids)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return l.q.s.corrupt("a fact cannot be read", err)
		}
		if err := take(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l *loader) loadFacts() error {
	var id, created string
	var n int64
	return l.each("SELECT id, created, revision FROM "+l.q.rel.facts+" WHERE id IN (SELECT value FROM json_each(?))",
		func() error {
			t, err := l.q.time(created)
			l.facts[id], l.current[id] = &Fact{ID: id, Created: t}, n
			return err
		}, &id, &created, &n)
}

func (l *loader) loadRevisions() error {
	var id, text, created string
	var n int64
	return l.each("SELECT fact_id, revision, text, created FROM "+l.q.rel.said+
		" WHERE fact_id IN (SELECT value FROM json_each(?)) ORDER BY fact_id, revision",
		func() error {
			f := l.facts[id]
			if f == nil || n != int64(len(f.Revisions))+1 {
				return l.q.s.corrupt(fmt.Sprintf("fact %q lacks a revision", id), nil)
			}
			t, err := l.q.time(created)
			f.Revisions = append(f.Revisions, Revision{Number: n, Text: text, Created: t})
			return err
		}, &id, &n, &text, &created)
}

func (l *loader) loadRefs() error {
	var id, seqs string
	var n int64
	var ref source.Ref
	return l.each("SELECT fact_id, revision, session_id, seqs, digest FROM "+l.q.rel.refs+
		" WHERE fact_id IN (SELECT value FROM json_each(?))",
		func() error {
			f := l.facts[id]
			if f == nil || n < 1 || n > int64(len(f.Revisions)) {
				return l.q.s.corrupt(fmt.Sprintf("evidence of fact %q has no revision", id), nil)
			}
			r := source.Ref{Digest: ref.Digest, SessionID: ref.SessionID}
			if err := json.Unmarshal([]byte(seqs), &r.Seqs); err != nil {
				return l.q.s.corrupt(fmt.Sprintf("evidence of fact %q cannot be read", id), err)
			}
			if err := r.Check(); err != nil {
				return l.q.s.corrupt(fmt.Sprintf("evidence of fact %q has no valid form", id), nil)
			}
			f.Revisions[n-1].Refs = []source.Ref{r}
			return nil
		}, &id, &n, &ref.SessionID, &seqs, &ref.Digest)
}
