package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// tool is a tool as the Responses API has it: a function, or a namespace of functions.
type tool struct {
	Type, Name string
	Tools      []tool
}

// readResponses reads a request of OpenAI's Responses API.
func readResponses(body []byte) (request, error) {
	var in struct {
		Stream bool
		Tools  []tool
		Input  []struct {
			Type, Role      string
			Content, Output json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{stream: in.Stream}
	for _, t := range in.Tools {
		if t.Type != "namespace" {
			q.tools = append(q.tools, offer{"", t.Name})
		}
		for _, inner := range t.Tools {
			q.tools = append(q.tools, offer{t.Name, inner.Name})
		}
	}
	for _, item := range in.Input {
		switch {
		case strings.HasSuffix(item.Type, "call_output"):
			q.results = append(q.results, words(item.Output))
		case item.Role == "user":
			q.asked = q.asked || strings.Contains(words(item.Content), prompt)
		}
	}
	return q, nil
}

// writeResponses answers with a call, or with text.
func writeResponses(w http.ResponseWriter, q request, c *call, text string) {
	id := fmt.Sprintf("scripted_%d", len(q.results))
	item := map[string]any{"id": "msg_" + id, "type": "message", "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": text, "annotations": []any{}}}}
	if c != nil {
		args, _ := json.Marshal(c.args)
		item = map[string]any{"id": "fc_" + id, "type": "function_call", "call_id": "call_" + id, "name": c.name,
			"arguments": string(args), "status": "completed"}
		if c.space != "" {
			item["namespace"] = c.space
		}
	}
	response := map[string]any{"id": "resp_" + id, "object": "response", "created_at": 0, "model": "scripted-1", "status": "completed",
		"output": []any{item}, "usage": map[string]any{"input_tokens": 100, "output_tokens": 10, "total_tokens": 110,
			"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0}}}
	if !q.stream {
		answer(w, response)
		return
	}
	begun := map[string]any{"id": response["id"], "object": "response", "created_at": 0, "model": "scripted-1", "status": "in_progress", "output": []any{}}
	event(w, "response.created", map[string]any{"type": "response.created", "sequence_number": 0, "response": begun})
	event(w, "response.output_item.added", map[string]any{"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item})
	if c == nil {
		event(w, "response.output_text.delta", map[string]any{"type": "response.output_text.delta", "sequence_number": 2,
			"item_id": item["id"], "output_index": 0, "content_index": 0, "delta": text})
	}
	event(w, "response.output_item.done", map[string]any{"type": "response.output_item.done", "sequence_number": 3, "output_index": 0, "item": item})
	event(w, "response.completed", map[string]any{"type": "response.completed", "sequence_number": 4, "response": response})
}
