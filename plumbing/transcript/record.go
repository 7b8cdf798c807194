package transcript

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/canon"
)

// headroom is kept free in each record for what the session adds: seq and generation.
const headroom = 64

// The roles and origins of design section 4.
const (
	roleUser, roleAssistant, roleTool            = "user", "assistant", "tool"
	originUser, originGenerated, originSynthetic = "user", "generated", "synthetic"
	typeMessage, typeForeign, madeByImport       = "message", "foreign", "import"
	blockText, blockReasoning, blockFile         = "text", "reasoning", "file"
	blockCall, blockResult                       = "tool_call", "tool_result"
)

type textBlock struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

type reasoningBlock struct {
	Data      *string `json:"data,omitzero"` // what the provider redacted, opaque
	Signature *string `json:"signature"`
	Text      string  `json:"text"`
	Type      string  `json:"type"`
}

type callBlock struct {
	Arguments jsontext.Value `json:"arguments"`
	ID        *string        `json:"id"`
	MadeBy    string         `json:"made_by,omitzero"`
	Name      *string        `json:"name"`
	Type      string         `json:"type"`
}

type resultBlock struct {
	Files   []fileBlock `json:"files"`
	ID      *string     `json:"id"`
	IsError bool        `json:"is_error"`
	Name    *string     `json:"name"`
	Text    string      `json:"text"`
	Type    string      `json:"type"`
}

type fileBlock struct {
	Data      string  `json:"data"`
	MediaType string  `json:"media_type"`
	Name      *string `json:"name"`
	Type      string  `json:"type"`
}

// record holds what messages and events have in common. Only the second and
// third part of a split line have no Foreign.
type record struct {
	Content  []any     `json:"content,omitzero"`
	Foreign  object    `json:"foreign,omitzero"`
	Origin   string    `json:"origin,omitzero"`
	Repaired *repaired `json:"repaired,omitzero"`
	Role     string    `json:"role,omitzero"`
	Split    *split    `json:"split,omitzero"`
	Time     string    `json:"time,omitzero"`
	Type     string    `json:"type"`
}

// answer is a record that stands for a model's answer or a piece of one.
type answer struct {
	record
	CallID *string `json:"call_id"`
	Model  *string `json:"model"`
	Usage  *usage  `json:"usage"`
}

// run is the event that carries the usage of a whole run whose answers have none.
type run struct {
	record
	Usage *usage `json:"usage"`
}

// split numbers the records that one line made.
type split struct {
	Part  int `json:"part"`
	Parts int `json:"parts"`
}

// emitter hands records to the consumer and counts them.
type emitter struct {
	yield   func([]byte, error) bool
	name    string
	report  Report
	answers *answers
}

// put hands one record on. errTooDeep means that v cannot be written in
// canonical form although its parts can: wrapping made it a level too deep.
func (e *emitter) put(v any, where string) error {
	b, err := canon.Marshal(v)
	if err != nil {
		return fmt.Errorf("%w: %w", errTooDeep, err)
	}
	if len(b) > canon.MaxRecord-headroom {
		return wrong(e.name, "%s makes a record of %d bytes, the most is %d", where, len(b), canon.MaxRecord-headroom)
	}
	e.count(v)
	if !e.yield(b, nil) {
		return errStopped
	}
	return nil
}

// count files a record that was written under who said it. Events are counted by event.
func (e *emitter) count(v any) {
	r, ok := v.(record)
	if a, isAnswer := v.(answer); isAnswer {
		r, ok = a.record, true
	}
	switch {
	case !ok || r.Type != typeMessage:
	case r.Role == roleAssistant:
		e.report.Assistant++
	case r.Role == roleTool:
		e.report.Tool++
	case r.Origin == originUser:
		e.report.User++
	default:
		e.report.Synthetic++
	}
}

// event hands on a foreign event and counts it under kind.
func (e *emitter) event(v any, kind, where string) error {
	if err := e.put(v, where); err != nil {
		return err
	}
	count(e.report.Foreign, kind)
	return nil
}

// normalTime brings an RFC 3339 time into the form of the log: UTC, three
// decimals. "" where s is no such time.
func normalTime(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.UTC().Year() < 0 || t.UTC().Year() > 9999 {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
