package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

func TestInvalid(t *testing.T) {
	tests := []struct {
		name, text    string
		message, hint string // parts of them; the message also names file and line
	}{
		// unknown keys, and the nearest known one
		{"a letter left out", "[memory]\nenabld = true\n", `line 2: unknown key "memory.enabld"`, `"memory.enabled"`},
		{"capitals", "[memory]\nEnabled = true\n", `line 2: unknown key "memory.Enabled"`, `"memory.enabled"`},
		{"a dash", "[memory]\nmax-bytes = 1\n", `line 2: unknown key "memory.max-bytes"`, `"memory.max_bytes"`},
		{"in the wrong table", "[agent]\nfacts_max_bytes = 1\n", `line 2: unknown key "agent.facts_max_bytes"`, `"memory.facts_max_bytes"`},
		{"in no table", "\n\nauto_learn = true\n", `line 3: unknown key "auto_learn"`, `"memory.auto_learn"`},
		{"a table", "[memroy]\nenabled = true\n", `line 1: unknown key "memroy"`, `"memory"`},
		{"a table's capitals", "[Memory]\n", `line 1: unknown key "Memory"`, `"memory"`},
		{"a dotted key", "# x\nmemory.enable = true\n", `line 2: unknown key "memory.enable"`, `"memory.enabled"`},
		{"an inline table", "memory = {enabled = true, max_byte = 1}\n", `line 1: unknown key "memory.max_byte"`, `"memory.max_bytes"`},
		{"a quoted key", "[memory]\n\"enab led\" = true\n", `unknown key "memory.enab led"`, `"memory.enabled"`},
		{"an empty key", "[memory]\n\"\" = true\n", `unknown key "memory."`, "nearest"},
		{"of a provider", "[providers.a]\ntype = \"openai\"\nbaseurl = \"x\"\n", `line 3: unknown key "providers.a.baseurl"`, `"providers.a.base_url"`},
		{"a pasted key", "[providers.a]\napi_key = \"s3cret\"\n", `line 2: unknown key "providers.a.api_key"`, `"providers.a.api_key_env"`},
		{"of a hook", "[[hooks]]\nevent=\"stop\"\ncommand=[\"x\"]\n[[hooks]]\nevents = \"stop\"\n", `line 5: unknown key "hooks[1].events"`, `"hooks[1].event"`},
		{"of a chain", "[chains.a]\nphase = 1\n", `line 2: unknown key "chains.a.phase"`, `"chains.a.phases"`},
		{"of a phase", "[[chains.a.phases]]\nprompt=\"x\"\n[[chains.a.phases]]\n\npromt=\"x\"\n", `line 5: unknown key "chains.a.phases[1].promt"`, `"chains.a.phases[1].prompt"`},
		{"of a phase in a line", "[chains.a]\nphases = [\n {prompt=\"x\"},\n {promt=\"x\"}]\n", `line 4: unknown key "chains.a.phases[1].promt"`, `"chains.a.phases[1].prompt"`},
		{"of a server", "[mcp.a]\nuri = \"x\"\n", `line 2: unknown key "mcp.a.uri"`, `"mcp.a.url"`},
		{"the first of several", "[memory]\nzzz = 1\naaa = 2\n", `line 2: unknown key "memory.zzz"`, "nearest"},

		// types and ranges
		{"a boolean in quotes", "[memory]\nenabled = \"false\"\n", "line 2: memory.enabled must be true or false", "correct"},
		{"a number for a boolean", "[memory]\n\nenabled = 0\n", "line 3: memory.enabled must be true or false", ""},
		{"too small", "[memory]\nmax_bytes = -1\n", "line 2: memory.max_bytes must be a whole number from 0 to 1048576", ""},
		{"too big", "[memory]\nfacts_max_bytes = 65537\n", "line 2: memory.facts_max_bytes must be a whole number from 0 to 65536", ""},
		{"a fraction", "[memory]\nmax_bytes = 1.0\n", "line 2: memory.max_bytes must be a whole number", ""},
		{"too big for a machine", "[memory]\nmax_bytes = 99999999999999999999\n", "line 2", ""},
		{"not a number", "[compaction]\nmid_turn_threshold = nan\n", "line 2: compaction.mid_turn_threshold must be a number from 0 to 1", ""},
		{"infinite", "[compaction]\nmid_turn_threshold = inf\n", "line 2: compaction.mid_turn_threshold must be a number from 0 to 1", ""},
		{"over one", "[compaction]\nmid_turn_threshold = 80\n", "line 2: compaction.mid_turn_threshold must be a number from 0 to 1", ""},
		{"a word that is none", "[agent]\nthinking = \"lots\"\n", `line 2: agent.thinking must be one of "off", "low", "medium", "high"`, ""},
		{"a date", "[agent]\nmodel = 2026-01-01\n", "line 2: agent.model must be the name of a model", ""},
		{"an empty name", "[agent]\nmodel = \"\"\n", "line 2: agent.model must be", ""},
		{"an escape in a name", "[agent]\nmodel = \"a\\u001b[2J\"\n", "line 2: agent.model must be", ""},
		{"a permission", "[permissions]\nbash = \"maybe\"\n", `line 2: permissions.bash must be one of "allow", "ask", "deny"`, ""},
		{"a permission that is a table", "[permissions.bash]\nx = 1\n", `line 1: permissions.bash must be one of`, ""},
		{"a command without words", "[permissions]\n\"bash:\" = \"ask\"\n", `line 2: permissions."bash:" is not the name of a tool`, `"bash:" and the first words`},
		{"a command after a space", "[permissions]\n\"bash: git\" = \"ask\"\n", `line 2: permissions."bash: git" is not`, "one space apart"},
		{"a command with two spaces", "[permissions]\n\"bash:git  push\" = \"ask\"\n", `line 2: permissions."bash:git  push" is not`, "one space apart"},
		{"a command with a wildcard", "[permissions]\n\"bash:git *\" = \"ask\"\n", `line 2: permissions."bash:git *" is not`, "without wildcards"},
		{"a command with quotes", "[permissions]\n'bash:git \"push\"' = \"ask\"\n", `line 2: permissions."bash:git \"push\"" is not`, ""},
		{"two commands", "[permissions]\n\"bash:git push; ls\" = \"ask\"\n", `line 2: permissions."bash:git push; ls" is not`, ""},
		{"a command with an escape", "[permissions]\n\"bash:git\\u001b[2J\" = \"ask\"\n", `line 2: permissions."bash:git\x1b[2J" is not`, ""},
		{"a command with what is not seen", "[permissions]\n\"bash:git\\u202e\" = \"ask\"\n", `line 2: permissions."bash:git\u202e" is not`, ""},
		{"a tool with a space", "[permissions]\n\"git push\" = \"ask\"\n", `line 2: permissions."git push" is not the name of a tool`, ""},
		{"a command that may be anything", "[permissions]\n\"bash:git push\" = \"maybe\"\n", `line 2: permissions.bash:git push must be one of "allow", "ask", "deny"`, ""},
		{"a type of provider", "[providers.a]\ntype = \"s3cret\"\n", "line 2: providers.a.type must be one of", ""},
		{"a URL", "[providers.a]\nbase_url = \"ftp://x\"\n", "line 2: providers.a.base_url must be an http or https URL", ""},
		{"a URL with a password", "[providers.a]\nbase_url = \"https://me:s3cret@x\"\n", "line 2: providers.a.base_url must be", "correct"},
		{"a key instead of its variable", "[providers.a]\napi_key_env = \"sk-s3cret\"\n", "line 2: providers.a.api_key_env must be the name of an environment variable", ""},
		{"a command in one string", "[providers.a]\ncommand = \"x y\"\n", "line 2: providers.a.command must be a list of strings", ""},
		{"a command with a number", "[providers.a]\ncommand = [\"x\", 1]\n", "line 2: providers.a.command must be a list of strings", ""},
		{"a command without a program", "[providers.a]\ncommand = [\"\", \"x\"]\n", "line 2: providers.a.command must be a list of strings", ""},
		{"an event", "[[hooks]]\nevent = \"start\"\n", "line 2: hooks[0].event must be one of", ""},
		{"a time limit", "[[hooks]]\ntimeout_seconds = 0\n", "line 2: hooks[0].timeout_seconds must be a whole number from 1 to 3600", ""},
		{"a mode", "[[chains.a.phases]]\nmode = \"x\"\n", "line 2: chains.a.phases[0].mode must be one of", ""},
		{"a class of tools", "[mcp.a]\nclass = \"none\"\n", `line 2: mcp.a.class must be one of "read", "write", "execute", "network"`, ""},
		{"tools", "[mcp.a]\ntools = \"read\"\n", "line 2: mcp.a.tools must be", ""},
		{"variables", "[mcp.a]\nenv = {\"A B\" = \"s3cret\"}\n", "line 2: mcp.a.env must be a table of environment variables", ""},
		{"a section that is a value", "memory = true\n", "line 1: memory must be a table: [memory]", ""},
		{"a section that is a list", "[[memory]]\n", "memory must be a table: [memory]", ""},
		{"hooks that are a table", "[hooks]\nevent = \"stop\"\n", "line 1: hooks must be a list of tables: [[hooks]]", ""},
		{"hooks that are words", "hooks = [\"x\"]\n", "hooks[0] must be a table", ""},
		{"a provider that is a value", "[providers]\na = 1\n", "line 2: providers.a must be a table", ""},
		{"a NAME", "[providers.\"a/b\"]\ntype = \"openai\"\n", "line 1: providers.a/b must have a NAME", ""},
		{"a NAME of a chain", "[chains.\"-a\"]\n", "line 1: chains.-a must have a NAME", ""},

		// entries that lack a part
		{"a provider without a type", "\n[providers.a]\nmodels = []\n", "line 2: providers.a must have a type", ""},
		{"exec without a command", "[providers.a]\ntype = \"exec\"\n", "line 1: providers.a is of type exec and must have a command", ""},
		{"a command without exec", "[providers.a]\ntype = \"openai\"\ncommand = [\"x\"]\n", "line 1: providers.a must not have a command", ""},
		{"a script without a file", "[providers.a]\ntype = \"script\"\n", "line 1: providers.a is of type script and must have a command of one word", ""},
		{"a script with two files", "[providers.a]\ntype = \"script\"\ncommand = [\"a\", \"b\"]\n", "line 1: providers.a is of type script and must have a command of one word", ""},
		{"a hook without a command", "[[hooks]]\nevent = \"stop\"\n", "line 1: hooks[0] must have an event and a command", ""},
		{"a chain without phases", "\n\n[chains.a]\n", "line 3: chains.a must have phases", ""},
		{"a phase without a prompt", "[chains.a]\nphases = [{mode=\"auto\"}]\n", "chains.a.phases[0] must have a prompt", ""},
		{"a server without anything", "[mcp.a]\n", "line 1: mcp.a must have a command or a url", ""},
		{"a server with both", "[mcp.a]\nurl = \"http://x\"\ncommand = [\"x\"]\n", "line 1: mcp.a must have a command or a url", ""},

		// TOML itself
		{"a duplicate key", "[memory]\nenabled = true\nenabled = false\n", "line 3", "correct"},
		{"a duplicate key, quoted", "[memory]\nenabled = true\n\"enabled\" = false\n", "line 3", ""},
		{"a duplicate key, escaped", "[memory]\nenabled = true\n\"enabl\\u0065d\" = false\n", "line 3", ""},
		{"a duplicate key in a line", "memory = {enabled = true, enabled = true}\n", "line 1", ""},
		{"a duplicate table", "[memory]\n[agent]\n[memory]\n", "line 3", ""},
		{"a table over a dotted key", "memory.enabled = true\n[memory]\n", "line 2", ""},
		{"no value", "[memory]\nenabled =\n", "line 2", ""},
		{"not closed", "[memory\n", "line 1", ""},
		{"JSON", `{"memory":{"enabled":false}}`, "line 1", ""},
		{"not UTF-8", "[agent]\nmodel = \"\xff\"\n", "is not TOML", ""},
		{"UTF-16", "\xff\xfe[\x00a\x00]\x00", "is not TOML", ""},
		{"a NUL", "[memory]\x00\n", "line 1", ""},
		{"two BOMs", "\ufeff\ufeff[memory]\n", "line 1", ""},
		{"deep", "x = " + strings.Repeat("[", 100_000), "is not TOML", ""},
		{"deep and closed", "x = " + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), "", ""},
		{"too long", "# " + strings.Repeat("x", MaxFile), "is longer than 262144 bytes", "shorter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := write(t, tt.text, "")
			_, err := Load(Options{ConfigDir: dir, Slug: slug})
			mustFail(t, err, plumbing.ErrInvalid, tt.message, tt.hint)
			if file := filepath.Join(dir, "config.toml"); !strings.Contains(err.Error(), quote(file)) {
				t.Errorf("%q does not name %q", err, file)
			}
			_, err = load(t, "", tt.text)
			mustFail(t, err, plumbing.ErrInvalid, filepath.Join("memory", slug, "config.toml"), tt.hint)
		})
	}
}

