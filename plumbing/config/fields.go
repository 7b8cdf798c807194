package config

import (
	"net/url"
	"strings"
	"unicode"
)

// field is one key of a table: where its value goes and what it may be.
type field struct {
	name string
	// to is *bool, *int64, **int64, *float64, **float64, *string, *[]string
	// or *map[string]string; a pointer to a pointer is a key without default.
	to       any
	min, max int64    // of a whole number
	words    []string // that a string may be; empty: any
	must     string   // what a string must be, if check says that it is not
	check    func(string) bool
}

// section is a table whose keys are all known.
type section struct {
	name   string
	fields []field
}

// sections are the tables of plain settings, which variables and flags may set too.
func (c *Config) sections() []section {
	return []section{
		{"agent", []field{
			{name: "model", to: &c.Agent.Model, must: "the name of a model", check: isName},
			{name: "thinking", to: &c.Agent.Thinking, words: []string{"off", "low", "medium", "high"}},
			{name: "context_window", to: &c.Agent.ContextWindow, min: 1024, max: 100_000_000},
			{name: "max_turns", to: &c.Agent.MaxTurns, min: 1, max: 10_000},
		}},
		{"memory", []field{
			{name: "enabled", to: &c.Memory.Enabled},
			{name: "max_bytes", to: &c.Memory.MaxBytes, min: 0, max: 1 << 20},
			{name: "auto_learn", to: &c.Memory.AutoLearn},
			{name: "facts_max_bytes", to: &c.Memory.FactsMaxBytes, min: 0, max: 65_536},
			{name: "max_tokens_per_day", to: &c.Memory.MaxTokensPerDay, min: 0, max: 1_000_000_000_000},
		}},
		{"compaction", []field{
			{name: "buffer_tokens", to: &c.Compaction.BufferTokens, min: 0, max: 100_000_000},
			{name: "mid_turn_threshold", to: &c.Compaction.MidTurnThreshold, min: 0, max: 1},
		}},
		{"privacy", []field{
			{name: "mask_secrets", to: &c.Privacy.MaskSecrets},
		}},
	}
}

func (c *Config) setDefaults() {
	c.Agent = Agent{Model: "offline", Thinking: "off", ContextWindow: 32_768, MaxTurns: 100}
	c.Memory = Memory{Enabled: true, MaxBytes: 32_768, FactsMaxBytes: 8_192}
	c.Compaction = Compaction{BufferTokens: 8_192}
	c.Privacy = Privacy{MaskSecrets: true}
	c.Permissions = map[string]string{}
	c.Providers = map[string]Provider{}
	c.Chains = map[string]Chain{}
	c.MCP = map[string]Server{}
}

func providerFields(p *Provider) []field {
	return []field{
		{name: "type", to: &p.Type, words: []string{"offline", "script", "exec", "openai", "anthropic"}},
		{name: "base_url", to: &p.BaseURL, must: "an http or https URL without a password in it", check: isURL},
		{name: "api_key_env", to: &p.APIKeyEnv, must: "the name of an environment variable (not the key itself)", check: isVariable},
		{name: "command", to: &p.Command},
		{name: "models", to: &p.Models},
	}
}

func hookFields(h *Hook) []field {
	return []field{
		{name: "event", to: &h.Event, words: []string{
			"session_start", "prompt", "before_tool", "after_tool", "before_compact", "after_compact", "stop"}},
		{name: "command", to: &h.Command},
		{name: "timeout_seconds", to: &h.TimeoutSeconds, min: 1, max: 3600},
	}
}

func phaseFields(p *Phase) []field {
	return []field{
		{name: "prompt", to: &p.Prompt, must: "a prompt", check: func(s string) bool { return strings.TrimSpace(s) != "" }},
		{name: "mode", to: &p.Mode, words: []string{"default", "readonly", "auto"}},
	}
}

func serverFields(s *Server) []field {
	return []field{
		{name: "command", to: &s.Command},
		{name: "env", to: &s.Env},
		{name: "url", to: &s.URL, must: "an http or https URL without a password in it", check: isURL},
		{name: "timeout_seconds", to: &s.TimeoutSeconds, min: 1, max: 3600},
		{name: "class", to: &s.Class, words: []string{"read", "write", "execute", "network"}},
		{name: "tools", to: &s.Tools},
		{name: "enabled", to: &s.Enabled},
	}
}

// isName: one line of text that can be printed.
func isName(s string) bool {
	return s != "" && len(s) <= 256 && strings.IndexFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) < 0
}

// isPermission: a tool or a group of tools, or "bash:" and the words that a
// command begins with, as it gets them: nothing of the shell's is in them.
func isPermission(s string) bool {
	words, isCommand := strings.CutPrefix(s, "bash:")
	if !isCommand {
		return isName(s)
	}
	for word := range strings.SplitSeq(words, " ") {
		if !isName(word) || strings.ContainsAny(word, "*?$;&|\"'\\`(){}") || strings.IndexFunc(word, func(r rune) bool { return !unicode.IsGraphic(r) }) >= 0 {
			return false
		}
	}
	return len(s) <= 256
}

func isURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

func isVariable(s string) bool {
	for i, r := range s {
		if !isWord(r) || i == 0 && '0' <= r && r <= '9' {
			return false
		}
	}
	return s != ""
}

// isTableName: a NAME of providers, chains or mcp.
func isTableName(s string) bool {
	for i, r := range s {
		if !isWord(r) && (i == 0 || r != '-' && r != '.') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}
