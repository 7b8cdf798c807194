package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/config"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"": nil, "  ": nil, "a": {"a"}, " a  b\tc ": {"a", "b", "c"}, `a 'b c' "d e"`: {"a", "b c", "d e"}, `a''b`: {"ab"},
		`a ''`: {"a", ""}, `"it's"`: {"it's"}, `'a"b'`: {`a"b`}, `C:\bin\x $HOME *`: {`C:\bin\x`, "$HOME", "*"},
	} {
		got, ok := splitWords(line)
		if d := cmp.Diff(want, got); d != "" || !ok {
			t.Errorf("%q: %v %s", line, ok, d)
		}
		if again, ok := splitWords(joinWords(got)); !ok || !cmp.Equal(again, got) {
			t.Errorf("%q goes round to %q", line, again)
		}
	}
	for _, line := range []string{`'`, `a "b`, `'a' '`} {
		if got, ok := splitWords(line); ok {
			t.Errorf("%q: %q", line, got)
		}
	}
	if got := joinWords([]string{`it's "x"`}); got != "" {
		t.Errorf("%q", got)
	}
}

func TestHostName(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8080/v1": "local", "http://[::1]/": "local", "http://localhost:1": "local", "http://10.0.0.7/v1": "server",
		"https://api.example.com/v1": "example", "https://EXAMPLE.com": "example", "http://box": "box", "https://bücher.example": "bcher", "http://-.x": "server",
	} {
		if got := hostName(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// What is configured is offered, and no name is taken twice.
func TestSetupNames(t *testing.T) {
	set := func(variables map[string]string, model string, providers map[string]config.Provider) *asking {
		return &asking{getenv: func(name string) string { return variables[name] },
			now: &config.Config{Agent: config.Agent{Model: model}, Providers: providers}}
	}
	near := map[string]config.Provider{"near": {Type: "openai", BaseURL: "http://x", Models: []string{"a", "openai/b"}}, "own": {Type: "exec"}}
	for _, c := range []struct {
		a    *asking
		want string
	}{
		{set(nil, "offline", nil), "offline"}, {set(map[string]string{"GEMINI_API_KEY": "k"}, "offline", nil), "gemini"},
		{set(nil, "near/a", near), "address"}, {set(nil, "own", near), "program"}, {set(nil, "openai/x", near), "openai"},
	} {
		// Nothing is set in a Config that is made here, so that a key in the environment counts.
		if got := c.a.current(); got != c.want {
			t.Errorf("%s: %q, want %q", c.a.now.Agent.Model, got, c.want)
		}
	}
	a := set(nil, "offline", near)
	for name, want := range map[string]string{"near": "near-2", "openai": "openai-2", "far": "far"} {
		if got := a.freeName(name); got != want {
			t.Errorf("free %q: %q", name, got)
		}
	}
	for _, c := range [][2]string{{"near", "b"}, {"openai", "b"}, {"openai", ""}, {"openai", "a b"}} {
		if a.fitting(c[0], c[1]) == "" {
			t.Errorf("%s/%s fits", c[0], c[1])
		}
	}
	for _, c := range [][2]string{{"near", "a"}, {"openai", "c"}, {"openrouter", "x/y"}} {
		if wrong := a.fitting(c[0], c[1]); wrong != "" {
			t.Errorf("%s/%s: %s", c[0], c[1], wrong)
		}
	}
}
