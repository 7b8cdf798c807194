package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

type block = sdk.ContentBlockParamUnion

// params is a request in the dialect. The error wraps plumbing.ErrInvalid.
func (m *model) params(r provider.Request) (sdk.MessageNewParams, error) {
	p := sdk.MessageNewParams{Model: m.client.Spec.Model, MaxTokens: r.MaxOutputTokens, Messages: messages(r.Messages)}
	if strings.TrimSpace(r.System) != "" {
		p.System = []sdk.TextBlockParam{{Text: r.System}}
	}
	think(&p, m.client.Spec.Thinking)
	for _, t := range r.Tools {
		schema, err := schemaOf(t)
		if err != nil {
			return p, err
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &sdk.ToolParam{
			Name: t.Name, Description: sdk.String(t.Description), InputSchema: schema}})
	}
	return p, nil
}

func schemaOf(t provider.Tool) (sdk.ToolInputSchemaParam, error) {
	var fields map[string]any
	if err := json.Unmarshal(t.Schema, &fields); err != nil {
		return sdk.ToolInputSchemaParam{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the schema of tool %q is not a JSON object", t.Name), "")
	}
	delete(fields, "type") // always "object", which the SDK writes
	return sdk.ToolInputSchemaParam{ExtraFields: fields}, nil
}

// think sets the thinking level. The cap of the answer holds for thinking too,
// so a budget is at most half of it; a cap too small for that leaves no thinking.
func think(p *sdk.MessageNewParams, level string) {
	var budget int64
	switch level {
	case "low":
		budget = 2048
	case "medium":
		budget = 8192
	case "high":
		budget = 16384
	default:
		return
	}
	if !takesBudget(p.Model) {
		p.Thinking = sdk.ThinkingConfigParamUnion{OfAdaptive: &sdk.ThinkingConfigAdaptiveParam{}}
		p.OutputConfig.Effort = sdk.OutputConfigEffort(level)
		return
	}
	if budget = min(budget, p.MaxTokens/2); budget >= 1024 {
		p.Thinking = sdk.ThinkingConfigParamOfEnabled(budget)
	}
}

// takesBudget: models up to 4.5 take a number of tokens, later ones a level.
func takesBudget(model string) bool {
	for _, old := range []string{"claude-3", "-4-0", "-4-1", "-4-5", "-4-2025"} {
		if strings.Contains(model, old) {
			return true
		}
	}
	return false
}

// messages writes the conversation, in which results are a user's blocks:
// neighbours of one role become one message, its results first.
func messages(list []provider.Message) []sdk.MessageParam {
	var out []sdk.MessageParam
	var pending []block
	of := ""
	flush := func() {
		switch {
		case len(pending) == 0:
		case of == provider.RoleAssistant:
			out = append(out, sdk.NewAssistantMessage(pending...))
		default:
			slices.SortStableFunc(pending, resultsFirst)
			out = append(out, sdk.NewUserMessage(pending...))
		}
		pending = nil
	}
	for _, m := range list {
		role, blocks := provider.RoleUser, said
		if m.Role == provider.RoleAssistant {
			role, blocks = m.Role, answered
		}
		written := blocks(m.Content)
		if len(written) == 0 {
			continue
		}
		if role != of {
			flush()
		}
		of, pending = role, append(pending, written...)
	}
	flush()
	return out
}

func resultsFirst(a, b block) int {
	rank := func(b block) int {
		if b.OfToolResult != nil {
			return 0
		}
		return 1
	}
	return rank(a) - rank(b)
}

// said is what a user or a tool said. The dialect takes no text that is empty or all space.
func said(blocks []provider.Block) []block {
	var out []block
	for _, b := range blocks {
		switch {
		case b.Type == provider.TypeText && strings.TrimSpace(b.Text) != "":
			out = append(out, sdk.NewTextBlock(b.Text))
		case b.Type == provider.TypeFile:
			out = append(out, file(b))
		case b.Type == provider.TypeToolResult:
			out = append(out, result(b))
		}
	}
	return out
}

func result(b provider.Block) block {
	r := sdk.ToolResultBlockParam{ToolUseID: b.ID, IsError: sdk.Bool(b.IsError)}
	if strings.TrimSpace(b.Text) != "" {
		r.Content = append(r.Content, sdk.ToolResultBlockParamContentUnion{OfText: &sdk.TextBlockParam{Text: b.Text}})
	}
	for _, f := range b.Files {
		part := file(f)
		r.Content = append(r.Content, sdk.ToolResultBlockParamContentUnion{OfText: part.OfText, OfImage: part.OfImage, OfDocument: part.OfDocument})
	}
	return block{OfToolResult: &r}
}

// answered is what an assistant said. Reasoning goes back only with its
// signature: the provider takes no other.
func answered(blocks []provider.Block) []block {
	var out []block
	for _, b := range blocks {
		switch {
		case b.Type == provider.TypeText && strings.TrimSpace(b.Text) != "":
			out = append(out, sdk.NewTextBlock(b.Text))
		case b.Type == provider.TypeReasoning && b.Data != "":
			out = append(out, sdk.NewRedactedThinkingBlock(b.Data))
		case b.Type == provider.TypeReasoning && b.Signature != nil && *b.Signature != "":
			out = append(out, sdk.NewThinkingBlock(*b.Signature, b.Text))
		case b.Type == provider.TypeToolCall:
			arguments := json.RawMessage(b.Arguments)
			if len(arguments) == 0 {
				arguments = json.RawMessage("{}")
			}
			out = append(out, sdk.NewToolUseBlock(b.ID, arguments, b.Name))
		}
	}
	return out
}

// file is an attachment in the dialect: pictures and PDF as they are, text as
// text, and of anything else that it is there.
func file(b provider.Block) block {
	switch b.MediaType {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return sdk.NewImageBlockBase64(b.MediaType, b.Data)
	case "application/pdf":
		return sdk.NewDocumentBlock(sdk.Base64PDFSourceParam{Data: b.Data})
	}
	data, err := base64.StdEncoding.DecodeString(b.Data)
	if err == nil && isText(b.MediaType) && utf8.Valid(data) {
		return sdk.NewTextBlock(fmt.Sprintf("[file %q]\n%s", b.Name, data))
	}
	return sdk.NewTextBlock(fmt.Sprintf("[omitted: %s, %d bytes]", b.MediaType, len(data)))
}

func isText(media string) bool {
	return strings.HasPrefix(media, "text/") || media == "application/json" || media == "image/svg+xml"
}
