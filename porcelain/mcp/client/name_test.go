package client

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/learn"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/porcelain/agent"
)

func callOf(arguments string) agent.Call { return agent.Call{Arguments: []byte(arguments)} }

func TestToolNames(t *testing.T) {
	long := strings.Repeat("s", 64)
	for _, c := range []struct{ server, tool, want string }{
		{"files", "read", "mcp__files__read"},
		{"my-files", "read_file", "mcp__my-files__read_file"},
		{"a", "b__c", "mcp__a__b__c"},
		{"a", "_b", "mcp__a___b"},
		{"a__b", "c", "mcp__a__b__c_" + hash("a__b", "c")},
		{"a_", "b", "mcp__a___b_" + hash("a_", "b")},
		{"a.b", "c", "mcp__a_b__c_" + hash("a.b", "c")},
		{"a", "c.d", "mcp__a__c_d_" + hash("a", "c.d")},
		{"a", "c_0123456789", "mcp__a__c_0123456789_" + hash("a", "c_0123456789")},
		{long, "read", "mcp__" + long[:maxServer] + "__read_" + hash(long, "read")},
		{"a", "é", "mcp__a_____" + hash("a", "é")},
	} {
		if got := toolName(c.server, c.tool); got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.server, c.tool, got, c.want)
		}
	}
}

// hostile are names that could collide once they are changed.
func hostile() []string {
	return []string{"a", "a_", "a__", "_a", "a__a", "a.", "a-", "a_.a", "read", "_read", "read_", "a__read", "a_0123456789", strings.Repeat("a", 64), strings.Repeat("a", 63) + "b"}
}

func TestNamesAreTheirOwn(t *testing.T) {
	valid := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	seen := map[string]string{}
	add := func(name, who string) {
		if !valid.MatchString(name) {
			t.Errorf("%s: %q", who, name)
		}
		if before, has := seen[name]; has {
			t.Errorf("%s and %s are both %s", before, who, name)
		}
		seen[name] = who
	}
	for _, server := range hostile() {
		add(groupName(server), "group "+server)
		for _, tool := range append(hostile(), "", "a b", "a\nb", "é") {
			add(toolName(server, tool), fmt.Sprintf("%q of %q", tool, server))
		}
	}
}

// FuzzToolName: whatever the names, a tool of a server has none of lecode's own, nor one that no model takes.
func FuzzToolName(f *testing.F) {
	f.Add("a_", "read")
	f.Add("", "")
	valid := regexp.MustCompile(`^mcp__[A-Za-z0-9_-]{1,59}$`)
	f.Fuzz(func(t *testing.T, server, tool string) {
		name := toolName(server, tool)
		if !valid.MatchString(name) || name != toolName(server, tool) {
			t.Errorf("%q", name)
		}
		if other := toolName(server+"_", tool); other == name {
			t.Errorf("%q is that of another server too", name)
		}
	})
}

// TestNoEvidence: the tool read of a server passes for the local one nowhere
// (design section 11), whatever the server is called.
func TestNoEvidence(t *testing.T) {
	text := `go.mod contains "go 1.26"`
	records := func(name string) (all [][]byte) {
		for i, line := range []any{
			object{"type": "message", "role": "user", "origin": "user", "content": []any{object{"type": "text", "text": "What does go.mod say?"}}},
			object{"type": "message", "role": "assistant", "origin": "generated", "content": []any{object{"type": "tool_call", "id": "c1", "name": name, "arguments": object{"path": "go.mod"}}}},
			object{"type": "message", "role": "tool", "origin": "generated", "content": []any{object{"type": "tool_result", "id": "c1", "name": name, "is_error": false, "files": []any{}, "text": "1\tgo 1.26\n"}}},
			object{"type": "message", "role": "assistant", "origin": "generated", "content": []any{object{"type": "text", "text": text}}},
		} {
			line.(object)["seq"] = i + 1
			b, err := canon.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b)
		}
		return all
	}
	judged := func(lines [][]byte, kind, quote string, seqs ...int64) learn.Decision {
		var x learn.Exchange
		for i, raw := range lines {
			x.Records = append(x.Records, learn.Record{Seq: int64(i + 1), Raw: raw, Typed: i == 0})
		}
		says := text
		if kind == learned.KindPreference {
			says = quote
		}
		return learn.Judge(learn.Candidate{Kind: kind, Text: says, Quote: quote, Seqs: seqs}, learn.Evidence{Exchanges: []learn.Exchange{x}}).Decision
	}
	local := records("read")
	want := judged(local, learned.KindFact, "1\tgo 1.26", 1, 2, 3, 4)
	if _, ok := learned.Observed(text, local); !ok || want != learn.Accepted {
		t.Fatalf("the local tool is no evidence either: %v", want)
	}
	for _, server := range append(hostile(), "", "read") {
		for _, tool := range []string{"read", "read_", "_read", "read\x00", "READ"} {
			lines := records(toolName(server, tool))
			if _, ok := learned.Observed(text, lines); ok {
				t.Errorf("%q of %q is evidence", tool, server)
			}
			if got := judged(lines, learned.KindFact, "1\tgo 1.26", 1, 2, 3, 4); got == learn.Accepted {
				t.Errorf("%q of %q: a fact is %v", tool, server, got)
			}
			if got := judged(lines, learned.KindPreference, "go 1.26", 3); got == learn.Accepted {
				t.Errorf("%q of %q: a preference is %v", tool, server, got)
			}
		}
	}
}
