package provider

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func ptr[T any](v T) *T { return &v }

// The records of `lecode help plumbing`, one of each block.
const blocks = `[{"text":"a","type":"text"},` +
	`{"signature":"s","text":"hm","type":"reasoning"},{"data":"opaque","signature":null,"text":"","type":"reasoning"},` +
	`{"arguments":{"path":"go.mod"},"id":"c1","name":"read","type":"tool_call"},` +
	`{"arguments":{},"id":"c2","name":"list","signature":"g","type":"tool_call"}]`

const results = `[{"files":[{"data":"aGk=","media_type":"text/plain","name":"a.txt","type":"file"}],"id":"c1","is_error":false,"name":"read","text":"1\tmodule x","type":"tool_result"}]`

func TestRequestRoundTrip(t *testing.T) {
	in := `{"max_output_tokens":2048,"messages":[{"content":[{"text":"q","type":"text"}],"role":"user"},` +
		`{"content":` + blocks + `,"role":"assistant"},{"content":` + results + `,"role":"tool"}],"system":"s",` +
		`"tools":[{"description":"reads","name":"read","schema":{"type":"object"}}]}`
	r, err := ReadRequest([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out, err := canon.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, string(out)); diff != "" {
		t.Error(diff)
	}
}

func TestResponseRoundTrip(t *testing.T) {
	in := `{"blocks":` + blocks + `,"call_id":"c","finish_reason":"tool_calls","model":"m",` +
		`"usage":{"cache_read_tokens":0,"cache_write_tokens":null,"cost":0.25,"input_tokens":7,"output_tokens":null}}`
	r, err := ReadResponse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	want := &Usage{CacheReadTokens: ptr(int64(0)), Cost: ptr(0.25), InputTokens: ptr(int64(7))}
	if diff := cmp.Diff(want, r.Usage); diff != "" {
		t.Error(diff)
	}
	out, err := canon.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, string(out)); diff != "" {
		t.Error(diff)
	}
	if len(r.ToolCalls()) != 2 || r.Text() != "a" {
		t.Errorf("ToolCalls %v, Text %q", r.ToolCalls(), r.Text())
	}
}

func TestResponseMayBeBrief(t *testing.T) {
	r, err := ReadResponse([]byte(`{"type":"response","blocks":[],"finish_reason":"stop","new":{"x":1},"usage":null}`))
	if diff := cmp.Diff(Response{Finish: FinishStop}, r); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestReadRefuses(t *testing.T) {
	request := func(b []byte) error { _, err := ReadRequest(b); return err }
	response := func(b []byte) error { _, err := ReadResponse(b); return err }
	message := func(content string) string {
		return `{"max_output_tokens":1,"messages":[{"role":"assistant","content":[` + content + `]}]}`
	}
	for _, c := range []struct {
		name  string
		read  func([]byte) error
		in    string
		names string
	}{
		{"a duplicate key", response, `{"blocks":[],"blocks":[],"finish_reason":"stop"}`, "duplicate key"},
		{"a deep duplicate key", request, message(`{"type":"text","text":"a","text":"b"}`), "duplicate key"},
		{"no object", response, `[]`, "an array"},
		{"two values", response, `{"blocks":[],"finish_reason":"stop"} {}`, "not valid JSON"},
		{"another type", response, `{"type":"request","blocks":[],"finish_reason":"stop"}`, `not of type "response"`},
		{"a type that is no string", response, `{"type":null,"blocks":[],"finish_reason":"stop"}`, `not of type "response"`},
		{"an unknown finish reason", response, `{"blocks":[],"finish_reason":"end_turn"}`, "finish_reason"},
		{"no finish reason", response, `{"blocks":[]}`, "finish_reason"},
		{"no blocks", response, `{"finish_reason":"stop"}`, "blocks must be a list"},
		{"blocks null", response, `{"blocks":null,"finish_reason":"stop"}`, "blocks must be a list"},
		{"a block of text", response, `{"blocks":["hi"],"finish_reason":"stop"}`, "blocks[0] must be an object"},
		{"an unknown block", response, `{"blocks":[{"type":"image"}],"finish_reason":"stop"}`, "blocks[0].type"},
		{"a result in an answer", response, `{"blocks":` + results + `,"finish_reason":"stop"}`, "blocks[0].type"},
		{"text that is a number", response, `{"blocks":[{"type":"text","text":"a"},{"type":"text","text":1}],"finish_reason":"stop"}`, "blocks[1].text"},
		{"usage that is a list", response, `{"blocks":[],"finish_reason":"stop","usage":[]}`, "usage must be"},
		{"half a token", response, `{"blocks":[],"finish_reason":"stop","usage":{"input_tokens":1.5}}`, "usage.input_tokens"},
		{"tokens below 0", response, `{"blocks":[],"finish_reason":"stop","usage":{"output_tokens":-1}}`, "usage.output_tokens"},
		{"tokens in words", response, `{"blocks":[],"finish_reason":"stop","usage":{"cache_read_tokens":"7"}}`, "usage.cache_read_tokens"},
		{"tokens without end", response, `{"blocks":[],"finish_reason":"stop","usage":{"output_tokens":99999999999999999999}}`, "usage.output_tokens"},
		{"a cost below 0", response, `{"blocks":[],"finish_reason":"stop","usage":{"cost":-0.1}}`, "usage.cost"},
		{"no messages", request, `{"max_output_tokens":1,"messages":[]}`, "messages"},
		{"no cap", request, `{"messages":[{"role":"user","content":[]}]}`, "max_output_tokens"},
		{"a cap of 0", request, `{"max_output_tokens":0,"messages":[{"role":"user","content":[]}]}`, "max_output_tokens"},
		{"a role", request, `{"max_output_tokens":1,"messages":[{"role":"system","content":[]}]}`, "messages[0].role"},
		{"a user's call", request, `{"max_output_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_call","id":"a","name":"b","arguments":{}}]}]}`, "messages[0].content[0].type"},
		{"arguments in a string", request, message(`{"type":"tool_call","id":"a","name":"b","arguments":"{}"}`), "messages[0].content[0].arguments"},
		{"a file that is no base64", request, message(`{"type":"file","name":"a","media_type":"b","data":"*"}`), "messages[0].content[0].data"},
		{"a tool without schema", request, `{"max_output_tokens":1,"messages":[{"role":"user","content":[]}],"tools":[{"name":"a"}]}`, "tools[0].schema"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.read([]byte(c.in))
			if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.names) {
				t.Errorf("got %v, want ErrInvalid that names %q", err, c.names)
			}
		})
	}
}

