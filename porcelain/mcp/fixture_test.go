package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/tool"
)

const slug = "kettle-1"

// world is the real stores in folders of the test's own.
type world struct {
	t        testing.TB
	config   file.Tree
	sessions *session.Store
	deps     tool.Deps
	mu       sync.Mutex
	log      []string // what the server told
}

func noon() time.Time { return time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC) }

func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	w := &world{t: t, config: file.Tree{Dir: dir + "/config"}}
	w.sessions = session.NewStore(session.Options{
		Config: w.config, Cache: file.Tree{Dir: dir + "/cache"}, Project: session.Project{Root: "/kettle", Slug: slug},
		Now: noon, NewID: func() (string, error) { return "s1", nil }, LockWait: time.Second, Holder: "the test",
	})
	v := source.Validator{Sessions: w.sessions}
	w.deps = tool.Deps{Sources: v, Facts: w.facts(), Notes: note.NewStore(note.Options{
		Config: w.config, Slug: slug, Now: noon, Holder: "the test", LockWait: time.Second})}
	return w
}

// facts is a fact store of its own, as another process would have it.
func (w *world) facts() *fact.Store {
	f := fact.NewStore(fact.Options{Config: w.config, Slug: slug, Validator: source.Validator{Sessions: w.sessions}, Now: noon, Enabled: true})
	w.t.Cleanup(func() { f.Close() })
	return f
}

// say starts the session and appends what a user says, a record a text.
func (w *world) say(texts ...string) {
	w.t.Helper()
	ctx := context.Background()
	_, err := w.sessions.New(ctx)
	w.ok(err)
	a, err := w.sessions.Attach(ctx, "s1")
	w.ok(err)
	defer a.Close()
	var lines [][]byte
	for _, s := range texts {
		lines = append(lines, fmt.Appendf(nil, `{"content":[{"text":%q,"type":"text"}],"origin":"user","role":"user","type":"message"}`, s))
	}
	_, err = a.Append(ctx, lines, 0)
	w.ok(err)
}

// remember stores a fact on the record seq.
func (w *world) remember(text string, seq int64) string {
	w.t.Helper()
	snap, err := w.deps.Sources.Snapshot(context.Background(), w.deps.Facts, "s1", seq, seq)
	w.ok(err)
	r, err := w.deps.Facts.Remember(context.Background(), text, &snap.Ref, fact.RememberOptions{})
	w.ok(err)
	return r.Fact.ID
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) note(format string, a ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf(format, a...))
}

func (w *world) options() Options {
	return Options{Deps: w.deps, Log: w.note, Version: "test",
		Section: func(context.Context) (string, error) { return "# the section\n", nil }}
}

// client connects the SDK's own client to a server.
func (w *world) client(opt Options) *sdk.ClientSession {
	w.t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- New(opt).Serve(ctx, toServer, fromServer)
		fromServer.Close()
	}()
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	conn, err := c.Connect(ctx, &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	w.ok(err)
	w.t.Cleanup(func() {
		conn.Close()
		if err := <-ended; err != nil {
			w.t.Errorf("the server ended with %v", err)
		}
		stop()
	})
	return conn
}

// call runs a tool and returns its text.
func call(t testing.TB, c *sdk.ClientSession, name string, args any) (text string, failed bool) {
	t.Helper()
	res, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(res.Content) != 1 {
		t.Fatalf("%s: %d blocks", name, len(res.Content))
	}
	return res.Content[0].(*sdk.TextContent).Text, res.IsError
}

// exchange hands the frames to a server and returns its answers, as they came.
func exchange(t testing.TB, opt Options, frames string) []string {
	t.Helper()
	var out strings.Builder
	if err := New(opt).Serve(context.Background(), strings.NewReader(frames), &out); err != nil {
		t.Fatal(err)
	}
	var answers []string
	for line := range strings.Lines(out.String()) {
		if !json.Valid([]byte(line)) || !strings.HasSuffix(line, "\n") {
			t.Fatalf("no frame: %q", line)
		}
		answers = append(answers, strings.TrimSuffix(line, "\n"))
	}
	return answers
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
