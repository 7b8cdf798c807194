package openai

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
	spec.Name, spec.Model = "near", "small"
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

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		base, thinking string
		want           map[string]string
	}{
		{"", "", map[string]string{"max_completion_tokens": "321", "max_tokens": "", "reasoning_effort": ""}},
		{"https://x.openai.azure.com/openai/v1", "off", map[string]string{"max_completion_tokens": "321", "max_tokens": "", "reasoning_effort": ""}},
		{"https://openrouter.ai/api/v1", "low", map[string]string{"max_completion_tokens": "", "max_tokens": "321", "reasoning_effort": "low"}},
		{"http://127.0.0.1:11434/v1", "high", map[string]string{"max_completion_tokens": "", "max_tokens": "321", "reasoning_effort": "high"}},
		{"https://api.openai.com.example.com/v1", "", map[string]string{"max_completion_tokens": "", "max_tokens": "321"}},
	} {
		got := wire(t, provider.Spec{BaseURL: c.base, Thinking: c.thinking}, request())
		for path, want := range c.want {
			if got.Get(path).String() != want {
				t.Errorf("%q: %s is %q, want %q", c.base, path, got.Get(path), want)
			}
		}
	}
}

func TestMessages(t *testing.T) {
	picture := provider.Block{Type: provider.TypeFile, Name: "a.png", MediaType: "image/png", Data: "aGk="}
	notes := provider.Block{Type: provider.TypeFile, Name: "a.txt", MediaType: "text/plain", Data: base64.StdEncoding.EncodeToString([]byte("hi"))}
	paper := provider.Block{Type: provider.TypeFile, Name: "a.pdf", MediaType: "application/pdf", Data: "aGk="}
	sound := provider.Block{Type: provider.TypeFile, Name: "a.wav", MediaType: "audio/wav", Data: "aGk="}
	call := provider.Block{Type: provider.TypeToolCall, ID: "c1", Name: "read", Arguments: []byte(`{"a":1}`), Signature: ptr("sig")}
	bare := provider.Block{Type: provider.TypeToolCall, ID: "c2", Name: "list"}
	result := func(id string, files ...provider.Block) provider.Block {
		return provider.Block{Type: provider.TypeToolResult, ID: id, Name: "read", Text: "got " + id, Files: files}
	}
	r := provider.Request{MaxOutputTokens: 1, Messages: []provider.Message{
		{Role: "user", Content: []provider.Block{provider.Text("one"), provider.Text("two")}},
		{Role: "assistant", Content: []provider.Block{{Type: provider.TypeReasoning, Text: "hm", Signature: ptr("s")}, provider.Text("see"), call, bare}},
		{Role: "tool", Content: []provider.Block{result("c1", picture)}},
		{Role: "tool", Content: []provider.Block{result("c2")}},
		{Role: "assistant", Content: []provider.Block{{Type: provider.TypeReasoning, Text: "only"}}},
		{Role: "user", Content: []provider.Block{provider.Text("and"), notes, paper, sound}},
	}}
	want := `[{"content":"one\n\ntwo","role":"user"},` +
		`{"content":"see","role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"sig"}},"function":{"arguments":"{\"a\":1}","name":"read"},"id":"c1","type":"function"},` +
		`{"function":{"arguments":"{}","name":"list"},"id":"c2","type":"function"}]},` +
		`{"content":"got c1","role":"tool","tool_call_id":"c1"},{"content":"got c2","role":"tool","tool_call_id":"c2"},` +
		`{"content":[{"image_url":{"url":"data:image/png;base64,aGk="},"type":"image_url"}],"role":"user"},` +
		`{"content":[{"text":"and","type":"text"},{"text":"[file \"a.txt\"]\nhi","type":"text"},` +
		`{"file":{"file_data":"data:application/pdf;base64,aGk=","filename":"a.pdf"},"type":"file"},{"text":"[omitted: audio/wav, 2 bytes]","type":"text"}],"role":"user"}]`
	if diff := cmp.Diff(want, wire(t, provider.Spec{}, r).Get("messages").Raw); diff != "" {
		t.Error(diff)
	}
}

func TestTools(t *testing.T) {
	r := request()
	r.Tools = []provider.Tool{{Name: "read", Description: "reads", Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`)}}
	want := `[{"function":{"description":"reads","name":"read","parameters":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"type":"object"}},"type":"function"}]`
	if diff := cmp.Diff(want, wire(t, provider.Spec{}, r).Get("tools").Raw); diff != "" {
		t.Error(diff)
	}
	r.Tools[0].Schema = []byte(`[]`)
	m, err := New(provider.Spec{Name: "near", Model: "small"}, network.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Complete(t.Context(), r, nil); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("a schema that is a list: %v", err)
	}
}
