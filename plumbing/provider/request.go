package provider

import "github.com/go-json-experiment/json/jsontext"

// The roles of a Message (design section 4).
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one turn of the conversation, as a session record has it.
type Message struct {
	Content []Block `json:"content"`
	Role    string  `json:"role"` // RoleUser, RoleAssistant or RoleTool
}

// Tool is a function that the model may call.
type Tool struct {
	Description string         `json:"description"`
	Name        string         `json:"name"`
	Schema      jsontext.Value `json:"schema"` // JSON Schema of its arguments, an object
}

// Request is what a model is asked (design section 9).
type Request struct {
	MaxOutputTokens int64     `json:"max_output_tokens"` // cap of the answer, reasoning included, in tokens; from 1
	Messages        []Message `json:"messages"`          // at least one
	System          string    `json:"system"`
	Tools           []Tool    `json:"tools"`
}
