package object

import (
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// Compaction is printed by `compact` and `compact --apply`: the summary that is in force now.
type Compaction struct {
	compact.Event `json:",inline"`
	Seq           int64  `json:"seq"`
	SessionID     string `json:"session_id"`
}

// Compacted is an applied event as an object; its type is no longer that of the record.
func Compacted(a compact.Applied) Compaction {
	c := Compaction{a.Event, a.Seq, a.SessionID}
	c.Event.Type = "compaction"
	return c
}

// Response is printed by `complete` for a request.
type Response struct {
	provider.Response `json:",inline"`
	Type              string `json:"type"`
}

// Context is printed by `log --context`, one for each message.
type Context struct {
	From    string           `json:"from"`
	Message provider.Message `json:"message"`
	Seqs    []int64          `json:"seqs"`
	Type    string           `json:"type"`
}

// Lineage is printed by `log --lineage`, one for each summary of the chain.
type Lineage struct {
	CoveredThrough int64          `json:"covered_through"`
	Covers         []source.Ref   `json:"covers"`
	Digest         string         `json:"digest"`
	Generation     int64          `json:"generation"`
	Model          string         `json:"model"`
	Prior          *session.Prior `json:"prior"`
	Seq            int64          `json:"seq"`
	SessionID      string         `json:"session_id"`
	Standing       string         `json:"standing"`
	Type           string         `json:"type"`
}

// Lost is printed by `compact --report`, one for each detail that the summary does not carry.
type Lost struct {
	Kind string  `json:"kind"`
	Seqs []int64 `json:"seqs"`
	Text string  `json:"text"`
	Type string  `json:"type"`
}

// Loss is printed by `compact --report` at the end.
type Loss struct {
	Carried        LossCounts `json:"carried"`
	CoveredThrough int64      `json:"covered_through"`
	Lost           LossCounts `json:"lost"`
	Seq            *int64     `json:"seq"`
	SessionID      string     `json:"session_id"`
	Type           string     `json:"type"`
}

// LossCounts are details by their kind.
type LossCounts struct {
	Command    int64 `json:"command"`
	Error      int64 `json:"error"`
	Identifier int64 `json:"identifier"`
	Number     int64 `json:"number"`
	Path       int64 `json:"path"`
	Rule       int64 `json:"rule"`
}

// CountLoss makes counts of a map by kind.
func CountLoss(n map[compact.Kind]int64) LossCounts {
	return LossCounts{n[compact.Command], n[compact.ErrorText], n[compact.Identifier], n[compact.Number], n[compact.Path], n[compact.Rule]}
}
