package fact

import (
	"time"

	"github.com/lecode/lecode/plumbing/source"
)

// Position is one record of a session.
type Position struct {
	Seq       int64  `json:"seq"`
	SessionID string `json:"session_id"`
}

// Fact is a text with its history. Get, List and the other readers of this
// package return it without having asked whether its evidence still holds:
// whatever shows a fact to a model asks Store.Status first.
type Fact struct {
	ID        string
	Created   time.Time  // UTC, to the millisecond
	Revisions []Revision // 1 to the current one, without gaps
}

// Revision is one wording of a fact.
type Revision struct {
	Number  int64     // from 1
	Text    string    // at most MaxText bytes
	Created time.Time // UTC, to the millisecond
	// Refs is the evidence: none (the revision is unverified) or one.
	Refs []source.Ref
	// Provenance is every position that the revision stands on, by session
	// and seq: those of Refs, and those of an unverified revision, which
	// nothing checks. Only Get and Provenance fill it.
	Provenance []Position
}

// Current returns the newest revision.
func (f Fact) Current() Revision { return f.Revisions[len(f.Revisions)-1] }

// Source returns the evidence of the revision, nil where it is unverified.
func (r Revision) Source() *source.Ref {
	if len(r.Refs) == 0 {
		return nil
	}
	return &r.Refs[0]
}

// Outcome says what a write did where more than one thing was possible
// (design section 7); it is empty where the verb says it all.
type Outcome string

const (
	Created      Outcome = "created"      // a new fact
	Retried      Outcome = "retried"      // the same text and evidence was remembered before; nothing changed
	Deduplicated Outcome = "deduplicated" // a fact of this text is there; nothing changed
	Unchanged    Outcome = "unchanged"    // this evidence was attached before; nothing changed
)

// Result is a fact as a write left it.
type Result struct {
	Fact    Fact // with its Provenance
	Outcome Outcome
}

const timeLayout = "2006-01-02T15:04:05.000Z"

func formatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

// parseTime takes any RFC 3339 time: an older database may have kept others than formatTime's.
func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC(), err
}
