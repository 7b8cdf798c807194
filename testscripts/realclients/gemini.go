package main

import (
	"encoding/json"
	"net/http"
	"strings"
)

// readGemini reads a request of Google's generateContent.
func readGemini(body []byte) (request, error) {
	var in struct {
		Tools []struct {
			FunctionDeclarations []struct{ Name string }
		}
		Contents []struct {
			Role  string
			Parts []struct {
				Text             string
				FunctionResponse *struct {
					Response json.RawMessage
				}
			}
		}
		GenerationConfig struct{ ResponseMimeType string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{wants: in.GenerationConfig.ResponseMimeType == "application/json"}
	for _, t := range in.Tools {
		for _, f := range t.FunctionDeclarations {
			q.tools = append(q.tools, offer{"", f.Name})
		}
	}
	for _, c := range in.Contents {
		for _, p := range c.Parts {
			q.asked = q.asked || c.Role == "user" && strings.Contains(p.Text, prompt)
			if p.FunctionResponse != nil {
				q.results = append(q.results, string(p.FunctionResponse.Response))
			}
		}
	}
	return q, nil
}

// writeGemini answers with a call, or with text.
func writeGemini(w http.ResponseWriter, q request, c *call, text string) {
	part := map[string]any{"text": text}
	if c != nil {
		part = map[string]any{"functionCall": map[string]any{"name": c.name, "args": c.args}}
	}
	v := map[string]any{"modelVersion": "scripted-1", "responseId": "scripted",
		"candidates":    []any{map[string]any{"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": []any{part}}}},
		"usageMetadata": map[string]any{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}}
	if q.stream {
		event(w, "", v)
		return
	}
	answer(w, v)
}