func TestInvalidOverrides(t *testing.T) {
	for _, tt := range []struct {
		opts          Options
		message, hint string
	}{
		{Options{Env: env("LECODE_MEMORY_ENABLED", "maybe")}, "the variable LECODE_MEMORY_ENABLED must be true or false", "unset"},
		{Options{Env: env("LECODE_MEMORY_MAX_BYTES", "1e3")}, "LECODE_MEMORY_MAX_BYTES must be a whole number from 0", ""},
		{Options{Env: env("LECODE_MEMORY_MAX_TOKENS_PER_DAY", "-1")}, "LECODE_MEMORY_MAX_TOKENS_PER_DAY must be", ""},
		{Options{Env: env("LECODE_AGENT_THINKING", "s3cret")}, "LECODE_AGENT_THINKING must be one of", ""},
		{Options{Env: env("LECODE_COMPACTION_MID_TURN_THRESHOLD", "NaN")}, "must be a number from 0 to 1", ""},
		{Options{Flags: map[string]string{"memory.enabled": ""}}, "memory.enabled must be true or false", "flag"},
		{Options{Flags: map[string]string{"memory.enabel": "true"}}, `unknown key "memory.enabel"`, `"memory.enabled"`},
		{Options{Flags: map[string]string{"permissions.bash": "allow"}}, `unknown key "permissions.bash"`, "nearest"},
		{Options{ConfigDir: "/nope", Slug: "../x"}, `"../x" is not a project's slug`, "lecode slug"},
		{Options{ConfigDir: "/nope", Slug: ".."}, `".." is not a project's slug`, ""},
	} {
		_, err := Load(tt.opts)
		mustFail(t, err, plumbing.ErrInvalid, tt.message, tt.hint)
	}
}

