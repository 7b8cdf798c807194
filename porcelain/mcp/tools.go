package mcp

import (
	"context"
	rawjson "encoding/json"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
)

// addTools lists the tools that may be called: the readers, and with Write all.
func (s *Server) addTools() {
	for _, t := range tool.Tools() {
		if !s.allowed(t) {
			continue
		}
		s.sdk.AddTool(&sdk.Tool{
			Name: t.Name, Description: t.Description, InputSchema: rawjson.RawMessage(bare(t.Schema)), Annotations: hints(t),
		}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return s.call(ctx, t, r.Params.Arguments), nil
		})
	}
}

// bare is a schema without the description of the whole, which a client is told beside it.
func bare(schema []byte) []byte {
	var members map[string]jsontext.Value
	if json.Unmarshal(schema, &members) != nil {
		return schema
	}
	delete(members, "description")
	b, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return schema
	}
	return b
}

// allowed reports whether a tool is listed and run.
func (s *Server) allowed(t tool.Tool) bool { return t.Class == tool.Read || s.opt.Write }

// hints is what a client may go by when it asks its user. A correction only
// adds a revision; the other writers replace something.
func hints(t tool.Tool) *sdk.ToolAnnotations {
	yes, no := true, false
	h := &sdk.ToolAnnotations{ReadOnlyHint: t.Class == tool.Read, OpenWorldHint: &no}
	if t.Class != tool.Read {
		h.DestructiveHint = &yes
		if t.Name == "memory_correct" {
			h.DestructiveHint = &no
		}
		h.IdempotentHint = t.Name == "memory_forget"
	}
	return h
}

// call runs a tool. Whatever goes wrong is a result that the model can read
// and act on; protocol errors are for faults of the protocol.
func (s *Server) call(ctx context.Context, t tool.Tool, args []byte) (result *sdk.CallToolResult) {
	defer func() {
		if r := recover(); r != nil {
			result = failed(s.defect(r, t.Name))
		}
	}()
	if !s.allowed(t) {
		return failed(plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%s changes the memory, and this server only reads", t.Name),
			"whoever set it up can allow it: `lecode mcp --allow write`"))
	}
	if len(args) == 0 {
		args = []byte("{}")
	}
	caller := tool.Caller{SessionID: s.before(ctx), ReadOnly: !s.opt.Write}
	if t.Class != tool.Read {
		g := s.generation()
		caller.Generation = &g
	}
	done := s.reading()
	got, err := tool.Call(ctx, s.opt.Deps, caller, t.Name, args)
	if err != nil {
		return failed(err)
	}
	if t.Class == tool.Read {
		done()
	}
	result = &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: got.Text}}}
	if t.Name == "memory_list" && s.opt.Follow != nil {
		if where := s.opt.Follow.Where(ctx); where != "" {
			result.Content = append(result.Content, &sdk.TextContent{Text: where})
		}
	}
	return result
}

// generation is the one in which the client last read something. What it says
// now may come from there, so a correction is refused if the project's has
// moved since; reading again is the way out. Where it has not read yet, what
// it knows counts as older than any forget, as a record without a generation does.
func (s *Server) generation() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: tool.Failure(err)}}}
}
