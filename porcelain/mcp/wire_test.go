package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFrames: what is no message is answered with an error, and what comes after it is served.
func TestFrames(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	const pong = `{"jsonrpc":"2.0","id":7,"result":{}}`
	bad := func(id string, code int, message string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
	}
	const noJSON, noID, noMessage = "this is not JSON in UTF-8", "an id is a string or a whole number", "this is no JSON-RPC 2.0 message"
	for name, c := range map[string]struct {
		frame string
		want  []string
	}{
		"not JSON":            {"hello", []string{bad("null", -32700, noJSON)}},
		"two on a line":       {ping + ping, []string{bad("null", -32700, noJSON)}},
		"bad UTF-8":           {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", []string{bad("null", -32700, noJSON)}},
		"blank":               {" \t\r", nil},
		"a batch":             {"[" + ping + "]", []string{bad("null", -32600, "batches are not supported: send one message a line")}},
		"a string":            {`"ping"`, []string{bad("null", -32600, "a message is a JSON object")}},
		"id true":             {`{"jsonrpc":"2.0","id":true,"method":"ping"}`, []string{bad("null", -32600, noID)}},
		"id null":             {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, []string{bad("null", -32600, noID)}},
		"id 1.5":              {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, []string{bad("null", -32600, noID)}},
		"id too large":        {`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, []string{bad("null", -32600, noID)}},
		"id an object":        {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, []string{bad("null", -32600, noID)}},
		"id twice":            {`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, []string{bad("null", -32600, `the message has "id" twice`)}},
		"id a string":         {`{"jsonrpc":"2.0","id":"ä","method":"ping"}`, []string{`{"jsonrpc":"2.0","id":"ä","result":{}}`}},
		"no version":          {`{"id":3,"method":"ping"}`, []string{bad("3", -32600, noMessage)}},
		"a method of 3":       {`{"jsonrpc":"2.0","id":3,"method":3}`, []string{bad("3", -32600, noMessage)}},
		"neither":             {`{"jsonrpc":"2.0","id":3}`, nil}, // an answer to nothing
		"an unknown method":   {`{"jsonrpc":"2.0","id":3,"method":"memory/erase"}`, []string{bad("3", -32601, `method not found: "memory/erase"`)}},
		"an unknown notice":   {`{"jsonrpc":"2.0","method":"notifications/erase"}`, nil},
		"params of no object": {`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":[1]}`, nil},
		"too long":            {`{"x":"` + strings.Repeat("y", MaxFrame) + `"}`, []string{bad("null", -32600, "a frame has more than 16777216 bytes")}},
	} {
		t.Run(name, func(t *testing.T) {
			got := exchange(t, newWorld(t).options(), hello+c.frame+"\n"+ping+"\n")
			rest, hi := map[string]bool{}, false
			for _, answer := range got {
				rest[answer] = true
				hi = hi || strings.Contains(answer, `"protocolVersion":"2025-06-18"`)
			}
			if !hi {
				t.Errorf("no answer to initialize in %q", got)
			}
			if !rest[pong] {
				t.Errorf("what came after it was not served: %q", got)
			}
			for _, want := range c.want {
				if !rest[want] {
					t.Errorf("no %s in %q", want, got)
				}
			}
		})
	}
}

// TestFrameAtEnd: the end of input is no error, in the middle of a frame or
// not, and everything asked before it is answered.
func TestFrameAtEnd(t *testing.T) {
	w := newWorld(t)
	var frames strings.Builder
	for i := range 200 {
		fmt.Fprintf(&frames, `{"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"name":"memory_list","arguments":{}}}`+"\n", i)
	}
	got := exchange(t, w.options(), hello+frames.String()+`{"jsonrpc":"2.0","id":1,"me`)
	answered := map[string]int{}
	for _, line := range got {
		var a struct {
			ID any `json:"id"`
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		answered[fmt.Sprint(a.ID)]++
	}
	for i := range 200 {
		if id := fmt.Sprint("c", i); answered[id] != 1 {
			t.Errorf("%s has %d answers", id, answered[id])
		}
	}
	// A last frame without its newline is one.
	if got := exchange(t, w.options(), strings.TrimSuffix(hello, "\n")+"\n"+`{"jsonrpc":"2.0","id":1,"method":"ping"}`); len(got) != 2 {
		t.Errorf("%q", got)
	}
	if got := exchange(t, w.options(), ""); got != nil {
		t.Errorf("nothing asked, %q answered", got)
	}
}

// TestSameIDTwice: the second is refused while the first waits; the first is answered once.
func TestSameIDTwice(t *testing.T) {
	w := newWire(strings.NewReader(""), io.Discard)
	msg, bad := w.message(frame{line: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
	if msg == nil || bad != nil {
		t.Fatal(msg, bad)
	}
	if _, bad = w.message(frame{line: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)}); bad == nil {
		t.Error("the same id again is taken")
	}
}

// broken is an output that nobody reads any more.
type broken struct{}

var errBroken = errors.New("broken")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestServeEnds(t *testing.T) {
	w := newWorld(t)
	in, out := io.Pipe()
	defer out.Close()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- New(w.options()).Serve(ctx, in, io.Discard) }()
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	for name, frames := range map[string]string{"an answer": hello, "a refusal": "no JSON\n"} {
		if err := New(w.options()).Serve(context.Background(), strings.NewReader(frames), broken{}); !errors.Is(err, errBroken) {
			t.Errorf("%s that cannot be written: %v", name, err)
		}
	}
}

// TestCancelled: a request that its client takes back keeps the server from nothing.
func TestCancelled(t *testing.T) {
	w := newWorld(t)
	opt := w.options()
	began := make(chan bool)
	opt.Section = func(ctx context.Context) (string, error) {
		began <- true
		<-ctx.Done()
		return "", ctx.Err()
	}
	in, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- New(opt).Serve(context.Background(), in, io.Discard) }()
	fmt.Fprint(out, hello+`{"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"memory"}}`+"\n")
	<-began
	fmt.Fprint(out, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`+"\n")
	out.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// FuzzFrames: whatever comes in, what goes out is frames, and the server ends with its input.
func FuzzFrames(f *testing.F) {
	for _, s := range []string{"", "x", hello, "[]\n{}\n", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_recall","arguments":{"fact_id":"f-"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"lecode://note/notes/..%2F..%2Fx.md"}}`, "\x00\n\xff\n"} {
		f.Add([]byte(s))
	}
	w := newWorld(f)
	f.Fuzz(func(t *testing.T, frames []byte) {
		exchange(t, w.options(), hello+string(frames))
	})
}

func TestLook(t *testing.T) {
	id, bad := look([]byte(`{"id":"a\u0041","x":1}`))
	if diff := cmp.Diff(`"a\u0041"`, string(id)); diff != "" || bad != nil {
		t.Error(diff, bad)
	}
}