func TestOverrides(t *testing.T) {
	c, err := Load(Options{
		Env: env("LECODE_MEMORY_ENABLED", "0", "LECODE_AGENT_MODEL", "m", "LECODE_COMPACTION_MID_TURN_THRESHOLD", "0.5",
			"LECODE_MEMORY_MAX_TOKENS_PER_DAY", "10", "LECODE_PRIVACY_MASK_SECRETS", "false"),
		Flags: map[string]string{"agent.model": "n", "agent.max_turns": "3"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Memory.Enabled || c.Agent.Model != "n" || *c.Compaction.MidTurnThreshold != 0.5 || *c.Memory.MaxTokensPerDay != 10 ||
		c.Privacy.MaskSecrets || c.Agent.MaxTurns != 3 {
		t.Errorf("%+v", c)
	}
}

// Every key has a variable of its own, and none is one that means something else.
func TestVariables(t *testing.T) {
	seen := map[string]bool{"LECODE_CONFIG_DIR": true, "LECODE_CACHE_DIR": true, "LECODE_ERRORS": true, "LECODE_READONLY": true}
	for _, key := range (&Config{}).plainKeys() {
		if v := Variable(key); seen[v] {
			t.Errorf("%s twice", v)
		} else {
			seen[v] = true
		}
	}
	if !seen["LECODE_MEMORY_FACTS_MAX_BYTES"] {
		t.Error("LECODE_MEMORY_FACTS_MAX_BYTES sets nothing")
	}
}
