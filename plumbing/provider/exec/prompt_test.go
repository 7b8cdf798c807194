package exec

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/provider"
)

func TestPrompt(t *testing.T) {
	one := provider.Request{Messages: []provider.Message{{Role: "user", Content: []provider.Block{provider.Text("why?\n"), provider.Text("")}}}}
	if diff := cmp.Diff("why?\n", Prompt(one)); diff != "" {
		t.Error(diff)
	}
	signature := "s"
	many := provider.Request{System: "be brief\n", Messages: []provider.Message{
		{Role: "user", Content: []provider.Block{provider.Text("why?"), {Type: provider.TypeFile, Name: "a.png", MediaType: "image/png", Data: "aGk="}}},
		{Role: "assistant", Content: []provider.Block{{Type: provider.TypeReasoning, Text: "hm", Signature: &signature}, {Type: provider.TypeToolCall, Name: "read", Arguments: []byte(`{"a":1}`)}}},
		{Role: "tool", Content: []provider.Block{{Type: provider.TypeToolResult, Name: "read", Text: "1\tmodule x\n"}}},
	}}
	want := "be brief\n\n### user\nwhy?\n[omitted: image/png, 2 bytes]\n\n### assistant\n[calls read {\"a\":1}]\n\n### tool\n[read answers]\n1\tmodule x\n"
	if diff := cmp.Diff(want, Prompt(many)); diff != "" {
		t.Error(diff)
	}
}
