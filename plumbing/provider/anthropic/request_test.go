package anthropic

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

// wire is the request as it goes out, in canonical form.
func wire(t *testing.T, spec provider.Spec, r provider.Request) gjson.Result {
	t.Helper()
	spec.Name = "near"
	m, err := New(spec, network.Options{})
	if err != nil {
		t.Fatal(err)
	}
	params, err := m.(*model).params(r)
	if err != nil {
		t.Fatal(err)
	}
	b, err := params.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	c, err := canon.CanonicalizeObject(b)
	if err != nil {
		t.Fatal(err)
	}
	return gjson.ParseBytes(c)
}

func TestThinking(t *testing.T) {
	for _, c := range []struct {
		model, level     string
		cap              int64
		thinking, effort string
	}{
		{"claude-sonnet-4-5", "", 20000, "", ""},
		{"claude-sonnet-4-5", "off", 20000, "", ""},
		{"claude-sonnet-4-5", "low", 20000, `{"budget_tokens":2048,"type":"enabled"}`, ""},
		{"claude-sonnet-4-20250514", "high", 20000, `{"budget_tokens":10000,"type":"enabled"}`, ""},
		{"claude-3-7-sonnet-latest", "medium", 2000, "", ""},
		{"claude-opus-4-6", "medium", 2000, `{"type":"adaptive"}`, "medium"},
	} {
		r := request()
		r.MaxOutputTokens = c.cap
		got := wire(t, provider.Spec{Model: c.model, Thinking: c.level}, r)
		if got.Get("thinking").Raw != c.thinking || got.Get("output_config.effort").String() != c.effort || got.Get("max_tokens").Int() != c.cap {
			t.Errorf("%s, %s, %d: %s", c.model, c.level, c.cap, got)
		}
	}
}

func TestMessages(t *testing.T) {
	picture := provider.Block{Type: provider.TypeFile, Name: "a.png", MediaType: "image/png", Data: "aGk="}
	notes := provider.Block{Type: provider.TypeFile, Name: "a.txt", MediaType: "text/plain", Data: base64.StdEncoding.EncodeToString([]byte("hi"))}
	paper := provider.Block{Type: provider.TypeFile, Name: "a.pdf", MediaType: "application/pdf", Data: "aGk="}
	sound := provider.Block{Type: provider.TypeFile, Name: "a.wav", MediaType: "audio/wav", Data: "aGk="}
	r := provider.Request{MaxOutputTokens: 1, System: " \n", Messages: []provider.Message{
		{Role: "user", Content: []provider.Block{provider.Text("one"), provider.Text(" ")}},
		{Role: "assistant", Content: []provider.Block{{Type: provider.TypeReasoning, Text: "hm", Signature: ptr("s")}, {Type: provider.TypeReasoning, Text: "of another provider"}, {Type: provider.TypeReasoning, Data: "opaque"}, provider.Text("see")}},
		{Role: "assistant", Content: []provider.Block{
			{Type: provider.TypeToolCall, ID: "c1", Name: "read", Arguments: []byte(`{"a":9007199254740993}`)}, {Type: provider.TypeToolCall, ID: "c2", Name: "list"}}},
		{Role: "tool", Content: []provider.Block{{Type: provider.TypeToolResult, ID: "c1", Text: "got", Files: []provider.Block{picture}}}},
		{Role: "user", Content: []provider.Block{provider.Text("by the way")}},
		{Role: "tool", Content: []provider.Block{{Type: provider.TypeToolResult, ID: "c2", IsError: true}}},
		{Role: "assistant", Content: []provider.Block{provider.Text("")}},
		{Role: "user", Content: []provider.Block{notes, paper, sound}},
	}}
	want := `[{"content":[{"text":"one","type":"text"}],"role":"user"},` +
		`{"content":[{"signature":"s","thinking":"hm","type":"thinking"},{"data":"opaque","type":"redacted_thinking"},{"text":"see","type":"text"},` +
		`{"id":"c1","input":{"a":9007199254740993},"name":"read","type":"tool_use"},{"id":"c2","input":{},"name":"list","type":"tool_use"}],"role":"assistant"},` +
		`{"content":[{"content":[{"text":"got","type":"text"},{"source":{"data":"aGk=","media_type":"image/png","type":"base64"},"type":"image"}],"is_error":false,"tool_use_id":"c1","type":"tool_result"},` +
		`{"is_error":true,"tool_use_id":"c2","type":"tool_result"},{"text":"by the way","type":"text"},{"text":"[file \"a.txt\"]\nhi","type":"text"},` +
		`{"source":{"data":"aGk=","media_type":"application/pdf","type":"base64"},"type":"document"},{"text":"[omitted: audio/wav, 2 bytes]","type":"text"}],"role":"user"}]`
	got := wire(t, provider.Spec{Model: "m"}, r)
	if diff := cmp.Diff(want, got.Get("messages").Raw); diff != "" {
		t.Error(diff)
	}
	if got.Get("system").Exists() {
		t.Error("a system prompt of spaces is sent")
	}
}

func TestTools(t *testing.T) {
	r := request()
	r.Tools = []provider.Tool{{Name: "read", Description: "reads", Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"required":["a"]}`)}}
	want := `[{"description":"reads","input_schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"name":"read"}]`
	if diff := cmp.Diff(want, wire(t, provider.Spec{Model: "m"}, r).Get("tools").Raw); diff != "" {
		t.Error(diff)
	}
	r.Tools[0].Schema = []byte(`[]`)
	m, err := New(provider.Spec{Name: "near", Model: "m"}, network.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), r, nil); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("a schema that is a list: %v", err)
	}
}
