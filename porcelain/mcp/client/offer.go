package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// Caps of what a server offers.
const (
	maxTools       = 128
	maxPages       = 128 // of a list of tools
	maxDescription = 1_024
	maxSchema      = 16 << 10
	maxLevels      = 64 // of a schema
	maxSummary     = 512
	maxDetail      = 256 << 10
)

// list asks for all tools and keeps what can be offered. What is left out is a
// notice, given once for the same.
func (s *server) list(ctx context.Context, l *live) ([]agent.Tool, error) {
	o := offer{s: s, byName: map[string]bool{}, missing: slices.Clone(s.set.Tools)}
	params := &sdk.ListToolsParams{}
	for range maxPages {
		page, err := l.session.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		for _, t := range page.Tools {
			o.take(t)
		}
		if page.NextCursor == "" || page.NextCursor == params.Cursor || o.over > 0 {
			params.Cursor = ""
			break
		}
		params = &sdk.ListToolsParams{Cursor: page.NextCursor}
	}
	if params.Cursor != "" {
		o.leave("the rest", fmt.Sprintf("its list has more than %d pages", maxPages))
	}
	o.tell()
	return o.tools, nil
}

// offer is what becomes of a list of tools.
type offer struct {
	s       *server
	tools   []agent.Tool
	byName  map[string]bool
	missing []string // of the allow-list
	over    int      // beyond maxTools
	left    int
	why     []string // of the first that were left out
}

func (o *offer) leave(name, why string) {
	if o.left++; o.left <= 5 {
		o.why = append(o.why, fmt.Sprintf("%s (%s)", clip(name, 64), why))
	}
}

// take checks one tool.
func (o *offer) take(t *sdk.Tool) {
	if t == nil {
		return
	}
	if o.s.set.Tools != nil {
		if !slices.Contains(o.s.set.Tools, t.Name) {
			return
		}
		o.missing = slices.DeleteFunc(o.missing, func(n string) bool { return n == t.Name })
	}
	name := toolName(o.s.name, t.Name)
	switch {
	case t.Name == "" || len(t.Name) > 256:
		o.leave(t.Name, "its name is empty or too long")
		return
	case o.byName[name]:
		o.leave(t.Name, "there is another one of this name")
		return
	case len(o.tools) == maxTools:
		o.over++
		return
	}
	schema, why := schemaOf(t.InputSchema)
	if why != "" {
		o.leave(t.Name, why)
		return
	}
	o.byName[name] = true
	o.tools = append(o.tools, o.s.tool(t.Name, provider.Tool{Name: name, Description: o.s.describe(t), Schema: schema}))
}

// tell gives the notice about what was left out.
func (o *offer) tell() {
	var parts []string
	if o.left > 0 {
		more := ""
		if o.left > len(o.why) {
			more = fmt.Sprintf(" and %d more", o.left-len(o.why))
		}
		parts = append(parts, "tools were left out: "+strings.Join(o.why, ", ")+more)
	}
	if o.over > 0 {
		parts = append(parts, fmt.Sprintf("it has more than %d tools, the others were left out: name those you need in mcp.%s.tools", maxTools, o.s.name))
	}
	if len(o.missing) > 0 {
		parts = append(parts, "it has no tool "+strings.Join(o.missing, ", ")+", which mcp."+o.s.name+".tools names")
	}
	text := strings.Join(parts, "; ")
	o.s.mu.Lock()
	again := text == o.s.noticed
	o.s.noticed = text
	o.s.mu.Unlock()
	if text != "" && !again {
		o.s.notice("mcp server " + o.s.name + ": " + text)
	}
}

// describe is what a model is told of a tool: who says it, and its words, visible and cut.
func (s *server) describe(t *sdk.Tool) string {
	text := strings.TrimSpace(strings.ToValidUTF8(t.Description, "�"))
	if text == "" {
		text = strings.ToValidUTF8(t.Title, "�")
	}
	head := "From the MCP server " + s.name + ", in its words: "
	shown, used := prompt.ShowPart(text, maxDescription-len(head)-len("…"))
	if used < len(text) {
		shown += "…"
	}
	return head + shown
}

// tool is the agent's view of a tool.
func (s *server) tool(own string, t provider.Tool) agent.Tool {
	group, host := groupName(s.name), ""
	if u, err := url.Parse(s.set.URL); err == nil {
		host = u.Host
	}
	return agent.Tool{Tool: t, Class: s.class, Group: group, Child: s.class == permission.Read,
		Needs: func(_ context.Context, c agent.Call) (permission.Need, error) {
			args := strings.ToValidUTF8(string(c.Arguments), "�")
			return permission.Need{Tool: t.Name, Group: group, Class: s.class, Host: host,
				Summary: s.name + ": " + own + " " + clip(args, maxSummary), Detail: clip(args, maxDetail)}, nil
		},
		Run: func(ctx context.Context, c agent.Call) (agent.Result, error) { return s.call(ctx, own, c.Arguments) }}
}

// rawObject is arguments as they go to a server.
func rawObject(arguments []byte) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments)
}

// schemaOf checks a schema of arguments; why says what is wrong with it.
func schemaOf(schema any) (b []byte, why string) {
	object, ok := schema.(map[string]any)
	switch {
	case !ok:
		return nil, "its schema is no object"
	case object["type"] != "object":
		return nil, `its schema is not of type "object"`
	case !shaped(object):
		return nil, "its schema is not valid"
	case !visible(object, maxLevels):
		return nil, "its schema nests too deep, or has characters that are not seen"
	}
	b, err := canon.Marshal(object)
	switch {
	case err != nil:
		return nil, "its schema is not valid"
	case len(b) > maxSchema:
		return nil, fmt.Sprintf("its schema has more than %d bytes", maxSchema)
	}
	return b, ""
}

// shaped: its properties are schemas, and what it requires are names.
func shaped(schema map[string]any) bool {
	if p, has := schema["properties"]; has {
		properties, ok := p.(map[string]any)
		if !ok {
			return false
		}
		for _, v := range properties {
			switch v.(type) {
			case map[string]any, bool:
			default:
				return false
			}
		}
	}
	required, has := schema["required"]
	names, ok := required.([]any)
	if has && !ok {
		return false
	}
	return !slices.ContainsFunc(names, func(n any) bool { _, ok := n.(string); return !ok })
}

// visible shows what is not seen in the texts of a schema that are only read. In
// others, which calls depend on, such a character counts against it.
func visible(v any, levels int) bool {
	switch v := v.(type) {
	case string:
		return prompt.Show(v) == v
	case []any:
		return levels > 0 && !slices.ContainsFunc(v, func(item any) bool { return !visible(item, levels-1) })
	case map[string]any:
		if levels == 0 {
			return false
		}
		for key, item := range v {
			if text, ok := item.(string); ok && (key == "description" || key == "title" || key == "$comment") {
				v[key] = prompt.Show(text)
				continue
			}
			if !visible(key, 0) || !visible(item, levels-1) {
				return false
			}
		}
	}
	return true
}

// clip cuts a text at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
