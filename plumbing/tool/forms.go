package tool

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// Forms lists the forms that Form writes a tool in.
func Forms() []string { return []string{"mcp", "openai", "anthropic"} }

// hints is what MCP calls annotations.
type hints struct {
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
	ReadOnly    bool `json:"readOnlyHint"`
}

// Form is a tool as one canonical object in the form that a protocol takes: a
// tool of MCP, OpenAI or Anthropic. Another name is plumbing.ErrInvalid.
func (t Tool) Form(name string) ([]byte, error) {
	schema := jsontext.Value(t.Schema)
	switch name {
	case "mcp":
		return canon.Marshal(struct {
			Annotations hints          `json:"annotations"`
			Description string         `json:"description"`
			InputSchema jsontext.Value `json:"inputSchema"`
			Name        string         `json:"name"`
		}{hints{Destructive: t.Destructive, Idempotent: t.Idempotent, ReadOnly: t.Class == Read}, t.Description, schema, t.Name})
	case "openai":
		type function struct {
			Description string         `json:"description"`
			Name        string         `json:"name"`
			Parameters  jsontext.Value `json:"parameters"`
		}
		return canon.Marshal(struct {
			Function function `json:"function"`
			Type     string   `json:"type"`
		}{function{t.Description, t.Name, schema}, "function"})
	case "anthropic":
		return canon.Marshal(struct {
			Description string         `json:"description"`
			InputSchema jsontext.Value `json:"input_schema"`
			Name        string         `json:"name"`
		}{t.Description, schema, t.Name})
	}
	return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no form %q", name), "the forms are "+strings.Join(Forms(), ", "))
}
