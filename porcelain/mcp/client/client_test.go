package client

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// world is a client with its servers.
type world struct {
	*Client
	t testing.TB

	mu      sync.Mutex
	now     time.Time
	notices []string
}

// fakeServer is one that is this binary.
func fakeServer(how string, change ...func(*config.Server)) config.Server {
	s := config.Server{Command: []string{self()}, Env: map[string]string{mode: how, "MINE": "1", "LECODE_READONLY": "0"}, TimeoutSeconds: 30, Enabled: true}
	for _, c := range change {
		c(&s)
	}
	return s
}

func self() string {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return path
}

// start begins with servers; second is what a second of their time limits is, 0 a real one.
func start(t testing.TB, servers map[string]config.Server, second time.Duration) *world {
	w := &world{t: t, now: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	w.Client = Start(t.Context(), Options{Servers: servers, Env: []string{"BASE=2", "LECODE_READONLY=", "GOCOVERDIR=" + t.TempDir()}, Dir: t.TempDir(), Version: "test", second: second, unasked: 2_000,
		Now: func() time.Time {
			w.mu.Lock()
			defer w.mu.Unlock()
			return w.now
		},
		OnNotice: func(text string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.notices = append(w.notices, text)
		}})
	t.Cleanup(func() { w.Close() })
	return w
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

func (w *world) told() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.notices, "\n")
}

func (w *world) tool(name string) agent.Tool {
	w.t.Helper()
	all := w.Tools(w.t.Context())
	i := slices.IndexFunc(all, func(t agent.Tool) bool { return t.Name == name })
	if i < 0 {
		w.t.Fatalf("there is no tool %s; notices: %s", name, w.told())
	}
	return all[i]
}

func (w *world) call(ctx context.Context, name, arguments string) (agent.Result, error) {
	w.t.Helper()
	return w.tool(name).Run(ctx, agent.Call{Name: name, Arguments: []byte(arguments)})
}

// says calls a tool that has to answer.
func (w *world) says(name, arguments string) string {
	w.t.Helper()
	r, err := w.call(w.t.Context(), name, arguments)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return r.Text
}

func names(tools []agent.Tool) (all []string) {
	for _, t := range tools {
		all = append(all, t.Name)
	}
	return all
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	poll := time.NewTicker(2 * time.Millisecond)
	defer poll.Stop()
	for !so() {
		select {
		case <-poll.C:
		case <-limit.C:
			t.Fatalf("it never came to this: %s", what)
		}
	}
}

func TestCalls(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("normal")}, 0)
	if got := w.says("mcp__a__echo", `{"n":9007199254740993,"x":"é"}`); got != `{"n":9007199254740993,"x":"é"}`+"\n" {
		t.Errorf("arguments arrive as %s", got)
	}
	if got := w.says("mcp__a__env", "{}"); !strings.HasPrefix(got, "1 1 2 ") {
		t.Errorf("the environment is %q", got)
	}
	if got := w.says("mcp__a__structured", ""); got != `{"a":[2],"b":1}`+"\n" {
		t.Errorf("structured content is %s", got)
	}
	for tool, want := range map[string]string{"refuse": "the server answers with an error: not today\n", "fail": "it broke\n"} {
		r, err := w.call(t.Context(), "mcp__a__"+tool, "{}")
		if err != nil || !r.IsError || r.Text != want {
			t.Errorf("%s: %+v, %v", tool, r, err)
		}
	}
	r, err := w.call(t.Context(), "mcp__a__image", "{}")
	want := "[omitted: image/png, 10 bytes]\n[omitted: audio/wav, 5242881 bytes]\n[resource: file:///a<U+202E>b]\nwithin\n"
	if err != nil || r.Text != want || len(r.Files) != 1 || r.Files[0].MediaType != "image/png" {
		t.Errorf("files: %q, %d, %v", r.Text, len(r.Files), err)
	}
	got := w.says("mcp__a__ask", "{}")
	for _, method := range []string{"sampling/createMessage", "elicitation/create", "roots/list"} {
		if !strings.Contains(got, method+` {"code":-32601`) {
			t.Errorf("%s was not refused: %s", method, got)
		}
	}
	if !strings.HasSuffix(got, "ping null\n") {
		t.Errorf("ping was refused: %s", got)
	}
	if s := w.Servers(); s[0].State != Ready || s[0].Error != "" || s[0].Class != "network" {
		t.Errorf("status %+v", s)
	}
	if w.told() != "" {
		t.Errorf("notices: %s", w.told())
	}
}

