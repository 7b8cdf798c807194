package openai

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

const (
	head   = `{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"small-2026","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}`
	stop   = `{"id":"chatcmpl-1","model":"small-2026","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	counts = `{"id":"chatcmpl-1","model":"small-2026","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":107,"prompt_tokens_details":{"cached_tokens":64},"cost":0.0012}}`
	done   = "[DONE]"
)

func text(s string) string {
	return `{"id":"chatcmpl-1","model":"small-2026","choices":[{"index":0,"delta":{"content":"` + s + `"},"finish_reason":null}]}`
}

func choice(delta, finish string) string {
	if finish == "" {
		finish = "null"
	} else {
		finish = `"` + finish + `"`
	}
	return `{"id":"chatcmpl-1","model":"small-2026","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
}

func TestStream(t *testing.T) {
	s := serve(t, events(head, text("Because "), ": a comment is no event", text("so."), stop, counts, done))
	r, deltas, err := ask(t, s.model(t))
	if err != nil {
		t.Fatal(err)
	}
	want := provider.Response{Blocks: []provider.Block{provider.Text("Because so.")}, Finish: provider.FinishStop, Model: "small-2026",
		Usage: &provider.Usage{InputTokens: ptr(int64(36)), CacheReadTokens: ptr(int64(64)), OutputTokens: ptr(int64(7)), Cost: ptr(0.0012)}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]provider.Delta{{Text: "Because "}, {Text: "so."}}, deltas); diff != "" {
		t.Error(diff)
	}
	sent := gjson.Parse(s.bodies[0])
	for path, want := range map[string]string{
		"stream": "true", "stream_options.include_usage": "true", "max_tokens": "321", "max_completion_tokens": "",
		"model": "small", "messages.0.role": "system", "messages.0.content": "be brief", "messages.1.content": "why?", "reasoning_effort": "",
	} {
		if got := sent.Get(path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if got := s.headers[0].Get("Authorization"); got != "Bearer "+secret {
		t.Errorf("Authorization %q", got)
	}
	for name := range s.headers[0] {
		if strings.HasPrefix(name, "X-Stainless") {
			t.Errorf("header %s tells about this machine", name)
		}
	}
}

func TestWhole(t *testing.T) {
	body := `{"id":"1","model":"small-2026","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"reasoning_content":"hm",` +
		`"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"b\":1,\"a\":2}"}}]}}],"usage":{"prompt_tokens":5,"completion_tokens":0,"total_tokens":5}}`
	s := serve(t, status(200, body))
	r, err := s.model(t).Complete(t.Context(), request(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := provider.Response{Finish: provider.FinishToolCalls, Model: "small-2026", Blocks: []provider.Block{
		{Type: provider.TypeReasoning, Text: "hm"},
		{Type: provider.TypeToolCall, ID: "c1", Name: "read", Arguments: []byte(`{"a":2,"b":1}`)},
	}, Usage: &provider.Usage{InputTokens: ptr(int64(5)), OutputTokens: ptr(int64(0))}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	if gjson.Get(s.bodies[0], "stream").Exists() {
		t.Error("asked for a stream that nobody listens to")
	}
}

// Usage that is missing, null, zero, said twice, or first a place-holder (T2, T5), streamed and whole.
func TestUsage(t *testing.T) {
	usage := func(u string) string { return `{"id":"1","model":"m","choices":[],"usage":` + u + `}` }
	zero := &provider.Usage{InputTokens: ptr(int64(0)), OutputTokens: ptr(int64(0))}
	for _, c := range []struct {
		name   string
		events []string
		want   *provider.Usage
	}{
		{"missing", nil, nil},
		{"null", []string{usage("null")}, nil},
		{"empty", []string{usage("{}")}, nil},
		{"zeros", []string{usage(`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`)}, zero},
		{"one field", []string{usage(`{"completion_tokens":7}`)}, &provider.Usage{OutputTokens: ptr(int64(7))}},
		{"nonsense", []string{usage(`{"prompt_tokens":"many","completion_tokens":-1,"cost":"x"}`)}, nil},
		{"twice", []string{usage(`{"prompt_tokens":10,"completion_tokens":350}`), usage(`{"prompt_tokens":10,"completion_tokens":350}`)},
			&provider.Usage{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(350))}},
		{"a place-holder first, the last without it", []string{usage(`{"prompt_tokens":10,"completion_tokens":1}`), usage(`{"prompt_tokens":10,"completion_tokens":120}`), usage(`{"completion_tokens":350}`), usage("null")},
			&provider.Usage{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(350))}},
		{"more cached than there is", []string{usage(`{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":11}}`)},
			&provider.Usage{InputTokens: ptr(int64(0)), OutputTokens: ptr(int64(1)), CacheReadTokens: ptr(int64(11))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, events(append(append([]string{head, text("x"), stop}, c.events...), done)...))
			r, _, err := ask(t, s.model(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, r.Usage); diff != "" {
				t.Error(diff)
			}
		})
	}
	for body, want := range map[string]*provider.Usage{
		``: nil, `,"usage":null`: nil, `,"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`: zero,
	} {
		s := serve(t, status(200, `{"id":"1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"x"}}]`+body+`}`))
		r, err := s.model(t).Complete(t.Context(), request(), nil)
		if diff := cmp.Diff(want, r.Usage); err != nil || diff != "" {
			t.Error(body, err, diff)
		}
	}
}

func TestFinish(t *testing.T) {
	call := func(arguments string) string {
		return choice(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"read","arguments":"`+arguments+`"}}]}`, "")
	}
	read := provider.Block{Type: provider.TypeToolCall, ID: "c1", Name: "read", Arguments: []byte(`{}`)}
	for _, c := range []struct {
		name   string
		events []string
		finish provider.Finish
		blocks []provider.Block
	}{
		{"an empty answer", []string{head, stop}, provider.FinishStop, nil},
		{"length", []string{text("half"), choice("{}", "length")}, provider.FinishLength, []provider.Block{provider.Text("half")}},
		{"a call that the cap cut", []string{call(`{\"path`), choice("{}", "length")}, provider.FinishLength, nil},
		{"a filter", []string{text("I"), choice("{}", "content_filter")}, provider.FinishContentFilter, []provider.Block{provider.Text("I")}},
		{"a refusal", []string{choice(`{"refusal":"No."}`, ""), stop}, provider.FinishContentFilter, []provider.Block{provider.Text("No.")}},
		{"a call that ends with stop", []string{call(""), stop}, provider.FinishToolCalls, []provider.Block{read}},
		{"tool_calls without a call", []string{text("x"), choice("{}", "tool_calls")}, provider.FinishStop, []provider.Block{provider.Text("x")}},
		{"another choice", []string{text("x"), `{"choices":[{"index":1,"delta":{"content":"y"},"finish_reason":"length"}]}`, stop}, provider.FinishStop, []provider.Block{provider.Text("x")}},
		{"an error that is null", []string{`{"error":null,"choices":[{"index":0,"delta":{"content":"x"}}]}`, stop}, provider.FinishStop, []provider.Block{provider.Text("x")}},
		{"without [DONE]", []string{text("x"), stop}, provider.FinishStop, []provider.Block{provider.Text("x")}},
		{"reasoning under two names", []string{choice(`{"reasoning":"a"}`, ""), choice(`{"reasoning_content":"b"}`, ""), text("c"), choice(`{"reasoning":"d"}`, ""), stop}, provider.FinishStop,
			[]provider.Block{{Type: provider.TypeReasoning, Text: "ab"}, provider.Text("c"), {Type: provider.TypeReasoning, Text: "d"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, err := ask(t, serve(t, events(c.events...)).model(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.blocks, r.Blocks); diff != "" || r.Finish != c.finish {
				t.Errorf("%s, want %s: %s", r.Finish, c.finish, diff)
			}
		})
	}
}

// Calls in fragments, two at once, interleaved, as servers of the dialect send them.
func TestToolCalls(t *testing.T) {
	fragment := func(call string) string { return choice(`{"tool_calls":[`+call+`]}`, "") }
	two := []provider.Block{
		{Type: provider.TypeToolCall, ID: "a", Name: "read", Arguments: []byte(`{"path":"go.mod"}`)},
		{Type: provider.TypeToolCall, ID: "b", Name: "list", Arguments: []byte(`{}`)},
	}
	for _, c := range []struct {
		name   string
		events []string
		want   []provider.Block
	}{
		{"fragments", []string{
			fragment(`{"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}`),
			fragment(`{"index":0,"function":{"arguments":"{\"path\""}}`),
			fragment(`{"index":1,"id":"b","type":"function","function":{"name":"list","arguments":"{"}}`),
			fragment(`{"index":0,"function":{"arguments":":\"go.mod\"}"}}`),
			fragment(`{"index":1,"function":{"arguments":"}"}}`),
		}, two},
		{"whole, without an index", []string{
			fragment(`{"id":"a","function":{"name":"read","arguments":"{\"path\":\"go.mod\"}"}}`),
			fragment(`{"id":"b","function":{"name":"list","arguments":"{}"}}`),
		}, two},
		{"the ID and the name each time", []string{
			fragment(`{"index":0,"id":"a","function":{"name":"read","arguments":"{\"path\":"}}`),
			fragment(`{"index":0,"id":"a","function":{"name":"read","arguments":"\"go.mod\"}"}}`),
			fragment(`{"index":1,"id":"b","function":{"name":"list","arguments":null}}`),
		}, two},
		{"a signature", []string{
			fragment(`{"index":0,"id":"a","extra_content":{"google":{"thought_signature":"sig"}},"function":{"name":"read","arguments":"{}"}}`),
		}, []provider.Block{{Type: provider.TypeToolCall, ID: "a", Name: "read", Arguments: []byte(`{}`), Signature: ptr("sig")}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, deltas, err := ask(t, serve(t, events(append(c.events, choice("{}", "tool_calls"), done)...)).model(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, r.Blocks); diff != "" || r.Finish != provider.FinishToolCalls {
				t.Error(r.Finish, diff)
			}
			for i, d := range deltas {
				if diff := cmp.Diff(&c.want[i], d.ToolCall); diff != "" {
					t.Error(diff)
				}
			}
			if len(deltas) != len(c.want) {
				t.Errorf("%d deltas", len(deltas))
			}
		})
	}
}

func TestCallsWithoutID(t *testing.T) {
	call := choice(`{"tool_calls":[{"index":0,"id":"","function":{"name":"read","arguments":"{}"}},{"index":1,"function":{"name":"read","arguments":"{\"a\":1}"}}]}`, "tool_calls")
	r, _, err := ask(t, serve(t, events(call)).model(t))
	if err != nil || len(r.Blocks) != 2 || r.Blocks[0].ID == "" || r.Blocks[0].ID == r.Blocks[1].ID {
		t.Errorf("%+v, %v", r.Blocks, err)
	}
}

// What goes wrong after the answer has begun: no further attempt, and what came is beside the error.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply func(http.ResponseWriter, *http.Request)
		says  string
	}{
		{"cut off", events(head, text("half"), counts), "broke off"},
		{"cut off without a line end", func(w http.ResponseWriter, r *http.Request) {
			events(text("half"), counts)(w, r)
			w.Write([]byte(`data: {"choices":[{"index":0,"delta":{"content":"lost"}`))
		}, "broke off"},
		{"reset", func(w http.ResponseWriter, r *http.Request) {
			events(text("half"), counts)(w, r)
			panic(http.ErrAbortHandler)
		}, "broke off"},
		{"a malformed event", events(text("half"), counts, `{"choices":[{"index":0,`), "cannot read"},
		{"an event that is no object", events(text("half"), counts, `"the body's words"`), "cannot read"},
		{"an error in the stream", events(text("half"), counts, `{"error":{"code":502,"message":"the body's words `+secret+`"}}`), "failed (HTTP 502)"},
		{"an error without a code", events(text("half"), counts, `{"error":"the body's words"}`), "reports an error"},
		{"an error as the end", events(text("half"), counts, choice("{}", "error")), "reports an error"},
		{"an unknown end", events(text("half"), counts, choice("{}", "the body's words")), "reason"},
		{"arguments that are no JSON", events(text("half"), counts, choice(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{the body's words"}}]}`, "tool_calls")), "arguments"},
		{"arguments with a duplicate key", events(text("half"), counts, choice(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"a\":1,\"a\":2}"}}]}`, "tool_calls")), "arguments"},
		{"a call without a name", events(text("half"), counts, choice(`{"tool_calls":[{"index":0,"id":"a","function":{"arguments":"{}"}}]}`, "tool_calls")), "without a name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.reply)
			r, deltas, err := ask(t, s.model(t))
			if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), `"near"`) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			if r.Text() != "half" || r.Finish != provider.FinishError || len(r.ToolCalls()) != 0 || r.Usage == nil || *r.Usage.OutputTokens != 7 {
				t.Errorf("beside the error %+v", r)
			}
			if len(deltas) != 1 || len(s.bodies) != 1 {
				t.Errorf("%d deltas, %d attempts", len(deltas), len(s.bodies))
			}
		})
	}
}

func TestLongAnswer(t *testing.T) {
	const pieces, size = 1000, 1024
	piece := text(strings.Repeat("x", size))
	long := func(n int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for range n {
				if _, err := w.Write([]byte("data: " + piece + "\n\n")); err != nil {
					return
				}
			}
			w.Write([]byte("data: " + stop + "\n\n"))
		}
	}
	r, _, err := ask(t, serve(t, long(pieces)).model(t))
	if err != nil || len(r.Text()) != pieces*size {
		t.Errorf("%d bytes, %v", len(r.Text()), err)
	}
	r, _, err = ask(t, serve(t, long(9*pieces)).model(t))
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "more than") || r.Finish != provider.FinishError {
		t.Errorf("a flood: %v", err)
	}
}

func TestCancel(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hang := func(w http.ResponseWriter, r *http.Request) {
		events(head, text("half"))(w, r)
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, hang)
	r, err := s.model(t).Complete(ctx, request(), func(provider.Delta) error { cancel(); return nil })
	checkError(t, err)
	if !errors.Is(err, context.Canceled) || errors.Is(err, plumbing.ErrModel) || r.Text() != "half" || len(s.bodies) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	late, stopLate := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stopLate()
	_, err = serve(t, hang).model(t).Complete(late, request(), nil)
	checkError(t, err)
	if !errors.Is(err, plumbing.ErrModel) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline: %v", err)
	}
}

func TestListenerFails(t *testing.T) {
	mine := errors.New("mine")
	s := serve(t, events(head, text("half"), text(" more"), stop))
	calls := 0
	r, err := s.model(t).Complete(t.Context(), request(), func(provider.Delta) error { calls++; return mine })
	if !errors.Is(err, mine) || errors.Is(err, plumbing.ErrModel) || calls != 1 || r.Text() != "half" {
		t.Errorf("%d calls, %+v, %v", calls, r, err)
	}
}

func TestTogether(t *testing.T) {
	m := serve(t, events(head, text("a"), text("b"), stop, counts, done)).model(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			got := ""
			r, err := m.Complete(context.Background(), request(), func(d provider.Delta) error { got += d.Text; return nil })
			if err != nil || got != "ab" || r.Text() != "ab" {
				t.Errorf("%q, %+v, %v", got, r, err)
			}
		})
	}
	wait.Wait()
}
