package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/usage"
)

const madeUpKey = "sk-very-secret-0123456789"

// env is a command's, with a config.toml and variables of its own.
func env(t *testing.T, toml string, variables map[string]string) (*cli.Env, *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(toml), 0o600); err != nil {
		t.Fatal(err)
	}
	stderr := &bytes.Buffer{}
	return &cli.Env{Stderr: stderr, Getenv: func(name string) string {
		switch name {
		case "LECODE_CONFIG_DIR", "LECODE_CACHE_DIR":
			return dir
		}
		return variables[name]
	}}, stderr
}

func question() provider.Request {
	return provider.Request{MaxOutputTokens: 100, Messages: []provider.Message{{Role: "user", Content: []provider.Block{provider.Text("why?")}}}}
}

func TestModelDefault(t *testing.T) {
	e, stderr := env(t, "", nil)
	m, err := modelOf(e, "")
	if err != nil || m.Provider != "offline" || m.Name() != "offline" {
		t.Fatal(m.Name(), err)
	}
	if note := stderr.String(); strings.Count(note, "\n") != 1 || !strings.Contains(note, "offline") || !strings.Contains(note, "lecode config --setup") {
		t.Errorf("note %q", note)
	}
	first, err := ask(t.Context(), e, "", question(), usage.Answer, nil)
	second, again := ask(t.Context(), e, "", question(), usage.Answer, nil)
	if err != nil || again != nil || first.CallID == "" || first.CallID == second.CallID {
		t.Errorf("call IDs %q and %q, %v, %v", first.CallID, second.CallID, err, again)
	}
	e, stderr = env(t, "[agent]\nmodel = \"offline\"", nil)
	if _, err := modelOf(e, ""); err != nil || stderr.Len() != 0 {
		t.Errorf("asked for by name: %v, note %q", err, stderr)
	}
}

const providers = `
[providers.near]
type = "openai"
base_url = "http://127.0.0.1:1/v1"
models = ["small", "maker/large", "both"]
[providers.far]
type = "anthropic"
api_key_env = "FAR_KEY"
models = ["both"]
[providers.rec]
type = "script"
command = ["responses.jsonl"]
[providers.prog]
type = "exec"
command = ["/bin/cat"]
[providers.openai]
type = "openai"
base_url = "http://127.0.0.1:2/v1"
[providers.ollama]
type = "exec"
command = ["/bin/cat"]
`

func settings(t *testing.T, toml string) *config.Config {
	t.Helper()
	e, _ := env(t, toml, nil)
	c, err := e.Settings()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFindModel(t *testing.T) {
	configured := settings(t, providers).Providers
	for wanted, want := range map[string]modelName{
		"offline": {"offline", "offline"}, "near/small": {"near", "small"}, "small": {"near", "small"},
		"maker/large": {"near", "maker/large"}, "near/maker/large": {"near", "maker/large"}, "far/both": {"far", "both"}, "far": {"far", "both"},
		"rec": {"rec", "rec"}, "rec/x": {"rec", "x"}, "prog": {"prog", "prog"}, "ollama": {"ollama", "ollama"},
		"openrouter/z-ai/glm": {"openrouter", "z-ai/glm"}, "gemini/g": {"gemini", "g"}, "anthropic/c": {"anthropic", "c"}, "openai/gpt": {"openai", "gpt"},
	} {
		if got, err := findModel(configured, wanted); err != nil || got != want {
			t.Errorf("%q: %v, %v", wanted, got, err)
		}
	}
	for wanted, names := range map[string]string{
		"none": "near/small", "none/x": "near/small", "both": "far/both", "near": "near/MODEL", "near/other": "small, maker/large", "anthropic": "anthropic/MODEL", "near/": "near/MODEL", "offline/x": "offline/MODEL",
	} {
		_, err := findModel(configured, wanted)
		var p *plumbing.Error
		if !errors.As(err, &p) || !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(p.Message+" "+p.Hint, names) {
			t.Errorf("%q: %v (%+v), want %q named", wanted, err, p, names)
		}
	}
}

// A key that is meant for a well-known address goes to no other.
func TestProviderOf(t *testing.T) {
	configured := settings(t, providers+"[providers.mine]\ntype = \"openai\"\n[providers.anthropic]\ntype = \"anthropic\"\nmodels = [\"c\"]\n").Providers
	for name, want := range map[string]config.Provider{
		"openai":     {Type: "openai", BaseURL: "http://127.0.0.1:2/v1"},
		"near":       {Type: "openai", BaseURL: "http://127.0.0.1:1/v1"},
		"mine":       {Type: "openai", BaseURL: "https://api.openai.com/v1", APIKeyEnv: "OPENAI_API_KEY"},
		"anthropic":  {Type: "anthropic", BaseURL: "https://api.anthropic.com", APIKeyEnv: "ANTHROPIC_API_KEY"},
		"far":        {Type: "anthropic", BaseURL: "https://api.anthropic.com", APIKeyEnv: "FAR_KEY"},
		"openrouter": {Type: "openai", BaseURL: "https://openrouter.ai/api/v1", APIKeyEnv: "OPENROUTER_API_KEY"},
		"ollama":     {Type: "exec"},
	} {
		got, ok := providerOf(configured, name)
		if !ok || got.Type != want.Type || got.BaseURL != want.BaseURL || got.APIKeyEnv != want.APIKeyEnv {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestModelErrors(t *testing.T) {
	for _, c := range []struct {
		flag, says string
		kind       error
	}{
		{"far/both", "FAR_KEY is not set", plumbing.ErrInvalid},
		{"anthropic/c", "ANTHROPIC_API_KEY", plumbing.ErrInvalid},
		{"gone", `no model "gone"`, plumbing.ErrInvalid},
		{"rec", "responses.jsonl", plumbing.ErrNotFound},
	} {
		e, stderr := env(t, providers, map[string]string{"OPENAI_API_KEY": madeUpKey})
		_, err := modelOf(e, c.flag)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error()+stderr.String(), madeUpKey) {
			t.Errorf("%s: %v", c.flag, err)
		}
	}
	e, _ := env(t, "[agent]\nmodel = \"gone/x\"", nil)
	if _, err := modelOf(e, ""); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("a configured model that there is not: %v", err)
	}
}

// The whole way: the key of the named variable, the thinking level, and the flag over the file.
func TestModelAsks(t *testing.T) {
	var authorization, body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		authorization, body = r.Header.Get("Authorization"), string(b)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": "chatcmpl-1", "choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"content": "so"}}}})
	}))
	defer server.Close()
	e, stderr := env(t, "[agent]\nmodel = \"gone\"\nthinking = \"low\"\n[providers.near]\ntype = \"openai\"\nbase_url = \""+server.URL+"/v1\"\napi_key_env = \"NEAR_KEY\"\n",
		map[string]string{"NEAR_KEY": madeUpKey + "\n"})
	r, err := ask(t.Context(), e, "near/small", question(), usage.Answer, nil)
	if err != nil || r.Text() != "so" || r.CallID == "" || r.CallID == "chatcmpl-1" || r.Usage != nil || r.Model != "small" {
		t.Errorf("%+v, %v", r, err)
	}
	if authorization != "Bearer "+madeUpKey || !strings.Contains(body, `"reasoning_effort":"low"`) || strings.Contains(stderr.String(), madeUpKey) {
		t.Errorf("%q, %s, %q", authorization, body, stderr)
	}
}