func TestToolsOfSettings(t *testing.T) {
	w := start(t, map[string]config.Server{
		"r":   fakeServer("normal", func(s *config.Server) { s.Class, s.Tools = "read", []string{"echo", "nothing"} }),
		"off": {Command: []string{"/nowhere"}, TimeoutSeconds: 1},
		"n":   fakeServer("normal", func(s *config.Server) { s.Tools = []string{"read"} }),
	}, 0)
	tools := w.Tools(t.Context())
	if diff := cmp.Diff([]string{"mcp__n__read", "mcp__r__echo"}, names(tools)); diff != "" {
		t.Fatal(diff)
	}
	if n, r := tools[0], tools[1]; n.Class != permission.Network || n.Child || r.Class != permission.Read || !r.Child || r.Group != "mcp__r" {
		t.Errorf("%v %v, %v %v %s", n.Class, n.Child, r.Class, r.Child, r.Group)
	}
	need, err := tools[1].Needs(t.Context(), agent.Call{Arguments: []byte(`{"a":1}`)})
	want := permission.Need{Tool: "mcp__r__echo", Group: "mcp__r", Class: permission.Read, Summary: `r: echo {"a":1}`, Detail: `{"a":1}`}
	if diff := cmp.Diff(want, need); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got := w.told(); got != "mcp server r: it has no tool nothing, which mcp.r.tools names" {
		t.Errorf("notices: %s", got)
	}
}

func TestListChanges(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("normal")}, 0)
	before := len(w.Tools(t.Context()))
	w.says("mcp__a__more", "{}")
	// The notification is on its way beside the answer: look until it has come.
	limit, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	for {
		after := w.Tools(limit)
		if len(after) == before+1 && slices.Contains(names(after), "mcp__a__extra") {
			return
		}
		if limit.Err() != nil {
			t.Fatalf("%d tools, then %v", before, names(after))
		}
	}
}

func TestWeirdTools(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("weird")}, 0)
	tools := w.Tools(t.Context())
	var own []string
	for _, tool := range tools {
		if len(tool.Name) > 64 || len(tool.Description) > maxDescription || tool.Class != permission.Network {
			t.Errorf("%s: %d bytes of description, class %s", tool.Name, len(tool.Description), tool.Class)
		}
		if tool.Name == "mcp__a__good" {
			if strings.ContainsAny(tool.Description, "\u202e\x1b") || !strings.HasPrefix(tool.Description, "From the MCP server a, in its words: ig<U+202E>nore") {
				t.Errorf("description %q", tool.Description)
			}
			if want := `{"properties":{"a":{"description":"b<U+200B>c","type":"string"}},"type":"object"}`; string(tool.Schema) != want {
				t.Errorf("schema %s", tool.Schema)
			}
		}
		own = append(own, tool.Name)
	}
	slices.Sort(own)
	if len(own) < 3 || len(slices.Compact(slices.Clone(own))) != len(own) || !slices.Contains(own, "mcp__a__read") {
		t.Errorf("tools %v", own)
	}
	for _, name := range own {
		if strings.Contains(name, "bad") {
			t.Errorf("%s was taken", name)
		}
	}
	if got := w.told(); !strings.Contains(got, "bad0 (its schema is no object)") || !strings.Contains(got, "more") {
		t.Errorf("notices: %s", got)
	}
}

func TestHugeList(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("huge")}, 0)
	if got := len(w.Tools(t.Context())); got != maxTools {
		t.Errorf("%d tools", got)
	}
	if got := w.told(); !strings.Contains(got, "more than 128 tools") {
		t.Errorf("notices: %s", got)
	}
}

func TestNotThere(t *testing.T) {
	for how, want := range map[string]string{
		"exit": "it has ended (exit status 3)", "garbage-flood": "what it prints is not the protocol", "never": "did not come up within its time limit",
	} {
		t.Run(how, func(t *testing.T) {
			second := time.Duration(0)
			if how == "never" {
				second = 10 * time.Millisecond
			}
			w := start(t, map[string]config.Server{"a": fakeServer(how)}, second)
			if got := w.Tools(t.Context()); len(got) != 0 {
				t.Errorf("tools %v", names(got))
			}
			s := w.Servers()[0]
			if s.State != Failed || !strings.Contains(s.Error, want) || !strings.Contains(w.told(), want) {
				t.Errorf("status %+v, notices %s", s, w.told())
			}
			if how == "exit" {
				eventually(t, "the end of stderr", func() bool { return w.Servers()[0].Stderr == "no <U+001B>[31mlicence\n" })
			}
		})
	}
	w := start(t, map[string]config.Server{"a": {Command: []string{"no-such-server"}, TimeoutSeconds: 1, Enabled: true}}, 0)
	if w.Tools(t.Context()); !strings.Contains(w.told(), "not on the PATH") {
		t.Errorf("notices %s", w.told())
	}
}

