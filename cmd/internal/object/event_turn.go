package object

import "github.com/lecode/lecode/plumbing/provider"

// The objects of `lecode run --json`, in the order in which a turn has them.
// child is the call that a child works for; null in the session's own turn.

// Began: a session is attached.
type Began struct {
	Mode      string  `json:"mode"`
	Model     string  `json:"model"`
	New       bool    `json:"new"`
	SessionID *string `json:"session_id"`
	Type      string  `json:"type"`
}

// Requested: a request goes out; tokens are reckoned, not counted.
type Requested struct {
	Child      *string `json:"child"`
	Facts      int64   `json:"facts"`
	Generation int64   `json:"generation"`
	LeftOut    int64   `json:"left_out"`
	Tokens     int64   `json:"tokens"`
	Type       string  `json:"type"`
	Window     int64   `json:"window"`
}

// Streamed: a piece of an answer.
type Streamed struct {
	Child     *string `json:"child"`
	Reasoning *string `json:"reasoning"`
	Text      *string `json:"text"`
	Type      string  `json:"type"`
}

// Answered: a response was accepted and stored; seq is null in a child.
type Answered struct {
	Blocks []provider.Block `json:"blocks"`
	CallID string           `json:"call_id"`
	Child  *string          `json:"child"`
	Finish provider.Finish  `json:"finish_reason"`
	Model  string           `json:"model"`
	Priced *float64         `json:"priced"`
	Seq    *int64           `json:"seq"`
	Type   string           `json:"type"`
	Usage  *provider.Usage  `json:"usage"`
}

// Stale: something was forgotten while a model answered, and its answer was dropped.
type Stale struct {
	Again  bool            `json:"again"`
	CallID string          `json:"call_id"`
	Child  *string         `json:"child"`
	Model  string          `json:"model"`
	Type   string          `json:"type"`
	Usage  *provider.Usage `json:"usage"`
}

// Compacting: a summary is being made; what comes of it is a compaction object.
type Compacting struct {
	Type string `json:"type"`
	Why  string `json:"why"`
}

// Notice is a line for a person.
type Notice struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// Injected: a message that nobody typed joined the session.
type Injected struct {
	Seq  int64  `json:"seq"`
	Text string `json:"text"`
	Type string `json:"type"`
}

// Phase: a phase of a chain begins.
type Phase struct {
	Chain  string `json:"chain"`
	Mode   string `json:"mode"`
	Number int64  `json:"number"`
	Of     int64  `json:"of"`
	Prompt string `json:"prompt"`
	Type   string `json:"type"`
}

// Command is what a slash command said.
type Command struct {
	Name string `json:"name"`
	No   bool   `json:"no"`
	Text string `json:"text"`
	Type string `json:"type"`
}

// Result is the last line of `lecode run --json`, also after a failure.
type Result struct {
	Answer    string  `json:"answer"`
	Calls     int64   `json:"calls"`
	Denied    int64   `json:"denied"`
	Finish    *string `json:"finish_reason"`
	Outcome   string  `json:"outcome"`
	Requests  int64   `json:"requests"`
	SessionID *string `json:"session_id"`
	Stopped   *string `json:"stopped"`
	Type      string  `json:"type"`
	Usage     Totals  `json:"usage"`
}
