package mcp

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
)

// client is a program that can be given this memory.
type client struct {
	name  string
	where string // the file that the configuration belongs in
	text  func(command string, args []string) (string, error)
}

// clients is the table of what `lecode mcp --print-config` knows.
func clients() []client {
	return []client{
		{"claude-code", ".mcp.json in the project's root, or under the same key in ~/.claude.json for all projects", servers(true)},
		{"codex", "~/.codex/config.toml", codex},
		{"gemini-cli", "~/.gemini/settings.json", servers(false)},
		{"qwen-code", "~/.qwen/settings.json", servers(false)},
		{"opencode", "~/.config/opencode/opencode.json", opencode},
		{"crush", "~/.config/crush/crush.json", crush},
	}
}

// Clients names the clients that Config knows.
func Clients() []string {
	var names []string
	for _, c := range clients() {
		names = append(names, c.name)
	}
	return names
}

// Config is the configuration text that gives a client the server which
// command and args start, and the file it belongs in. A client that is not
// known is plumbing.ErrInvalid.
func Config(name, command string, args []string) (text, where string, err error) {
	for _, c := range clients() {
		if c.name == name {
			text, err = c.text(command, args)
			return text, c.where, err
		}
	}
	return "", "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("no configuration for a client %q", name), "known: "+strings.Join(Clients(), ", "))
}

// stdio is how most clients name a server's program.
type stdio struct {
	Type    string   `json:"type,omitzero"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// servers is the shape that several clients share.
func servers(typed bool) func(string, []string) (string, error) {
	return func(command string, args []string) (string, error) {
		s := stdio{Command: command, Args: args}
		if typed {
			s.Type = "stdio"
		}
		return indented(map[string]any{"mcpServers": map[string]any{"lecode": s}})
	}
}

func opencode(command string, args []string) (string, error) {
	return indented(map[string]any{"mcp": map[string]any{"lecode": struct {
		Type    string   `json:"type"`
		Command []string `json:"command"`
		Enabled bool     `json:"enabled"`
	}{"local", append([]string{command}, args...), true}}})
}

func crush(command string, args []string) (string, error) {
	return indented(map[string]any{"mcp": map[string]any{"lecode": stdio{"stdio", command, args}}})
}

// codex is TOML, whose basic strings take JSON's escapes.
func codex(command string, args []string) (string, error) {
	c, err := json.Marshal(command)
	if err != nil {
		return "", err
	}
	a, err := json.Marshal(args, jsontext.SpaceAfterComma(true))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("[mcp_servers.lecode]\ncommand = %s\nargs = %s\n", c, a), nil
}

func indented(v any) (string, error) {
	b, err := json.Marshal(v, jsontext.WithIndent("  "))
	return string(b) + "\n", err
}
