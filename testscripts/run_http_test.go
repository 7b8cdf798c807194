package testscripts

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

// dialect is a server on loopback that speaks the OpenAI dialect, streaming: it
// asks for a file to be read, and then says what is in it.
type dialect struct {
	mu     sync.Mutex
	bodies []string
}

func (d *dialect) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	d.mu.Lock()
	d.bodies = append(d.bodies, string(body))
	d.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	last := gjson.GetBytes(body, "messages.@reverse.0")
	deltas := []map[string]any{
		{"role": "assistant", "tool_calls": []any{call("call_1", "read", "")}},
		{"tool_calls": []any{call("", "", `{"path":`)}},
		{"tool_calls": []any{call("", "", `"go.mod"}`)}},
	}
	finish := "tool_calls"
	if last.Get("role").Str == "tool" {
		deltas, finish = []map[string]any{{"content": "It is "}, {"content": firstLine(last.Get("content").String())}, {"content": "."}}, "stop"
	}
	for _, delta := range deltas {
		send(w, map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
	}
	send(w, map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}})
	send(w, map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 1200, "completion_tokens": 7, "total_tokens": 1207}})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// firstLine is the first line that read printed, without its number.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimPrefix(line, "1\t")
}

func call(id, name, arguments string) map[string]any {
	c := map[string]any{"index": 0, "function": map[string]any{"arguments": arguments}}
	if id != "" {
		c["id"], c["type"] = id, "function"
		c["function"] = map[string]any{"name": name, "arguments": arguments}
	}
	return c
}

func send(w http.ResponseWriter, chunk map[string]any) {
	chunk["id"], chunk["object"], chunk["model"] = "chatcmpl-1", "chat.completion.chunk", "small"
	b, err := json.Marshal(chunk)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(w, "data: %s\n\n", b)
	w.(http.Flusher).Flush()
}

// TestRunOverHTTP is a whole turn of the built program against a server: the
// call comes in pieces, its result goes back, the answer streams, usage is known.
func TestRunOverHTTP(t *testing.T) {
	d := &dialect{}
	server := httptest.NewServer(d)
	defer server.Close()
	work := t.TempDir()
	for name, text := range map[string]string{
		"config/config.toml": "[agent]\nmodel = \"near/small\"\n[providers.near]\ntype = \"openai\"\nbase_url = \"" + server.URL + "/v1\"\napi_key_env = \"NEAR_KEY\"\n",
		"kettle/go.mod":      "module kettle\n",
	} {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(bin, "lecode"), "run", "--json", "What is the module?")
	cmd.Dir = filepath.Join(work, "kettle")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "NEAR_KEY=a-key-of-the-test"}
	for k, v := range environment(work) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, &stderr)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	result := gjson.Parse(lines[len(lines)-1])
	if result.Get("answer").Str != "It is module kettle." || result.Get("requests").Int() != 2 || result.Get("usage.unknown_usage_calls").Int() != 0 || result.Get("usage.output_tokens").Int() != 14 {
		t.Errorf("result %s", result)
	}
	if n := strings.Count(string(out), `"type":"streamed"`); n != 3 {
		t.Errorf("%d pieces of the answer, want 3", n)
	}
	for i, body := range d.bodies {
		if !gjson.Get(body, "stream").Bool() || !gjson.Get(body, "stream_options.include_usage").Bool() || gjson.Get(body, "tools.#").Int() < 10 {
			t.Errorf("request %d: stream %s, tools %s", i, gjson.Get(body, "stream"), gjson.Get(body, "tools.#"))
		}
	}
	if strings.Contains(string(out)+stderr.String(), "a-key-of-the-test") {
		t.Error("the key is printed")
	}
}