func TestReadBlock(t *testing.T) {
	b, err := ReadBlock([]byte(`{"arguments":{"a":1},"id":null,"made_by":"import","name":null,"type":"tool_call"}`))
	if err != nil || b.ID != "" || string(b.Arguments) != `{"a":1}` {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := canon.Marshal(Block{Type: "image"}); err == nil {
		t.Error("a block of a type that there is not was encoded")
	}
}

// The last known value counts, field by field (case T5), and the prompt is the sum of its parts.
func TestUsage(t *testing.T) {
	var u Usage
	for _, report := range []Usage{{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(1))}, {OutputTokens: ptr(int64(120)), CacheReadTokens: ptr(int64(5))}, {OutputTokens: ptr(int64(350))}, {}} {
		u = report.Over(u)
	}
	want := Usage{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(350)), CacheReadTokens: ptr(int64(5))}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Error(diff)
	}
	if n := u.Prompt(); n == nil || *n != 15 {
		t.Errorf("Prompt %v", n)
	}
	if (*Usage)(nil).Prompt() != nil || (&Usage{CacheReadTokens: ptr(int64(1))}).Prompt() != nil {
		t.Error("a prompt of unknown size has one")
	}
	if (Usage{}).Known() || !(Usage{CacheWriteTokens: ptr(int64(0))}).Known() {
		t.Error("Known")
	}
}

func FuzzReadResponse(f *testing.F) {
	f.Add([]byte(`{"blocks":` + blocks + `,"call_id":"c","finish_reason":"stop","model":"m","usage":{"cost":1e3,"input_tokens":0}}`))
	f.Add([]byte(`{"blocks":[{"type":"text","text":"\ud800"}],"finish_reason":"stop"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadResponse(data)
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("not ErrInvalid: %v", err)
			}
			return
		}
		again(t, r, ReadResponse)
	})
}

func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"max_output_tokens":1,"messages":[{"role":"assistant","content":` + blocks + `},{"role":"tool","content":` + results + `}],"tools":[{"name":"a","schema":{}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadRequest(data)
		if err != nil {
			if !errors.Is(err, plumbing.ErrInvalid) {
				t.Fatalf("not ErrInvalid: %v", err)
			}
			return
		}
		again(t, r, ReadRequest)
	})
}

// again checks that what was read is written so that it is read as the same.
func again[T any](t *testing.T, v T, read func([]byte) (T, error)) {
	t.Helper()
	first, err := canon.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	back, err := read(first)
	if err != nil {
		t.Fatalf("not read again: %v", err)
	}
	second, err := canon.Marshal(back)
	if err != nil || string(first) != string(second) {
		t.Fatalf("%s\n%s\n%v", first, second, err)
	}
}
