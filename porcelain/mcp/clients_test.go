package mcp

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"github.com/lecode/lecode/plumbing"
)

// TestConfigs reads each configuration as its client would, and finds it in the guide.
func TestConfigs(t *testing.T) {
	guide, err := os.ReadFile("../help/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	const command = `/opt/le "code"/ü\lecode`
	args := []string{"mcp", "--follow", "a b"}
	for _, name := range Clients() {
		text, where, err := Config(name, command, args)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if name == "codex" {
			err = toml.Unmarshal([]byte(text), &got)
		} else {
			err = json.Unmarshal([]byte(text), &got)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if diff := cmp.Diff(append([]string{command}, args...), words(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		plain, _, err := Config(name, "/usr/local/bin/lecode", []string{"mcp"})
		if err != nil || !strings.Contains(string(guide), "\n"+plain+"```\n") {
			t.Errorf("the guide does not show what is printed for %s (%v):\n%s", name, err, plain)
		}
		file := where[strings.IndexAny(where, ".~"):]
		if file, _, _ = strings.Cut(file, " "); !strings.Contains(string(guide), "`"+strings.TrimSuffix(file, ",")+"`") {
			t.Errorf("the guide does not name %q for %s", file, name)
		}
		if !strings.Contains(string(guide), name) {
			t.Errorf("the guide does not name %s", name)
		}
	}
	if _, _, err := Config("emacs", "x", nil); !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(errHint(err), "opencode, crush") {
		t.Error(err)
	}
}

func errHint(err error) string {
	var e *plumbing.Error
	errors.As(err, &e)
	return e.Hint
}

// words is the command line that a configuration starts, wherever it stands in it.
func words(v any) (list []string) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	switch c := m["command"].(type) {
	case string:
		list = append(list, c)
	case []any:
		for _, s := range c {
			list = append(list, s.(string))
		}
	}
	if args, ok := m["args"].([]any); ok {
		for _, s := range args {
			list = append(list, s.(string))
		}
	}
	for _, inner := range m {
		list = append(list, words(inner)...)
	}
	return list
}
