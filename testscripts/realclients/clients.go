package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// client is a program from npm that speaks MCP.
type client struct {
	name, pkg string
	configure func(*stage) error                  // writes its settings
	how       func(*stage) invocation             // nil where the client is no agent
	run       func(context.Context, *stage) error // what is done with it
}

func clients() []client {
	return []client{
		{"inspector", "@modelcontextprotocol/inspector", nil, nil, inspect},
		{"claude-code", "@anthropic-ai/claude-code", configureClaude, claude, nil},
		{"codex", "@openai/codex", configureCodex, codex, nil},
		{"gemini-cli", "@google/gemini-cli", configureGemini, gemini, nil},
	}
}

// invocation is how a client is called: a program of its package, and what it needs.
type invocation struct {
	program string
	args    []string
	env     []string
}

func claude(s *stage) invocation {
	return invocation{"claude", []string{"-p", prompt, "--allowedTools", "mcp__lecode"}, []string{
		"ANTHROPIC_BASE_URL=" + s.model.url, "ANTHROPIC_API_KEY=none", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1",
		"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}}
}

func codex(s *stage) invocation {
	return invocation{"codex", []string{"exec", "--skip-git-repo-check", "-s", "read-only", prompt}, []string{"LOCAL_KEY=none"}}
}

func gemini(s *stage) invocation {
	return invocation{"gemini", []string{"-m", "gemini-2.5-flash", "-p", prompt}, []string{
		"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + s.model.url, "GEMINI_CLI_TRUST_WORKSPACE=true"}}
}

// config is what `lecode mcp --print-config` prints for a client.
func (s *stage) config(name string) (string, error) {
	out, err := s.command(s.ctx, nil, s.lecode, append([]string{"mcp", "--print-config", name}, s.flags...)...).Output()
	return string(out), err
}

func (s *stage) write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

func configureClaude(s *stage) error {
	text, err := s.config("claude-code")
	if err != nil {
		return err
	}
	return s.write(filepath.Join(s.project, ".mcp.json"), text)
}

func configureCodex(s *stage) error {
	text, err := s.config("codex")
	if err != nil {
		return err
	}
	return s.write(filepath.Join(s.home, ".codex", "config.toml"), `model = "scripted-1"
model_provider = "local"
approval_policy = "never"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.local]
name = "local"
base_url = "`+s.model.url+`/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`+text)
}

func configureGemini(s *stage) error {
	text, err := s.config("gemini-cli")
	if err != nil {
		return err
	}
	var settings map[string]any
	if err := json.Unmarshal([]byte(text), &settings); err != nil {
		return err
	}
	for _, server := range settings["mcpServers"].(map[string]any) {
		server.(map[string]any)["trust"] = true
	}
	settings["security"] = map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}}
	settings["privacy"] = map[string]any{"usageStatisticsEnabled": false}
	settings["telemetry"] = map[string]any{"enabled": false}
	settings["general"] = map[string]any{"enableAutoUpdate": false, "enableAutoUpdateNotification": false}
	b, err := json.MarshalIndent(settings, "", "  ")
	if err != nil {
		return err
	}
	return s.write(filepath.Join(s.home, ".gemini", "settings.json"), string(b))
}

// converse configures a coding agent for a server with the flags, and runs it with the prompt.
func (s *stage) converse(ctx context.Context, c client, script []call, flags ...string) error {
	s.flags = flags
	if err := c.configure(s); err != nil {
		return fmt.Errorf("configure: %w", err)
	}
	s.model.begin(script)
	i := c.how(s)
	out, err := s.command(ctx, i.env, s.program(c.pkg, i.program), i.args...).CombinedOutput()
	if s.verbose {
		fmt.Printf("--- %s said\n%s\n--- its model was told\n", i.program, out)
		for n, r := range s.model.results {
			fmt.Printf("%d: %s\n", n+1, r)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, last(string(out)))
	}
	if !strings.Contains(string(out), goodbye) {
		return fmt.Errorf("it does not print its model's last word, but %q", last(string(out)))
	}
	if len(s.model.results) != len(script) {
		return fmt.Errorf("%d of %d calls were answered", len(s.model.results), len(script))
	}
	return nil
}

// agent has both conversations with a coding agent, and judges what its model was told.
func (s *stage) agent(ctx context.Context, c client) error {
	if err := s.converse(ctx, c, s.model.reading()); err != nil {
		return err
	}
	if err := s.judge(); err != nil {
		return err
	}
	if err := s.converse(ctx, c, s.model.correcting(), "--allow", "write"); err != nil {
		return err
	}
	text := s.model.results[0]
	fmt.Printf("               a correction without evidence: %s\n", brief(text))
	if !strings.Contains(text, "no session") {
		return fmt.Errorf("a correction without evidence was not refused by lecode: %s", brief(text))
	}
	if c.name == "claude-code" {
		if err := s.followed(ctx, c); err != nil {
			return err
		}
	}
	return s.unwritten()
}

// followed lets Claude Code recall what it is being asked, from its own transcript.
func (s *stage) followed(ctx context.Context, c client) error {
	const id = "6f1c2a54-7f0e-4b7e-9c1a-3f6b8d2e5a10"
	folder := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, s.project)
	file := filepath.Join(s.home, ".claude", "projects", folder, id+".jsonl")
	how := c.how
	c.how = func(s *stage) invocation {
		i := how(s)
		i.args = append(i.args, "--session-id", id)
		return i
	}
	if err := s.converse(ctx, c, s.model.following(id), "--follow", file); err != nil {
		return fmt.Errorf("followed: %w", err)
	}
	text := s.model.results[1]
	fmt.Printf("               its own transcript: %s\n", brief(text))
	if !strings.Contains(text, prompt) {
		return fmt.Errorf("it cannot recall from its own transcript: %s", brief(text))
	}
	return nil
}

// judge looks at what the model was offered and told, and at the memory after it.
func (s *stage) judge() error {
	s.model.mu.Lock()
	defer s.model.mu.Unlock()
	var all []error
	want := func(ok bool, format string, a ...any) {
		if !ok {
			all = append(all, fmt.Errorf(format, a...))
		}
	}
	offered := strings.Join(s.model.tools, " ")
	for _, name := range []string{"memory_read", "memory_search", "memory_recall", "memory_list"} {
		want(strings.Contains(offered, name), "the model was not offered %s", name)
	}
	want(!strings.Contains(offered, "memory_write"), "the model was offered a writer")
	want(len(s.model.bad) == 0, "requests were not understood: %v", s.model.bad)
	for i, r := range s.model.results {
		text := strings.ReplaceAll(r, `\`, "")
		switch i {
		case 0:
			want(strings.Contains(text, s.fact) && strings.Contains(text, `"valid"`), "memory_list: %s", brief(text))
		case 1:
			want(strings.Contains(text, rule) && strings.Contains(text, `"status":"valid"`), "memory_recall: %s", brief(text))
		case 2:
			fmt.Printf("               a writer that is not offered: %s\n", brief(text))
		}
	}
	return errors.Join(append(all, s.unwritten())...)
}

// unwritten makes sure that no note came into being, and that the fact is as it was.
func (s *stage) unwritten() error {
	found, err := filepath.Glob(filepath.Join(s.home, ".config", "lecode", "memory", "*", "*.md"))
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("a note was written: %s", found[0])
	}
	if err != nil {
		return err
	}
	out, err := s.command(s.ctx, nil, s.lecode, "recall", s.fact).Output()
	if err == nil && !strings.Contains(string(out), `"revision":1`) {
		err = fmt.Errorf("the fact was changed: %s", brief(string(out)))
	}
	return err
}

func brief(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 160 {
		text = text[:160] + "…"
	}
	return text
}

// inspect uses the protocol's own inspector, which calls any tool by name, so that a writer reaches the server.
func inspect(ctx context.Context, s *stage) error {
	for _, step := range []struct {
		args []string
		want []string
	}{
		{[]string{"--method", "tools/list"}, []string{"memory_recall", "memory_search"}},
		{[]string{"--method", "tools/call", "--tool-name", "memory_list"}, []string{s.fact}},
		{[]string{"--method", "tools/call", "--tool-name", "memory_recall", "--tool-arg", "fact_id=" + s.fact}, []string{rule, "valid"}},
		{[]string{"--method", "tools/call", "--tool-name", "memory_write", "--tool-arg", "file=MEMORY.md", "content=x", "mode=append"}, []string{"--allow write"}},
		{[]string{"--method", "resources/list"}, []string{"lecode://fact/" + s.fact, "lecode://facts"}},
		{[]string{"--method", "resources/read", "--uri", "lecode://fact/" + s.fact}, []string{rule}},
		{[]string{"--method", "prompts/get", "--prompt-name", "memory"}, []string{rule}},
	} {
		args := append([]string{"--cli", s.lecode, "mcp"}, step.args...)
		out, err := s.command(ctx, nil, s.program("@modelcontextprotocol/inspector", "mcp-inspector"), args...).CombinedOutput()
		if s.verbose {
			fmt.Printf("--- %v: %v\n%s\n", step.args, err, out)
		}
		for _, want := range step.want {
			if !strings.Contains(string(out), want) {
				return fmt.Errorf("%v does not print %q, but %s (%v)", step.args, want, brief(string(out)), err)
			}
		}
	}
	return s.unwritten()
}

// versionOf reads the version of an installed package.
func versionOf(file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		return "?"
	}
	var p struct{ Version string }
	if json.Unmarshal(b, &p) != nil {
		return "?"
	}
	return p.Version
}
