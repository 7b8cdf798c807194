package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

// params is a request in the dialect. The error wraps plumbing.ErrInvalid.
func (m *model) params(r provider.Request) (sdk.ChatCompletionNewParams, error) {
	p := sdk.ChatCompletionNewParams{Model: m.client.Spec.Model, Messages: messages(r)}
	if m.variant.completionTokens {
		p.MaxCompletionTokens = sdk.Int(r.MaxOutputTokens)
	} else {
		p.MaxTokens = sdk.Int(r.MaxOutputTokens)
	}
	switch m.client.Spec.Thinking {
	case "", "off":
	default:
		p.ReasoningEffort = shared.ReasoningEffort(m.client.Spec.Thinking)
	}
	for _, t := range r.Tools {
		var schema shared.FunctionParameters
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return p, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the schema of tool %q is not a JSON object", t.Name), "")
		}
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: sdk.String(t.Description), Parameters: schema,
		}))
	}
	return p, nil
}

func messages(r provider.Request) []sdk.ChatCompletionMessageParamUnion {
	w := &writer{}
	if r.System != "" {
		w.out = append(w.out, sdk.SystemMessage(r.System))
	}
	for _, msg := range r.Messages {
		switch msg.Role {
		case provider.RoleAssistant:
			w.flush()
			w.assistant(msg.Content)
		case provider.RoleTool:
			w.tool(msg.Content)
		default:
			w.flush()
			w.user(msg.Content)
		}
	}
	w.flush()
	return w.out
}

type part = sdk.ChatCompletionContentPartUnionParam

// writer writes messages in the dialect, where a tool's result is text alone:
// its files follow as a user's message, after the last result in a row.
type writer struct {
	out   []sdk.ChatCompletionMessageParamUnion
	files []part
}

func (w *writer) flush() {
	if len(w.files) > 0 {
		w.out = append(w.out, sdk.UserMessage(w.files))
		w.files = nil
	}
}

// user writes text alone as a string, which every server takes.
func (w *writer) user(blocks []provider.Block) {
	var parts []part
	var texts []string
	for _, b := range blocks {
		if b.Type == provider.TypeText {
			texts, parts = append(texts, b.Text), append(parts, sdk.TextContentPart(b.Text))
		} else if b.Type == provider.TypeFile {
			parts = append(parts, file(b)...)
		}
	}
	if len(texts) == len(parts) {
		w.out = append(w.out, sdk.UserMessage(strings.Join(texts, "\n\n")))
		return
	}
	w.out = append(w.out, sdk.UserMessage(parts))
}

// assistant leaves reasoning out: the dialect has no place for it.
func (w *writer) assistant(blocks []provider.Block) {
	var text strings.Builder
	var m sdk.ChatCompletionAssistantMessageParam
	for _, b := range blocks {
		switch b.Type {
		case provider.TypeText:
			text.WriteString(b.Text)
		case provider.TypeToolCall:
			m.ToolCalls = append(m.ToolCalls, call(b))
		}
	}
	if text.Len() == 0 && len(m.ToolCalls) == 0 {
		return
	}
	if text.Len() > 0 {
		m.Content.OfString = sdk.String(text.String())
	}
	w.out = append(w.out, sdk.ChatCompletionMessageParamUnion{OfAssistant: &m})
}

func call(b provider.Block) sdk.ChatCompletionMessageToolCallUnionParam {
	arguments := string(b.Arguments)
	if arguments == "" {
		arguments = "{}"
	}
	c := &sdk.ChatCompletionMessageFunctionToolCallParam{ID: b.ID,
		Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: b.Name, Arguments: arguments}}
	if b.Signature != nil {
		c.SetExtraFields(map[string]any{"extra_content": map[string]any{"google": map[string]any{"thought_signature": *b.Signature}}})
	}
	return sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: c}
}

func (w *writer) tool(blocks []provider.Block) {
	for _, b := range blocks {
		switch b.Type {
		case provider.TypeToolResult:
			w.out = append(w.out, sdk.ToolMessage(b.Text, b.ID))
			for _, f := range b.Files {
				w.files = append(w.files, file(f)...)
			}
		case provider.TypeText:
			w.files = append(w.files, sdk.TextContentPart(b.Text))
		case provider.TypeFile:
			w.files = append(w.files, file(b)...)
		}
	}
}

// file is an attachment in the dialect: pictures and PDF as data URLs, text as
// text, and of anything else that it is there.
func file(b provider.Block) []part {
	url := "data:" + b.MediaType + ";base64," + b.Data
	switch {
	case strings.HasPrefix(b.MediaType, "image/") && b.MediaType != "image/svg+xml":
		return []part{sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: url})}
	case b.MediaType == "application/pdf":
		return []part{sdk.FileContentPart(sdk.ChatCompletionContentPartFileFileParam{FileData: sdk.String(url), Filename: sdk.String(b.Name)})}
	}
	data, err := base64.StdEncoding.DecodeString(b.Data)
	if err == nil && isText(b.MediaType) && utf8.Valid(data) {
		return []part{sdk.TextContentPart(fmt.Sprintf("[file %q]\n%s", b.Name, data))}
	}
	return []part{sdk.TextContentPart(fmt.Sprintf("[omitted: %s, %d bytes]", b.MediaType, len(data)))}
}

func isText(media string) bool {
	return strings.HasPrefix(media, "text/") || media == "application/json" || media == "image/svg+xml"
}
