package object

import "github.com/lecode/lecode/plumbing/learned"

// Learning is printed by `learn`, `learn --apply` and `facts --learning`, and
// by `compact` where it learns: what came of an extraction.
type Learning struct {
	learned.Event `json:",inline"`
	Seq           int64  `json:"seq"`
	SessionID     string `json:"session_id"`
}
