package anthropic

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/provider/network"
)

const (
	head = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"small-2026","content":[],"stop_reason":null,"usage":{"input_tokens":36,"cache_read_input_tokens":64,"cache_creation_input_tokens":0,"output_tokens":1}}}`
	bare = `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"small-2026","content":[]}}`
	ping = `{"type":"ping"}`
	over = `{"type":"message_stop"}`
)

func open(i int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, block)
}

func more(i int, delta string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, delta)
}

func end(i int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i) }

func text(i int, s string) string { return more(i, `{"type":"text_delta","text":"`+s+`"}`) }

func partial(i int, s string) string {
	return more(i, `{"type":"input_json_delta","partial_json":"`+s+`"}`)
}

// stop is how an answer ends; usage may be "".
func stop(reason, usage string) string {
	if usage != "" {
		usage = `,"usage":` + usage
	}
	return `{"type":"message_delta","delta":{"stop_reason":"` + reason + `","stop_sequence":null}` + usage + `}`
}

const emptyText = `{"type":"text","text":""}`

func TestStream(t *testing.T) {
	s := serve(t, events(head, ping,
		open(0, `{"type":"thinking","thinking":"","signature":""}`), more(0, `{"type":"thinking_delta","thinking":"Let me"}`), more(0, `{"type":"thinking_delta","thinking":" see."}`), more(0, `{"type":"signature_delta","signature":"sig"}`), end(0),
		open(1, `{"type":"redacted_thinking","data":"opaque"}`), end(1),
		open(2, emptyText), text(2, "Because "), `{"type":"a_new_event","x":1}`, text(2, "so."), end(2),
		open(3, emptyText), text(3, "Also."), end(3),
		open(4, `{"type":"tool_use","id":"t1","name":"read","input":{}}`), partial(4, ""), partial(4, `{\"path\":`), partial(4, `\"go.mod\"}`), end(4),
		open(5, `{"type":"tool_use","id":"t2","name":"list","input":{}}`), end(5),
		stop("tool_use", `{"output_tokens":350}`), over))
	r, deltas, err := ask(t, s.model(t))
	if err != nil {
		t.Fatal(err)
	}
	calls := []provider.Block{
		{Type: provider.TypeToolCall, ID: "t1", Name: "read", Arguments: []byte(`{"path":"go.mod"}`)},
		{Type: provider.TypeToolCall, ID: "t2", Name: "list", Arguments: []byte(`{}`)},
	}
	want := provider.Response{Finish: provider.FinishToolCalls, Model: "small-2026", Blocks: []provider.Block{
		{Type: provider.TypeReasoning, Text: "Let me see.", Signature: ptr("sig")},
		{Type: provider.TypeReasoning, Data: "opaque"},
		provider.Text("Because so."), provider.Text("Also."), calls[0], calls[1],
	}, Usage: &provider.Usage{InputTokens: ptr(int64(36)), CacheReadTokens: ptr(int64(64)), CacheWriteTokens: ptr(int64(0)), OutputTokens: ptr(int64(350))}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
	pieces := []provider.Delta{{Reasoning: "Let me"}, {Reasoning: " see."}, {Text: "Because "}, {Text: "so."}, {Text: "Also."}, {ToolCall: &calls[0]}, {ToolCall: &calls[1]}}
	if diff := cmp.Diff(pieces, deltas); diff != "" {
		t.Error(diff)
	}
	for path, want := range map[string]string{"stream": "true", "max_tokens": "321", "model": "small", "system.0.text": "be brief", "messages.0.content.0.text": "why?", "thinking": ""} {
		if got := gjson.Get(s.bodies[0], path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if !strings.Contains(fmt.Sprint(s.headers[0]), secret) || s.headers[0].Get("Anthropic-Version") == "" {
		t.Errorf("headers %v", s.headers[0])
	}
	// A reply to the same question that nobody listens to is the same.
	quiet, err := s.model(t).Complete(t.Context(), request(), nil)
	if diff := cmp.Diff(want, quiet); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

// Usage that is missing, null, zero, said twice, or first a place-holder (T2, T5).
func TestUsage(t *testing.T) {
	began := func(usage string) string {
		return `{"type":"message_start","message":{"id":"m","model":"small-2026","content":[],"usage":` + usage + `}}`
	}
	changed := func(usage string) string {
		return `{"type":"message_delta","delta":{"stop_reason":null},"usage":` + usage + `}`
	}
	for _, c := range []struct {
		name   string
		events []string
		want   *provider.Usage
	}{
		{"missing", []string{bare, stop("end_turn", "")}, nil},
		{"null", []string{began("null"), stop("end_turn", "null")}, nil},
		{"nonsense", []string{began(`{"input_tokens":"many","output_tokens":-1}`), stop("end_turn", "{}")}, nil},
		{"zeros", []string{began(`{"input_tokens":0,"output_tokens":0}`), stop("end_turn", `{"output_tokens":0}`)}, &provider.Usage{InputTokens: ptr(int64(0)), OutputTokens: ptr(int64(0))}},
		{"1, 120, 350", []string{began(`{"input_tokens":10,"output_tokens":1}`), changed(`{"output_tokens":120}`), stop("end_turn", `{"output_tokens":350}`)}, &provider.Usage{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(350))}},
		{"1, 120, 350, and the last without", []string{began(`{"input_tokens":10,"output_tokens":1}`), changed(`{"output_tokens":120}`), changed(`{"output_tokens":350}`), stop("end_turn", "")}, &provider.Usage{InputTokens: ptr(int64(10)), OutputTokens: ptr(int64(350))}},
		{"the prompt said twice", []string{began(`{"input_tokens":10,"output_tokens":1}`), stop("end_turn", `{"input_tokens":12,"cache_read_input_tokens":3,"output_tokens":2}`)}, &provider.Usage{InputTokens: ptr(int64(12)), CacheReadTokens: ptr(int64(3)), OutputTokens: ptr(int64(2))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, err := ask(t, serve(t, events(append(c.events, over)...)).model(t))
			if diff := cmp.Diff(c.want, r.Usage); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestFinish(t *testing.T) {
	call := []string{open(0, `{"type":"tool_use","id":"t1","name":"read","input":{}}`), partial(0, `{\"path`), end(0)}
	said := []string{open(0, emptyText), text(0, "x"), end(0)}
	for _, c := range []struct {
		name   string
		events []string
		reason string
		finish provider.Finish
		text   string
	}{
		{"an empty answer", nil, "end_turn", provider.FinishStop, ""},
		{"a stop sequence", said, "stop_sequence", provider.FinishStop, "x"},
		{"length", said, "max_tokens", provider.FinishLength, "x"},
		{"the window", said, "model_context_window_exceeded", provider.FinishLength, "x"},
		{"a call that the cap cut", call, "max_tokens", provider.FinishLength, ""},
		{"a refusal", said, "refusal", provider.FinishContentFilter, "x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _, err := ask(t, serve(t, events(append(append([]string{head}, c.events...), stop(c.reason, ""), over)...)).model(t))
			if err != nil || r.Finish != c.finish || r.Text() != c.text || len(r.ToolCalls()) != 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// What goes wrong after the answer has begun: no further attempt, and what came is beside the error.
func TestBroken(t *testing.T) {
	half := []string{head, open(0, emptyText), text(0, "half")}
	and := func(more ...string) func(http.ResponseWriter, *http.Request) { return events(append(half, more...)...) }
	for _, c := range []struct {
		name  string
		reply func(http.ResponseWriter, *http.Request)
		says  string
	}{
		{"cut off", and(), "broke off"},
		{"cut off within an event", func(w http.ResponseWriter, r *http.Request) {
			and()(w, r)
			w.Write([]byte("event: content_block_delta\ndata: {\"type\":"))
		}, "broke off"},
		{"reset", func(w http.ResponseWriter, r *http.Request) { and()(w, r); panic(http.ErrAbortHandler) }, "broke off"},
		{"a malformed event", func(w http.ResponseWriter, r *http.Request) {
			and()(w, r)
			w.Write([]byte("event: content_block_delta\ndata: {the body's words\n\n"))
		}, "cannot read"},
		{"overloaded in the stream", and(`{"type":"error","error":{"type":"overloaded_error","message":"the body's words ` + secret + `"}}`), "failed (HTTP 529)"},
		{"an error of no known type", and(`{"type":"error","error":{"type":"odd","message":"the body's words"}}`), "reports an error"},
		{"an unknown end", and(stop("the body's words", "")), "reason"},
		{"a pause", and(stop("pause_turn", "")), "reason"},
		{"arguments that are no JSON", and(end(0), open(1, `{"type":"tool_use","id":"t1","name":"read","input":{}}`), partial(1, `{the body's words`), end(1), stop("tool_use", ""), over), "arguments"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.reply)
			r, deltas, err := ask(t, s.model(t))
			if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), `"near"`) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
			if r.Text() != "half" || r.Finish != provider.FinishError || len(r.ToolCalls()) != 0 || r.Usage == nil || *r.Usage.InputTokens != 36 {
				t.Errorf("beside the error %+v", r)
			}
			if len(deltas) != 1 || len(s.bodies) != 1 {
				t.Errorf("%d deltas, %d attempts", len(deltas), len(s.bodies))
			}
		})
	}
}

func TestAttempts(t *testing.T) {
	bad := `{"type":"error","error":{"type":"t","message":"the body's words ` + secret + `"}}`
	good := events(head, open(0, emptyText), text(0, "x"), end(0), stop("end_turn", ""), over)
	overloaded := events(`{"type":"error","error":{"type":"overloaded_error","message":"the body's words"}}`)
	s := serve(t, status(429, bad, "Retry-After", "7"), status(529, bad), overloaded, good)
	r, _, err := ask(t, s.model(t))
	if err != nil || r.Text() != "x" {
		t.Errorf("%+v, %v", r, err)
	}
	if diff := cmp.Diff([]time.Duration{7 * time.Second, 2 * time.Second, 4 * time.Second}, s.waits); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		reply    func(http.ResponseWriter, *http.Request)
		attempts int
		says     string
	}{
		{status(500, bad), network.Attempts, "failed (HTTP 500), after 4 attempts"},
		{status(400, bad), 1, "refuses the request (HTTP 400)"},
		{status(401, bad), 1, "refuses the key (HTTP 401)"},
		{status(404, bad), 1, `does not have model "small"`},
		{status(402, `{"type":"error","error":{"type":"billing_error","message":"the body's words"}}`), 1, "no credit"},
		{status(200, `{"the body's words":1}`), 1, "no stream of events"},
		// The prompt is paid for once its usage was said, so it is not sent again.
		{events(head, `{"type":"error","error":{"type":"overloaded_error"}}`), 1, "failed (HTTP 529)"},
	} {
		s := serve(t, c.reply)
		_, _, err := ask(t, s.model(t))
		if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), c.says) || len(s.bodies) != c.attempts {
			t.Errorf("%d attempts, error %v, want %q", len(s.bodies), err, c.says)
		}
	}
}

// The key goes to no other address, whatever the server wants.
func TestRedirect(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	_, _, err := ask(t, serve(t, status(307, "", "Location", other.URL)).model(t))
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "redirects") || reached {
		t.Errorf("%v, reached %v", err, reached)
	}
}

func TestCancel(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	hang := func(w http.ResponseWriter, r *http.Request) {
		events(head, open(0, emptyText), text(0, "half"))(w, r)
		select {
		case <-r.Context().Done():
		case <-release:
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := serve(t, hang).model(t).Complete(ctx, request(), func(provider.Delta) error { cancel(); return nil })
	checkError(t, err)
	if !errors.Is(err, context.Canceled) || errors.Is(err, plumbing.ErrModel) || r.Text() != "half" || r.Usage == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestTogetherAndLong(t *testing.T) {
	long := strings.Repeat("x", 1024)
	list := []string{head, open(0, emptyText)}
	for range 1024 {
		list = append(list, text(0, long))
	}
	m := serve(t, events(append(list, end(0), stop("end_turn", ""), over)...)).model(t)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			if r, err := m.Complete(context.Background(), request(), nil); err != nil || len(r.Text()) != 1<<20 {
				t.Errorf("%d bytes, %v", len(r.Text()), err)
			}
		})
	}
	wait.Wait()
}

// No environment of the SDK's decides anything: no key where none is set, and no other address.
func TestReadsNoEnvironment(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"} {
		t.Setenv(name, secret)
	}
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Custom: "+secret)
	s := serve(t, events(bare, stop("end_turn", ""), over))
	if _, _, err := ask(t, s.model(t, func(p *provider.Spec) { p.Key, p.KeyEnv = "", "" })); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(fmt.Sprint(s.headers[0]), secret) {
		t.Error("a header comes from the environment")
	}
}
