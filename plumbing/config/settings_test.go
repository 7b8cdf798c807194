package config

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// line is a setting in short.
type line struct {
	key, value, origin string
	at                 int64
}

func short(list []Setting) []line {
	var out []line
	for _, s := range list {
		l := line{key: s.Key, value: s.Value, origin: s.Origin}
		if s.Line != nil {
			l.at = *s.Line
		}
		out = append(out, l)
	}
	return out
}

func TestSettings(t *testing.T) {
	c, err := load(t, `[permissions]
write = "ask"
bash = "deny"
[providers.b]
type = "offline"
[providers.a]
command = ["x", "--y"]
type = "exec"
[[hooks]]
event = "stop"
command = ["say", "a \"b\"\n\u0007\\"]
[[chains.review.phases]]
prompt = "read"
[mcp.files]
env = {TOKEN = "s3cret", A = ""}
command = ["x"]
`, "[agent]\n# so\nmodel = \"m\"\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []line{
		{"agent.model", `"m"`, FromProject, 3},
		{"agent.thinking", `"off"`, FromDefault, 0},
		{"agent.context_window", "32768", FromDefault, 0},
		{"agent.max_turns", "100", FromDefault, 0},
		{"memory.enabled", "true", FromDefault, 0},
		{"memory.max_bytes", "32768", FromDefault, 0},
		{"memory.auto_learn", "false", FromDefault, 0},
		{"memory.facts_max_bytes", "8192", FromDefault, 0},
		{"memory.max_tokens_per_day", "", FromDefault, 0},
		{"compaction.buffer_tokens", "8192", FromDefault, 0},
		{"compaction.mid_turn_threshold", "", FromDefault, 0},
		{"privacy.mask_secrets", "true", FromDefault, 0},
		{"permissions.bash", `"deny"`, FromUser, 3},
		{"permissions.write", `"ask"`, FromUser, 2},
		{"providers.a.type", `"exec"`, FromUser, 8},
		{"providers.a.command", `["x", "--y"]`, FromUser, 7},
		{"providers.b.type", `"offline"`, FromUser, 5},
		{"hooks[0].event", `"stop"`, FromUser, 10},
		{"hooks[0].command", `["say", "a \"b\"\n\u0007\\"]`, FromUser, 11},
		{"hooks[0].timeout_seconds", "60", FromDefault, 0},
		{"chains.review.phases[0].prompt", `"read"`, FromUser, 13},
		{"chains.review.phases[0].mode", `"default"`, FromDefault, 0},
		{"mcp.files.command", `["x"]`, FromUser, 16},
		{"mcp.files.env", `["A", "TOKEN"]`, FromUser, 15},
		{"mcp.files.timeout_seconds", "60", FromDefault, 0},
		{"mcp.files.class", `"network"`, FromDefault, 0},
		{"mcp.files.enabled", "true", FromDefault, 0},
	}
	if diff := cmp.Diff(want, short(c.Settings()), cmp.AllowUnexported(line{})); diff != "" {
		t.Error(diff)
	}
}

func TestSettingJSON(t *testing.T) {
	dir := write(t, "[memory]\nmax_tokens_per_day = 5\n", "")
	c, err := Load(Options{ConfigDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	file, _ := json.Marshal(filepath.Join(dir, "config.toml"))
	for key, want := range map[string]string{
		"memory.max_tokens_per_day":     `{"key":"memory.max_tokens_per_day","value":5,"origin":"user","file":` + string(file) + `,"line":2}`,
		"compaction.mid_turn_threshold": `{"key":"compaction.mid_turn_threshold","value":null,"origin":"default","file":null,"line":null}`,
		"memory.enabled":                `{"key":"memory.enabled","value":true,"origin":"default","file":null,"line":null}`,
	} {
		for _, s := range c.Settings() {
			if s.Key != key {
				continue
			}
			if got, err := json.Marshal(s); err != nil || string(got) != want {
				t.Errorf("%s, %v; want %s", got, err, want)
			}
		}
	}
}
