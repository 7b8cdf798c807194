package provider

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types of a Block (design section 4).
const (
	TypeText       = "text"
	TypeReasoning  = "reasoning"
	TypeToolCall   = "tool_call"
	TypeToolResult = "tool_result"
	TypeFile       = "file"
)

// Block is a content block of a message; its JSON is exactly that of a session
// record (design section 4). Type says which of the fields count:
//
//	text         Text
//	reasoning    Text, Signature; Data where the provider redacted the text
//	tool_call    ID, Name, Arguments; Signature where the provider gave one
//	tool_result  ID, Name, Text, IsError, Files
//	file         Name, MediaType, Data
type Block struct {
	Type      string
	Text      string
	ID        string         // joins a call and its result
	Name      string         // of the tool or of the file
	Arguments jsontext.Value // a JSON object
	IsError   bool
	Files     []Block // of type file
	MediaType string
	Data      string  // of a file: base64; of reasoning: what the provider redacted, opaque
	Signature *string // the provider's, to be sent back as it came
}

// Text is a block of type text.
func Text(s string) Block { return Block{Type: TypeText, Text: s} }

// MarshalJSON writes the keys that a block of its type has.
func (b Block) MarshalJSON() ([]byte, error) {
	switch b.Type {
	case TypeText:
		return json.Marshal(struct {
			Text string `json:"text"`
			Type string `json:"type"`
		}{b.Text, b.Type})
	case TypeReasoning:
		return json.Marshal(struct {
			Data      string  `json:"data,omitzero"`
			Signature *string `json:"signature"`
			Text      string  `json:"text"`
			Type      string  `json:"type"`
		}{b.Data, b.Signature, b.Text, b.Type})
	case TypeToolCall:
		return json.Marshal(b.call())
	case TypeToolResult:
		return json.Marshal(struct {
			Files   []Block `json:"files"`
			ID      string  `json:"id"`
			IsError bool    `json:"is_error"`
			Name    string  `json:"name"`
			Text    string  `json:"text"`
			Type    string  `json:"type"`
		}{b.Files, b.ID, b.IsError, b.Name, b.Text, b.Type})
	case TypeFile:
		return json.Marshal(struct {
			Data      string `json:"data"`
			MediaType string `json:"media_type"`
			Name      string `json:"name"`
			Type      string `json:"type"`
		}{b.Data, b.MediaType, b.Name, b.Type})
	}
	return nil, fmt.Errorf("encode a block: its type is none of lecode's")
}

type callBlock struct {
	Arguments jsontext.Value `json:"arguments"`
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Signature *string        `json:"signature,omitzero"`
	Type      string         `json:"type"`
}

func (b Block) call() callBlock {
	arguments := b.Arguments
	if len(arguments) == 0 {
		arguments = jsontext.Value("{}")
	}
	return callBlock{arguments, b.ID, b.Name, b.Signature, b.Type}
}

// UnmarshalJSON is ReadBlock.
func (b *Block) UnmarshalJSON(data []byte) (err error) {
	*b, err = ReadBlock(data)
	return err
}
