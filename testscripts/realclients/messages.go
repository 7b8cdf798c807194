package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// readMessages reads a request of Anthropic's Messages API.
func readMessages(body []byte) (request, error) {
	var in struct {
		Stream   bool
		Tools    []struct{ Name string }
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{stream: in.Stream}
	for _, t := range in.Tools {
		q.tools = append(q.tools, offer{"", t.Name})
	}
	for _, m := range in.Messages {
		q.asked = q.asked || m.Role == "user" && strings.Contains(words(m.Content), prompt)
		var blocks []struct {
			Type    string
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				q.results = append(q.results, words(b.Content))
			}
		}
	}
	return q, nil
}

// writeMessages answers with a call, or with text.
func writeMessages(w http.ResponseWriter, q request, c *call, text string) {
	id := fmt.Sprintf("scripted_%d", len(q.results))
	block, empty, delta, why := any(map[string]any{"type": "text", "text": text}), map[string]any{"type": "text", "text": ""},
		map[string]any{"type": "text_delta", "text": text}, "end_turn"
	if c != nil {
		args, _ := json.Marshal(c.args)
		block = map[string]any{"type": "tool_use", "id": "toolu_" + id, "name": c.name, "input": c.args}
		empty = map[string]any{"type": "tool_use", "id": "toolu_" + id, "name": c.name, "input": map[string]any{}}
		delta, why = map[string]any{"type": "input_json_delta", "partial_json": string(args)}, "tool_use"
	}
	usage := map[string]any{"input_tokens": 100, "output_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := map[string]any{"id": "msg_" + id, "type": "message", "role": "assistant", "model": "scripted-1",
		"content": []any{block}, "stop_reason": why, "stop_sequence": nil, "usage": usage}
	if !q.stream {
		answer(w, message)
		return
	}
	message["content"], message["stop_reason"] = []any{}, nil
	event(w, "message_start", map[string]any{"type": "message_start", "message": message})
	event(w, "content_block_start", map[string]any{"type": "content_block_start", "index": 0, "content_block": empty})
	event(w, "content_block_delta", map[string]any{"type": "content_block_delta", "index": 0, "delta": delta})
	event(w, "content_block_stop", map[string]any{"type": "content_block_stop", "index": 0})
	event(w, "message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": why, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 10}})
	event(w, "message_stop", map[string]any{"type": "message_stop"})
}
