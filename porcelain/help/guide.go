// Package help holds the guides of `lecode help NAME`, Markdown files that are
// part of the program. It knows text only. Start with Guides.
package help

import "embed"

//go:embed *.md
var pages embed.FS

// Page names one guide.
type Page struct{ Name, Summary string }

// Guides lists the guides in the order in which they should be read.
func Guides() []Page {
	return []Page{
		{"tutorial", "from a transcript to a first fact that proves itself"},
		{"agent", "the agent: run, permissions, commands, hooks, a whole config.toml"},
		{"agents", "how Claude Code, Codex, Gemini CLI, opencode and Crush get this memory"},
		{"plumbing", "the objects that commands print and read"},
		{"exit-codes", "what each exit code means"},
	}
}

// Guide returns the text of a guide that is a page of its own.
func Guide(name string) (string, bool) {
	for _, g := range Guides() {
		if g.Name != name {
			continue
		}
		b, err := pages.ReadFile(name + ".md")
		return string(b), err == nil
	}
	return "", false
}
