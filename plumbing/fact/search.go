package fact

import (
	"context"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// Search returns a page of the facts whose current text holds words exactly as
// they are written, bytes by bytes, in the order of List. Nothing in words has
// a meaning of its own. They are unverified reads, without provenance, as
// those of List. Empty words are plumbing.ErrInvalid; longer ones than a fact
// can hold are just not found.
func (s *Store) Search(ctx context.Context, words string, p Page) ([]Fact, error) {
	p, err := p.check()
	if err != nil {
		return nil, err
	}
	if words == "" || !utf8.ValidString(words) {
		return nil, plumbing.Fail(plumbing.ErrInvalid, "nothing to search for: the words are empty or not valid UTF-8", "")
	}
	if len(words) > MaxText {
		return nil, nil
	}
	// CAST: as texts SQLite would end both at a NUL; as bytes it compares all.
	return s.list(ctx, func(q *query) string {
		return "SELECT f.id FROM " + q.rel.facts + " f JOIN " + q.rel.said + ` s ON s.fact_id = f.id AND s.revision = f.revision
			WHERE instr(CAST(s.text AS BLOB), CAST(? AS BLOB)) > 0 ORDER BY f.created, f.id LIMIT ? OFFSET ?`
	}, words, p.Limit, p.Offset)
}
