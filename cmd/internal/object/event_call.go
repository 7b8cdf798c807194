package object

import "github.com/go-json-experiment/json/jsontext"

// Asked: it was decided whether a call may run; answer is null where nobody was asked.
type Asked struct {
	Allowed bool     `json:"allowed"`
	Answer  *string  `json:"answer"`
	CallID  string   `json:"call_id"`
	Child   *string  `json:"child"`
	Class   string   `json:"class"`
	Name    string   `json:"name"`
	Outside []string `json:"outside"`
	Summary string   `json:"summary"`
	Type    string   `json:"type"`
	Why     string   `json:"why"`
}

// Calling: a call of a tool begins.
type Calling struct {
	Arguments jsontext.Value `json:"arguments"`
	CallID    string         `json:"call_id"`
	Child     *string        `json:"child"`
	Name      string         `json:"name"`
	Summary   string         `json:"summary"`
	Type      string         `json:"type"`
}

// Progressed: output of a call, as it comes.
type Progressed struct {
	CallID string `json:"call_id"`
	Text   string `json:"text"`
	Type   string `json:"type"`
}

// Called: a call has its result; masked names the kinds of secrets that were taken out.
type Called struct {
	CallID  string       `json:"call_id"`
	Child   *string      `json:"child"`
	Files   []CalledFile `json:"files"`
	IsError bool         `json:"is_error"`
	Masked  []string     `json:"masked"`
	Name    string       `json:"name"`
	Seq     *int64       `json:"seq"`
	Text    string       `json:"text"`
	Type    string       `json:"type"`
}

// CalledFile is a file in a result, without what is in it.
type CalledFile struct {
	Bytes     int64  `json:"bytes"`
	MediaType string `json:"media_type"`
	Name      string `json:"name"`
}
