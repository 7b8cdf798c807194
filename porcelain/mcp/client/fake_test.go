package client

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mode is the variable that makes the test binary a server.
const mode = "LECODE_TEST_SERVER"

func TestMain(m *testing.M) {
	if how := os.Getenv(mode); how != "" {
		serve(how, os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// message is any message of the protocol.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

type object = map[string]any

// fake is a server that misbehaves as it is told.
type fake struct {
	how   string
	in    *bufio.Reader
	out   io.Writer
	extra bool // it has another tool
}

func serve(how string, in io.Reader, out io.Writer) {
	f := &fake{how: how, in: bufio.NewReader(in), out: out}
	switch how {
	case "stay":
		time.Sleep(10 * time.Minute)
		return
	case "never":
		if dir := os.Getenv("PIDS"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, fmt.Sprint(os.Getpid())), nil, 0o600)
		}
	case "exit":
		fmt.Fprintln(os.Stderr, "no \x1b[31mlicence")
		os.Exit(3)
	case "garbage":
		fmt.Fprint(out, "starting up…\n\n{\"a\":\n[1]\n\xff\xfe\n")
	case "garbage-flood":
		for range maxGarbage + 10 {
			fmt.Fprintln(out, "hello")
		}
	case "slow":
		for {
			if _, err := os.Stat(os.Getenv("GO")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	for {
		m, err := f.read()
		if err != nil {
			return
		}
		f.handle(m)
	}
}

func (f *fake) read() (message, error) {
	line, err := f.in.ReadBytes('\n')
	if err != nil {
		return message{}, err
	}
	var m message
	return m, json.Unmarshal(line, &m)
}

func (f *fake) send(m message) {
	m.Version = "2.0"
	b, err := json.Marshal(m)
	if err == nil {
		_, err = f.out.Write(append(b, '\n'))
	}
	if err != nil {
		os.Exit(9)
	}
}

func (f *fake) handle(m message) {
	switch m.Method {
	case "initialize":
		switch f.how {
		case "never":
			return
		case "modern":
			f.send(message{ID: m.ID, Error: object{"code": -32601, "message": "what?"}})
			return
		}
		f.send(message{ID: m.ID, Result: object{"protocolVersion": legacy, "serverInfo": object{"name": "fake", "version": "1"},
			"capabilities": object{"tools": object{"listChanged": true}}}})
	case "server/discover":
		f.send(message{ID: m.ID, Result: object{"supportedVersions": []string{"2026-07-28"}, "capabilities": object{"tools": object{}}}})
	case "tools/list":
		f.send(message{ID: m.ID, Result: object{"tools": f.tools()}})
		if f.how == "deaf" {
			select {}
		}
	case "tools/call":
		f.call(m)
	case "notifications/cancelled":
		if path := os.Getenv("CANCELLED"); path != "" {
			_ = os.WriteFile(path, nil, 0o600)
		}
	}
}

func tool(name string) object {
	return object{"name": name, "description": "does " + name, "inputSchema": object{"type": "object"}}
}

func (f *fake) tools() []object {
	var all []object
	switch f.how {
	case "huge":
		for i := range 20_000 {
			all = append(all, tool(fmt.Sprintf("t%d", i)))
		}
		return all
	case "weird":
		schemas := []any{nil, 7, []any{}, object{}, object{"type": "array"}, object{"type": "object", "properties": 1},
			object{"type": "object", "properties": object{"a": 1}}, object{"type": "object", "required": []any{1}},
			object{"type": "object", "pattern": "a\u202eb"}, object{"type": "object", "description": strings.Repeat("x", maxSchema)}, nest(maxLevels + 1)}
		for i, schema := range schemas {
			t := tool(fmt.Sprintf("bad%d", i))
			t["inputSchema"] = schema
			all = append(all, t)
		}
		good := tool("good")
		good["description"] = "ig\u202enore\x1b[2J" + strings.Repeat("é", 4_000)
		good["inputSchema"] = object{"type": "object", "properties": object{"a": object{"type": "string", "description": "b\u200bc"}}}
		good["annotations"] = object{"readOnlyHint": true}
		return append(all, good, tool("good"), tool("a.b"), tool("a b"), tool(strings.Repeat("long", 30)), tool(""), tool("read"))
	}
	names := []string{"echo", "env", "die", "hang", "line", "notify", "requests", "ask", "deep", "more", "refuse", "fail", "image", "structured", "child", "read"}
	if f.extra {
		names = append(names, "extra")
	}
	for _, name := range names {
		all = append(all, tool(name))
	}
	return all
}

func nest(n int) object {
	o := object{"type": "object"}
	for range n {
		o = object{"type": "object", "properties": object{"a": o}}
	}
	return o
}

func (f *fake) text(m message, text string) {
	f.send(message{ID: m.ID, Result: object{"content": []object{{"type": "text", "text": text}}}})
}

func (f *fake) call(m message) {
	var p struct {
		Name      string
		Arguments json.RawMessage
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		os.Exit(8)
	}
	switch p.Name {
	case "echo", "read":
		f.text(m, string(p.Arguments))
	case "env":
		f.text(m, os.Getenv("LECODE_READONLY")+" "+os.Getenv("MINE")+" "+os.Getenv("BASE")+" "+fmt.Sprint(os.Getpid()))
	case "die":
		os.Exit(4)
	case "line":
		f.endless("x")
	case "notify":
		f.endless(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n")
	case "requests":
		f.endless(`{"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{}}` + "\n")
	case "ask":
		f.text(m, f.ask("sampling/createMessage", "elicitation/create", "roots/list", "ping"))
	case "deep":
		fmt.Fprintf(f.out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":%s%s}}`+"\n", m.ID, strings.Repeat("[", 1<<20), strings.Repeat("]", 1<<20))
	case "more":
		f.extra = true
		f.send(message{Method: "notifications/tools/list_changed"})
		f.text(m, "more")
	case "refuse":
		f.send(message{ID: m.ID, Error: object{"code": -32000, "message": "not today"}})
	case "fail":
		f.send(message{ID: m.ID, Result: object{"isError": true, "content": []object{{"type": "text", "text": "it broke"}}}})
	case "image":
		f.send(message{ID: m.ID, Result: object{"content": []object{
			{"type": "image", "mimeType": "image/png", "data": []byte("\x89PNG\r\n\x1a\n.")}, {"type": "image", "mimeType": "image/png", "data": []byte("no picture")},
			{"type": "audio", "mimeType": "audio/wav", "data": make([]byte, maxFiles+1)}, {"type": "resource_link", "uri": "file:///a\u202eb", "name": "x"},
			{"type": "resource", "resource": object{"uri": "x", "text": "within"}}}}})
	case "structured":
		f.send(message{ID: m.ID, Result: object{"content": []object{}, "structuredContent": object{"b": 1, "a": []int{2}}}})
	case "child":
		c := exec.Command(os.Args[0])
		c.Env = []string{mode + "=stay"}
		if err := c.Start(); err != nil {
			os.Exit(7)
		}
		f.text(m, fmt.Sprint(c.Process.Pid))
	}
}

// endless writes until nobody takes it.
func (f *fake) endless(what string) {
	b := []byte(strings.Repeat(what, 1+(64<<10)/len(what)))
	for {
		if _, err := f.out.Write(b); err != nil {
			os.Exit(6)
		}
	}
}

// ask sends requests and says how each was answered.
func (f *fake) ask(methods ...string) string {
	var got []string
	for i, method := range methods {
		f.send(message{ID: json.RawMessage(fmt.Sprint(100 + i)), Method: method, Params: json.RawMessage("{}")})
		for {
			m, err := f.read()
			if err != nil {
				os.Exit(5)
			}
			if m.Method == "" {
				b, _ := json.Marshal(m.Error)
				got = append(got, method+" "+string(b))
				break
			}
		}
	}
	return strings.Join(got, "\n")
}

func unmarshal(in string, v any) error { return json.Unmarshal([]byte(in), v) }
