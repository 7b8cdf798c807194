package config

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestSet(t *testing.T) {
	for name, tt := range map[string]struct {
		file  string
		key   string
		value any
		want  string
	}{
		"empty":            {"", "memory.auto_learn", true, "[memory]\nauto_learn = true\n"},
		"only a mark":      {"\ufeff", "memory.auto_learn", true, "\ufeff[memory]\nauto_learn = true\n"},
		"replaced":         {"[memory] # m\nauto_learn=false # why\n", "memory.auto_learn", true, "[memory] # m\nauto_learn=true # why\n"},
		"there already":    {"memory = { auto_learn = true }", "memory.auto_learn", true, "memory = { auto_learn = true }"},
		"below its header": {"[agent]\n\n# later\n[memory]\nenabled = true\n", "agent.model", "x/y", "[agent]\nmodel = \"x/y\"\n\n# later\n[memory]\nenabled = true\n"},
		"behind the last":  {"[agent]\nmodel = 'a' # a\n# b\n[memory]\n", "agent.thinking", "low", "[agent]\nmodel = 'a' # a\nthinking = \"low\"\n# b\n[memory]\n"},
		"no last newline":  {"[agent]\nmodel = 'a'", "agent.thinking", "low", "[agent]\nmodel = 'a'\nthinking = \"low\"\n"},
		"new table":        {"# top\n[agent]", "memory.enabled", false, "# top\n[agent]\n\n[memory]\nenabled = false\n"},
		"CRLF":             {"[agent]\r\nmodel = 'a'\r\n", "memory.enabled", false, "[agent]\r\nmodel = 'a'\r\n\r\n[memory]\r\nenabled = false\r\n"},
		"dotted":           {"memory.enabled = true\n[agent]\n", "memory.auto_learn", true, "memory.enabled = true\nmemory.auto_learn = true\n[agent]\n"},
		"dotted in table":  {"[providers]\nnear.type = 'openai'\n# x\n", "providers.near.base_url", "http://x", "[providers]\nnear.type = 'openai'\nnear.base_url = \"http://x\"\n# x\n"},
		"table of a table": {"[providers.near]\ntype = 'exec'\n", "providers.far.type", "openai", "[providers.near]\ntype = 'exec'\n\n[providers.far]\ntype = \"openai\"\n"},
		"quoted":           {"[permissions]\nwrite = 'ask'\n", `permissions."bash:go test"`, "allow", "[permissions]\nwrite = 'ask'\n\"bash:go test\" = \"allow\"\n"},
		"quoted otherwise": {"[permissions]\n'bash:go test' = 'ask'\n", `permissions."bash:go test"`, "allow", "[permissions]\n'bash:go test' = \"allow\"\n"},
		"a dot in a key":   {"[permissions.a]\nb = 1\n", `permissions."a.b"`, "allow", "[permissions.a]\nb = 1\n\n[permissions]\n\"a.b\" = \"allow\"\n"},
		"a long list":      {"[p]\ncommand = [\n  'a',\n  'b',\n]\n# c\n", "p.command", []string{"x", "y z"}, "[p]\ncommand = [\"x\", \"y z\"]\n# c\n"},
		"a long string":    {"[p]\nx = '''\n[p]\ny = 1\n'''\nz = 1\n", "p.y", 2, "[p]\nx = '''\n[p]\ny = 1\n'''\nz = 1\ny = 2\n"},
		"at the root":      {"# a\n[b]\n", "x", 1.0, "x = 1.0\n\n# a\n[b]\n"},
		"at the root too":  {"a = 1\n\n[b]\n", "x", int64(1), "a = 1\nx = 1\n\n[b]\n"},
		"characters":       {"", "a.b", "é\"\\\x00\x1b\n", "[a]\nb = \"é\\\"\\\\\\u0000\\u001B\\n\"\n"},
		"no words":         {"", "a.b", []string{}, "[a]\nb = []\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Set([]byte(tt.file), tt.key, tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		file  string
		key   string
		value any
		says  string
	}{
		"inline table":      {"# a\nmemory = { enabled = true }\n", "memory.auto_learn", true, "line 2"},
		"inline, as value":  {"x.y = { a = 1 }\n", "x.y", true, "line 1"},
		"list of tables":    {"\n\n[[hooks]]\nevent = 'stop'\n", "hooks.event", "prompt", "line 3"},
		"in such a list":    {"[[chains.a.phases]]\n[chains.a.phases.x]\n", "chains.a.phases.x.y", 1, "line 1"},
		"a value":           {"a = 1\n", "a.b", 1, "line 1"},
		"a table":           {"[a]\n[a.b]\n", "a.b", 1, "line 2"},
		"a table by dots":   {"a.b.c = 1\n", "a.b", 1, "line 1"},
		"comments within":   {"[p]\ncommand = [ # the program\n'a']\n", "p.command", []string{"b"}, "line 2"},
		"twice":             {"[a]\nb = 1\nb = 2\n", "a.b", 3, "line 3"},
		"a table twice":     {"[a]\n[a]\n", "a.b", 3, "line 2"},
		"no TOML":           {"[a\n", "a.b", 3, "line 1"},
		"no UTF-8":          {"a = '\xff'\n", "a.b", 3, "line 1"},
		"no key":            {"", "", 1, "no key"},
		"a key and more":    {"", "a = 1\nb", 1, "no key"},
		"a key and comment": {"", "a = 1 # ", 1, "no key"},
		"half a key":        {"", `a."b`, 1, "no key"},
		"only a table":      {"", "[a]\nb", 1, "no key"},
		"no value":          {"", "a.b", nil, "cannot be written"},
		"no number":         {"", "a.b", math.NaN(), "cannot be written"},
		"no text":           {"", "a.b", "\xff", "cannot be written"},
		"no text in a list": {"", "a.b", []string{"\xff"}, "cannot be written"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Set([]byte(tt.file), tt.key, tt.value)
			var e *plumbing.Error
			if !errors.As(err, &e) || e.Kind != plumbing.ErrInvalid || e.Hint == "" || !strings.Contains(e.Message, tt.says) {
				t.Errorf("got %q, error %v", got, err)
			}
		})
	}
}
