package fact

import (
	"fmt"

	"github.com/lecode/lecode/plumbing/session"
)

// checkExclusions finds exclusions that can hide nothing, and a generation
// that counts fewer forgets than there were: it only ever grows, so then rows
// of another database were mixed in, and something generated may be told again.
func checkExclusions(q *query) ([]Problem, error) {
	keys, err := q.strings("SELECT DISTINCT session_id FROM exclusions ORDER BY session_id")
	if err != nil {
		return nil, err
	}
	var bad []string
	for _, key := range keys {
		if session.CheckID(key) != nil || session.Key(key) != key {
			bad = append(bad, fmt.Sprintf("%q", key))
		}
	}
	list := problems("exclusion", "an exclusion names %s, which is no session's key", bad[:min(len(bad), maxProblems)])
	var positions, forgotten int64
	err = q.db.QueryRowContext(q.ctx, `SELECT (SELECT count(*) FROM exclusions WHERE seq < 1), (SELECT count(*) FROM forgotten)`).Scan(&positions, &forgotten)
	if err != nil {
		return nil, err
	}
	if positions > 0 {
		list = append(list, Problem{"exclusion", fmt.Sprintf("%d exclusions name no record: seqs count from 1", positions)})
	}
	g, err := q.generation()
	if err == nil && g < forgotten {
		list = append(list, Problem{"exclusion", fmt.Sprintf("%d facts were forgotten, and the generation is only %d", forgotten, g)})
	}
	return list, err
}
