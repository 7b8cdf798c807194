package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
)

func at(url string) map[string]config.Server {
	return map[string]config.Server{"web": {URL: url, TimeoutSeconds: 20, Enabled: true}}
}

func TestHTTP(t *testing.T) {
	real := sdk.NewServer(&sdk.Implementation{Name: "fake", Version: "1"}, nil)
	say := func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(r.Params.Arguments)}}}, nil
	}
	real.AddTool(&sdk.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}}, say)
	front := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return real }, nil))
	defer front.Close()
	w := start(t, at(front.URL), 0)
	if got := w.says("mcp__web__echo", `{"a":1}`); got != `{"a":1}`+"\n" {
		t.Errorf("%q", got)
	}
	need, err := w.tool("mcp__web__echo").Needs(t.Context(), callOf(`{}`))
	if err != nil || "http://"+need.Host != front.URL {
		t.Errorf("host %q, %v", need.Host, err)
	}
	real.AddTool(&sdk.Tool{Name: "extra", InputSchema: map[string]any{"type": "object"}}, say)
	eventually(t, "the new tool", func() bool { return len(w.Tools(t.Context())) == 2 })
	w.Close()
}

// replies is a server over HTTP that answers a call of a tool as it is told.
func replies(t *testing.T, call func(w http.ResponseWriter, id json.RawMessage)) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		b, _ := io.ReadAll(r.Body)
		var m message
		if json.Unmarshal(b, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if m.Method == "tools/call" {
			call(w, m.ID)
			return
		}
		var out bytes.Buffer
		(&fake{out: &out}).handle(m)
		_, _ = out.WriteTo(w)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestHTTPFaults(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		call func(w http.ResponseWriter, id json.RawMessage)
		want string
	}{
		"a body without end": {func(w http.ResponseWriter, _ json.RawMessage) {
			for {
				if _, err := io.WriteString(w, big); err != nil {
					return
				}
			}
		}, "an answer of more than 16777216 bytes"},
		"an event without end": {func(w http.ResponseWriter, _ json.RawMessage) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: ")
			for {
				if _, err := io.WriteString(w, big); err != nil {
					return
				}
			}
		}, ""},
		"deep JSON": {func(w http.ResponseWriter, id json.RawMessage) {
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(id)+`,"result":{"content":[],"structuredContent":`+strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20)+`}}`)
		}, ""},
		"no JSON": {func(w http.ResponseWriter, _ json.RawMessage) { _, _ = io.WriteString(w, "<html>") }, ""},
		"a fault": {func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusInternalServerError) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, at(replies(t, c.call)), 0)
			_, err := w.call(t.Context(), "mcp__web__echo", "{}")
			if !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	asked := make(chan string, 100)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
	defer other.Close()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/mcp", http.StatusTemporaryRedirect)
	}))
	defer front.Close()
	w := start(t, at(front.URL+"/?key=s3cret"), 0)
	if got := w.Tools(t.Context()); len(got) != 0 || len(asked) != 0 {
		t.Errorf("%v, asked %d times", names(got), len(asked))
	}
	if got := w.told(); !strings.Contains(got, "it redirects to another host, which is refused") || strings.Contains(got, "s3cret") {
		t.Errorf("notices %s", got)
	}
	front.Close()
	w = start(t, at(front.URL+"/?key=s3cret"), 0)
	if w.Tools(t.Context()); !strings.Contains(w.told(), "not available") || strings.Contains(w.told(), "s3cret") {
		t.Errorf("notices %s", w.told())
	}
}
