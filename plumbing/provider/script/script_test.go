package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/provider"
)

func load(t *testing.T, lines ...string) (provider.Model, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return New(provider.Spec{Type: "script", Name: "s", Model: "m", File: file})
}

func must(t *testing.T, lines ...string) provider.Model {
	t.Helper()
	m, err := load(t, lines...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func question(text string) provider.Request {
	return provider.Request{MaxOutputTokens: 1, Messages: []provider.Message{{Role: "user", Content: []provider.Block{provider.Text(text)}}}}
}

const plain = `{"blocks":[{"text":"first","type":"text"}],"finish_reason":"stop","usage":{"input_tokens":3,"output_tokens":null}}`

func say(text string) string {
	return `{"response":{"blocks":[{"text":"` + text + `","type":"text"}],"finish_reason":"stop","model":"recorded"}}`
}

func TestInOrder(t *testing.T) {
	m := must(t, plain, "", say("second"))
	r, err := m.Complete(t.Context(), question("?"), nil)
	three := int64(3)
	want := provider.Response{Blocks: []provider.Block{provider.Text("first")}, Finish: provider.FinishStop, Model: "m", Usage: &provider.Usage{InputTokens: &three}}
	if diff := cmp.Diff(want, r); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if r, err = m.Complete(t.Context(), question("?"), nil); err != nil || r.Text() != "second" || r.Model != "recorded" || r.Usage != nil {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = m.Complete(t.Context(), question("?"), nil)
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "2 in all") || r.Finish != provider.FinishError {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMatch(t *testing.T) {
	m := must(t, `{"match":"tabs \"or\" spaces","response":`+plain+`}`, say("any"), `{"match":"\"max_output_tokens\":1,","response":`+plain+`}`)
	for _, c := range []struct{ question, want string }{{"other", "any"}, {`tabs "or" spaces?`, "first"}, {"other", "first"}} {
		if r, err := m.Complete(t.Context(), question(c.question), nil); err != nil || r.Text() != c.want {
			t.Errorf("%q: %+v, %v", c.question, r, err)
		}
	}
}

func TestDeltas(t *testing.T) {
	all := `{"blocks":[{"signature":null,"text":"hm","type":"reasoning"},{"text":"first","type":"text"},{"arguments":{},"id":"c","name":"read","type":"tool_call"}],"finish_reason":"tool_calls"}`
	call := provider.Block{Type: provider.TypeToolCall, ID: "c", Name: "read", Arguments: []byte("{}")}
	for _, c := range []struct {
		line string
		want []provider.Delta
	}{
		{all, []provider.Delta{{Reasoning: "hm"}, {Text: "first"}, {ToolCall: &call}}},
		{`{"deltas":["fi","rst"],"response":` + all + `}`, []provider.Delta{{Text: "fi"}, {Text: "rst"}, {Reasoning: "hm"}, {ToolCall: &call}}},
	} {
		var got []provider.Delta
		_, err := must(t, c.line).Complete(t.Context(), question("?"), func(d provider.Delta) error { got = append(got, d); return nil })
		if diff := cmp.Diff(c.want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	}
	mine := errors.New("mine")
	if _, err := must(t, all).Complete(t.Context(), question("?"), func(provider.Delta) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("a listener that fails: %v", err)
	}
}

func TestErrorAndHang(t *testing.T) {
	m := must(t, `{"error":"overloaded","response":`+plain+`}`, `{"hang":true,"response":`+plain+`}`, `{"error":"nothing"}`)
	r, err := m.Complete(t.Context(), question("?"), nil)
	if !errors.Is(err, plumbing.ErrModel) || !strings.Contains(err.Error(), "overloaded") || r.Text() != "first" || r.Finish != provider.FinishError || r.Usage == nil {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err = m.Complete(ctx, question("?"), func(provider.Delta) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || errors.Is(err, plumbing.ErrModel) || r.Text() != "first" || r.Finish != provider.FinishError {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err = m.Complete(ctx, question("?"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

func TestTogether(t *testing.T) {
	lines := make([]string, 50)
	for i := range lines {
		lines[i] = say(strings.Repeat("x", i+1))
	}
	m := must(t, lines...)
	var mu sync.Mutex
	seen := map[string]bool{}
	var wait sync.WaitGroup
	for range lines {
		wait.Go(func() {
			r, err := m.Complete(context.Background(), question("?"), nil)
			mu.Lock()
			defer mu.Unlock()
			if err != nil || seen[r.Text()] {
				t.Errorf("%q twice, or %v", r.Text(), err)
			}
			seen[r.Text()] = true
		})
	}
	wait.Wait()
}

func TestWrongLines(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{`{"respones":{}}`, `"respones"`}, {`{}`, `"response"`}, {`{"match":"x"}`, `"response"`}, {`x`, "not valid JSON"},
		{`{"error":1}`, `"error"`}, {`{"hang":"yes"}`, `"hang"`}, {`{"deltas":"x","hang":true}`, `"deltas"`}, {`{"deltas":[""],"hang":true}`, `"deltas"`},
		{`{"blocks":[],"finish_reason":"end"}`, "finish_reason"}, {`{"response":{"finish_reason":"stop"}}`, "blocks"}, {`{"error":"a","error":"b"}`, "duplicate key"},
	} {
		_, err := load(t, plain, c.line)
		if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", c.line, err)
		}
	}
	if _, err := New(provider.Spec{File: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, plumbing.ErrNotFound) {
		t.Errorf("no file: %v", err)
	}
	if _, err := New(provider.Spec{File: t.TempDir()}); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("a folder: %v", err)
	}
}

func FuzzReadLine(f *testing.F) {
	for _, s := range []string{plain, say("x"), `{"hang":true,"deltas":["a"],"match":"m"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadLine(data)
		if err != nil && !errors.Is(err, plumbing.ErrInvalid) {
			t.Fatalf("not ErrInvalid: %v", err)
		}
		if err == nil && l.Response.Finish == "" && l.Error == "" && !l.Hang {
			t.Fatal("a line that answers nothing")
		}
	})
}
