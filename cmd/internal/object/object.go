// Package object holds the JSON objects that commands print, one Go struct a
// type (design section 7). Every key is always there; unknown is null. The
// plumbing guide shows each of them, and a test holds the guide against All.
//
// It knows values only: no stores. Start with All.
package object

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/source"
)

// Project is printed by `slug`.
type Project struct {
	Checkout *string `json:"checkout"`
	Kind     string  `json:"kind"`
	Root     string  `json:"root"`
	Slug     string  `json:"slug"`
	Type     string  `json:"type"`
	Via      string  `json:"via"`
}

// Session is printed by `new-session` and `sessions`.
type Session struct {
	Bytes     int64       `json:"bytes"`
	CopyOf    *string     `json:"copy_of"`
	Corrupt   *Corruption `json:"corrupt"`
	Created   *string     `json:"created"`
	ID        string      `json:"id"`
	Imported  *Origin     `json:"imported"`
	Messages  int64       `json:"messages"`
	Records   int64       `json:"records"`
	Title     *string     `json:"title"`
	TornBytes int64       `json:"torn_bytes"`
	Type      string      `json:"type"`
	Updated   *string     `json:"updated"`
	Usage     *Totals     `json:"usage"`
}

// Corruption says where a log stops being what lecode wrote.
type Corruption struct {
	Line   int64  `json:"line"`
	Offset int64  `json:"offset"`
	Reason string `json:"reason"`
}

// Origin says what a session was imported from.
type Origin struct {
	Format   string `json:"format"`
	SourceID string `json:"source_id"`
}

// Appended is printed by `append`, one for each fsync.
type Appended struct {
	Seqs      []int64 `json:"seqs"`
	SessionID string  `json:"session_id"`
	Type      string  `json:"type"`
}

// Record is printed by `log`.
type Record struct {
	Digest string         `json:"digest"`
	Record jsontext.Value `json:"record"`
	Status Visibility     `json:"status"`
	Type   string         `json:"type"`
}

// Visibility is the status of a message for each purpose; null for events.
type Visibility struct {
	Durable *string `json:"durable"`
	Working *string `json:"working"`
}

// Event is printed by `undo`, `redo` and `clear`.
type Event struct {
	Record    jsontext.Value `json:"record"`
	Seq       int64          `json:"seq"`
	SessionID string         `json:"session_id"`
	Type      string         `json:"type"`
}

// Imported is printed by `import`.
type Imported struct {
	Appended  int64            `json:"appended"`
	CopyOf    *string          `json:"copy_of"`
	Format    string           `json:"format"`
	Left      map[string]int64 `json:"left"`
	Records   map[string]int64 `json:"records"`
	SessionID string           `json:"session_id"`
	SourceID  string           `json:"source_id"`
	Type      string           `json:"type"`
	Unchanged int64            `json:"unchanged"`
	Unplaced  map[string]int64 `json:"unplaced"`
	Usage     *ImportedUsage   `json:"usage"`
}

// ImportedUsage is what a source says that its calls took: known subtotals, and
// the calls whose usage it does not say.
type ImportedUsage struct {
	CacheReadTokens   int64 `json:"cache_read_tokens"`
	CacheWriteTokens  int64 `json:"cache_write_tokens"`
	Calls             int64 `json:"calls"`
	InputTokens       int64 `json:"input_tokens"`
	OutputTokens      int64 `json:"output_tokens"`
	UnknownUsageCalls int64 `json:"unknown_usage_calls"`
}

// SourceRef is printed by `snapshot`.
type SourceRef struct {
	Digest    string  `json:"digest"`
	Seqs      []int64 `json:"seqs"`
	SessionID string  `json:"session_id"`
	Type      string  `json:"type"`
}

// Validation is printed by `validate`, one for each line read.
type Validation struct {
	Purpose string     `json:"purpose"`
	Source  source.Ref `json:"source"`
	Status  string     `json:"status"`
	Type    string     `json:"type"`
}

// Fact is printed by the commands that write facts and by `facts`.
type Fact = fact.Told

// Generation is printed by `generation`.
type Generation struct {
	Generation int64  `json:"generation"`
	Type       string `json:"type"`
}

// Explained is printed by `prompt --explain`, one for each fact looked at.
type Explained struct {
	ID       string  `json:"id"`
	Revision int64   `json:"revision"`
	Status   *string `json:"status"`
	Type     string  `json:"type"`
	Why      *string `json:"why"`
}

// Forgotten is printed by `forget`, one for each fact.
type Forgotten = fact.Forgotten

// Provenance is printed by `provenance`, one for each revision.
type Provenance struct {
	Created   *string         `json:"created"`
	FactID    string          `json:"fact_id"`
	Positions []fact.Position `json:"positions"`
	Revision  int64           `json:"revision"`
	Source    *source.Ref     `json:"source"`
	Status    string          `json:"status"`
	Type      string          `json:"type"`
}

// Exclusion is printed by `exclusions`.
type Exclusion struct {
	Seq       int64  `json:"seq"`
	SessionID string `json:"session_id"`
	Type      string `json:"type"`
}

// Deleted is printed by `delete-session`.
type Deleted struct {
	SessionID string `json:"session_id"`
	Type      string `json:"type"`
}
