package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lecode/lecode/plumbing"
)

const slug = "kettle-200cff94a2a9"

// write puts the two files into a new <config_dir>; an empty one is not made.
func write(t testing.TB, user, project string) string {
	t.Helper()
	dir := t.TempDir()
	for path, text := range map[string]string{"config.toml": user, "memory/" + slug + "/config.toml": project} {
		if text == "" {
			continue
		}
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t testing.TB, user, project string) (*Config, error) {
	t.Helper()
	return Load(Options{ConfigDir: write(t, user, project), Slug: slug})
}

func ptr[T any](v T) *T { return &v }

func defaults() Config {
	return Config{
		Agent:       Agent{Model: "offline", Thinking: "off", ContextWindow: 32768, MaxTurns: 100},
		Memory:      Memory{Enabled: true, MaxBytes: 32768, FactsMaxBytes: 8192},
		Compaction:  Compaction{BufferTokens: 8192},
		Privacy:     Privacy{MaskSecrets: true},
		Permissions: map[string]string{}, Providers: map[string]Provider{}, Chains: map[string]Chain{}, MCP: map[string]Server{},
	}
}

const everything = `
[agent]
model = "local/small"
thinking = "high"
context_window = 8_192
max_turns = 7
[memory]
enabled = false
max_bytes = 1000
auto_learn = true
facts_max_bytes = 0
max_tokens_per_day = 50_000
[compaction]
buffer_tokens = 100
mid_turn_threshold = 0.75
[privacy]
mask_secrets = false
[permissions]
bash = "deny"
"mcp.files.read" = "allow"
"bash:go test" = "allow"
"bash:>" = "ask"
[providers.local]
type = "openai"
base_url = "http://127.0.0.1:8080/v1"
api_key_env = "LOCAL_KEY"
models = ["small", "large"]
[providers.script]
type = "exec"
command = ["/bin/answer", "--plain", ""]
`

func TestLoad(t *testing.T) {
	user := everything + `
[[hooks]]
event = "before_tool"
command = ["check"]
[[hooks]]
event = "stop"
command = ["note", "it"]
timeout_seconds = 5
[chains.review]
phases = [{prompt = "read it", mode = "readonly"}, {prompt = "mend it"}]
[mcp.files]
command = ["files-server"]
env = {ROOT = "/srv", TOKEN = "s3cret"}
[mcp.web]
url = "https://example.com/mcp"
timeout_seconds = 9
class = "read"
tools = ["a", "b"]
enabled = false
`
	want := Config{
		Agent:       Agent{Model: "local/small", Thinking: "high", ContextWindow: 8192, MaxTurns: 7},
		Memory:      Memory{MaxBytes: 1000, AutoLearn: true, MaxTokensPerDay: ptr(int64(50_000))},
		Compaction:  Compaction{BufferTokens: 100, MidTurnThreshold: ptr(0.75)},
		Permissions: map[string]string{"bash": "deny", "mcp.files.read": "allow", "bash:go test": "allow", "bash:>": "ask"},
		Providers: map[string]Provider{
			"local":  {Type: "openai", BaseURL: "http://127.0.0.1:8080/v1", APIKeyEnv: "LOCAL_KEY", Models: []string{"small", "large"}},
			"script": {Type: "exec", Command: []string{"/bin/answer", "--plain", ""}},
		},
		Hooks: []Hook{
			{Event: "before_tool", Command: []string{"check"}, TimeoutSeconds: 60},
			{Event: "stop", Command: []string{"note", "it"}, TimeoutSeconds: 5},
		},
		Chains: map[string]Chain{"review": {Phases: []Phase{{Prompt: "read it", Mode: "readonly"}, {Prompt: "mend it", Mode: "default"}}}},
		MCP: map[string]Server{
			"files": {Command: []string{"files-server"}, Env: map[string]string{"ROOT": "/srv", "TOKEN": "s3cret"}, TimeoutSeconds: 60, Class: "network", Enabled: true},
			"web":   {URL: "https://example.com/mcp", TimeoutSeconds: 9, Class: "read", Tools: []string{"a", "b"}},
		},
	}
	for name, files := range map[string][2]string{
		"user": {user, ""}, "project": {"", user}, "both": {user, user},
		"CRLF": {strings.ReplaceAll(user, "\n", "\r\n"), ""}, "BOM": {"\ufeff" + user, ""},
		"no newline at the end": {strings.TrimSpace(user), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := load(t, files[0], files[1])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, *got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadNothing(t *testing.T) {
	for name, opts := range map[string]Options{
		"no directory": {}, "missing": {ConfigDir: filepath.Join(t.TempDir(), "nope"), Slug: slug}, "empty": {ConfigDir: t.TempDir(), Slug: slug},
		"empty files":       {ConfigDir: write(t, "\n", "# nothing\n"), Slug: slug},
		"empty tables":      {ConfigDir: write(t, "[agent]\n[memory]\n[permissions]\n[providers]\n[chains]\n[mcp]\n", "hooks = []\n"), Slug: slug},
		"a file in the way": {ConfigDir: filepath.Join(write(t, "x", ""), "config.toml"), Slug: slug},
		"environment":       {Env: env("LECODE_MEMORY_ENABLED", "", "LECODE_CONFIG_DIR", "x", "LECODE_READONLY", "1", "LECODE_MADE_UP", "y")},
	} {
		got, err := Load(opts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(defaults(), *got, cmpopts.IgnoreUnexported(Config{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The stronger value counts, and says where it came from.
func TestOrder(t *testing.T) {
	dir := write(t, "[memory]\nmax_bytes = 1\nfacts_max_bytes = 1\nenabled = false\nauto_learn = true\n", "[memory]\nmax_bytes = 2\n\nfacts_max_bytes = 2\nenabled = true\n")
	c, err := Load(Options{
		ConfigDir: dir, Slug: slug,
		Env:   env("LECODE_MEMORY_MAX_BYTES", "3", "LECODE_MEMORY_FACTS_MAX_BYTES", "3"),
		Flags: map[string]string{"memory.max_bytes": "4"},
	})
	if err != nil {
		t.Fatal(err)
	}
	userFile, projectFile := filepath.Join(dir, "config.toml"), filepath.Join(dir, "memory", slug, "config.toml")
	want := []Setting{
		{Key: "memory.enabled", Value: "true", Data: true, Origin: FromProject, File: &projectFile, Line: ptr(int64(5))},
		{Key: "memory.max_bytes", Value: "4", Data: int64(4), Origin: FromFlag},
		{Key: "memory.auto_learn", Value: "true", Data: true, Origin: FromUser, File: &userFile, Line: ptr(int64(5))},
		{Key: "memory.facts_max_bytes", Value: "3", Data: int64(3), Origin: FromEnvironment},
		{Key: "memory.max_tokens_per_day", Origin: FromDefault},
		{Key: "compaction.buffer_tokens", Value: "8192", Data: int64(8192), Origin: FromDefault},
	}
	if diff := cmp.Diff(want, c.Settings()[4:10]); diff != "" {
		t.Error(diff)
	}
	if other, err := Load(Options{ConfigDir: dir, Slug: "other-000000000000"}); err != nil || other.Memory.MaxBytes != 1 || other.Memory.Enabled {
		t.Errorf("another project: %+v, %v", other, err)
	}
}

// Tables are merged key by key; any other value is replaced whole.
func TestMerge(t *testing.T) {
	user := `
[permissions]
bash = "ask"
read = "allow"
[providers.a]
type = "openai"
models = ["x", "y"]
api_key_env = "KEY"
[[hooks]]
event = "stop"
command = ["one"]
[[hooks]]
event = "prompt"
command = ["two"]
[chains.c]
phases = [{prompt = "1"}, {prompt = "2"}]
[mcp.m]
command = ["m"]
env = {A = "1"}
`
	project := `
[permissions]
bash = "deny"
[providers.a]
models = ["z"]
[[hooks]]
event = "stop"
command = ["three"]
[[chains.c.phases]]
prompt = "3"
[mcp.m]
env = {B = "2"}
[mcp.n]
url = "http://localhost"
`
	c, err := load(t, user, project)
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.Permissions = map[string]string{"bash": "deny", "read": "allow"}
	want.Providers = map[string]Provider{"a": {Type: "openai", Models: []string{"z"}, APIKeyEnv: "KEY"}}
	want.Hooks = []Hook{{Event: "stop", Command: []string{"three"}, TimeoutSeconds: 60}}
	want.Chains = map[string]Chain{"c": {Phases: []Phase{{Prompt: "3", Mode: "default"}}}}
	want.MCP = map[string]Server{"m": {Command: []string{"m"}, Env: map[string]string{"B": "2"}, TimeoutSeconds: 60, Class: "network", Enabled: true},
		"n": {URL: "http://localhost", TimeoutSeconds: 60, Class: "network", Enabled: true}}
	if diff := cmp.Diff(want, *c, cmpopts.IgnoreUnexported(Config{})); diff != "" {
		t.Error(diff)
	}
	c, err = load(t, user, "hooks = []\n")
	if err != nil || len(c.Hooks) != 0 {
		t.Errorf("hooks taken away: %v, %v", c, err)
	}
	for _, s := range c.Settings() {
		if strings.HasPrefix(s.Key, "hooks[") {
			t.Errorf("listed: %+v", s)
		}
	}
}

// mustFail checks an error's kind, message and way out; none of them shows a value.
func mustFail(t *testing.T, err, kind error, message, hint string) {
	t.Helper()
	var e *plumbing.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) {
		t.Fatalf("error %v, want kind %q", err, kind)
	}
	if !strings.Contains(e.Message, message) {
		t.Errorf("message %q, want %q in it", e.Message, message)
	}
	if e.Hint == "" || !strings.Contains(e.Hint, hint) {
		t.Errorf("hint %q, want %q in it", e.Hint, hint)
	}
	if strings.Contains(e.Message+e.Hint, "s3cret") {
		t.Errorf("a value is shown: %q, %q", e.Message, e.Hint)
	}
}