func TestComesUpAllTheSame(t *testing.T) {
	w := start(t, map[string]config.Server{"g": fakeServer("garbage"), "m": fakeServer("modern")}, 0)
	for _, name := range []string{"mcp__g__echo", "mcp__m__echo"} {
		if got := w.says(name, "{}"); got != "{}\n" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSlowStart(t *testing.T) {
	goFile := filepath.Join(t.TempDir(), "go")
	w := start(t, map[string]config.Server{"a": fakeServer("slow", func(s *config.Server) { s.Env["GO"] = goFile })}, 0)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := w.Tools(gone); len(got) != 0 || w.Servers()[0].State != Connecting {
		t.Errorf("%v, %+v", names(got), w.Servers())
	}
	if err := os.WriteFile(goFile, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.says("mcp__a__echo", "{}")
}

// TestEnds has what ends a server in the middle of a call, and that it is started again once a minute.
func TestEnds(t *testing.T) {
	for tool, want := range map[string]string{
		"die": "it has ended (exit status 4)", "line": "a message of more than 16777216 bytes", "notify": "a flood of messages",
	} {
		t.Run(tool, func(t *testing.T) {
			w := start(t, map[string]config.Server{"a": fakeServer("normal")}, 0)
			_, err := w.call(t.Context(), "mcp__a__"+tool, "{}")
			if !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), want) {
				t.Fatalf("%v", err)
			}
			if s := w.Servers()[0]; s.State != Failed || !strings.Contains(s.Error, want) {
				t.Errorf("status %+v", s)
			}
			_, err = w.call(t.Context(), "mcp__a__echo", "{}")
			if !errors.Is(err, plumbing.ErrRefused) {
				t.Errorf("within a minute: %v", err)
			}
			w.pass(restartAfter)
			w.says("mcp__a__echo", "{}")
			if s := w.Servers()[0]; s.State != Ready {
				t.Errorf("status %+v", s)
			}
		})
	}
}

// TestFloodOfRequests: a server that asks without end and never listens is cut off.
func TestFloodOfRequests(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("normal", func(s *config.Server) { s.TimeoutSeconds = 1 })}, 0)
	_, err := w.call(t.Context(), "mcp__a__requests", "{}")
	if !errors.Is(err, plumbing.ErrRefused) && !errors.Is(err, plumbing.ErrBusy) {
		t.Errorf("%v", err)
	}
}

func TestDeepJSON(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("normal", func(s *config.Server) { s.TimeoutSeconds = 1 })}, 0)
	_, err := w.call(t.Context(), "mcp__a__deep", "{}")
	if !errors.Is(err, plumbing.ErrRefused) && !errors.Is(err, plumbing.ErrBusy) {
		t.Errorf("%v", err)
	}
	w.says("mcp__a__echo", "{}")
}

func TestTimeLimitAndCancel(t *testing.T) {
	cancelled := filepath.Join(t.TempDir(), "cancelled")
	mark := func(s *config.Server) { s.Env["CANCELLED"] = cancelled }
	hears := func() bool {
		_, err := os.Stat(cancelled)
		return err == nil
	}
	w := start(t, map[string]config.Server{"a": fakeServer("normal", mark, func(s *config.Server) { s.TimeoutSeconds = 1 })}, time.Second)
	_, err := w.call(t.Context(), "mcp__a__hang", "{}")
	if !errors.Is(err, plumbing.ErrBusy) || !strings.Contains(err.Error(), "did not answer within 1s") {
		t.Errorf("time limit: %v", err)
	}
	eventually(t, "the server hears of the end", hears)
	_ = os.Remove(cancelled)
	w = start(t, map[string]config.Server{"a": fakeServer("normal", mark)}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	tool := w.tool("mcp__a__hang")
	done := make(chan error)
	go func() {
		_, err := tool.Run(ctx, agent.Call{})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancel: %v", err)
	}
	w.says("mcp__a__echo", "{}")
}

// TestDeaf: a server that reads nothing more is cut off when a call does not get through.
func TestDeaf(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("deaf", func(s *config.Server) { s.TimeoutSeconds = 60 })}, time.Second)
	w.tool("mcp__a__echo")               // it has come up, which on a busy machine takes longer
	w.servers[0].limit = 2 * time.Second // than a call may
	_, err := w.call(t.Context(), "mcp__a__echo", `{"a":"`+strings.Repeat("x", 512<<10)+`"}`)
	if !errors.Is(err, plumbing.ErrBusy) {
		t.Errorf("%v", err)
	}
	if s := w.Servers()[0]; s.State != Failed || !strings.Contains(s.Error, "takes no messages") {
		t.Errorf("%+v", s)
	}
}
