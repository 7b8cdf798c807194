package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/call"
	"github.com/lecode/lecode/porcelain/permission"
)

// world is a project's stores in folders of the test's own, and a model that
// answers as the test says.
type world struct {
	t        testing.TB
	dir      string
	d        Deps
	settings config.Config
	window   int64

	mu       sync.Mutex
	answers  []func(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error)
	requests []provider.Request
	events   []Event
	ids      int
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, dir: t.TempDir(), window: 200_000}
	w.settings = config.Config{
		Agent: config.Agent{Model: "m", MaxTurns: 20}, Memory: config.Memory{Enabled: true, MaxBytes: 32768, FactsMaxBytes: 8192},
		Compaction: config.Compaction{BufferTokens: 8192}, Permissions: map[string]string{}, Chains: map[string]config.Chain{},
	}
	tree := file.Tree{Dir: w.dir + "/config"}
	now := func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	newID := func() (string, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ids++
		return fmt.Sprintf("id%d", w.ids), nil
	}
	sessions := session.NewStore(session.Options{Config: tree, Cache: file.Tree{Dir: w.dir + "/cache"}, Project: session.Project{Root: "/kettle", Slug: "kettle-1"},
		Now: now, NewID: newID, LockWait: time.Second, Holder: "the test", Writer: "agent"})
	sources := source.Validator{Sessions: sessions}
	facts := fact.NewStore(fact.Options{Config: tree, Slug: "kettle-1", Validator: sources, Now: now, Enabled: true})
	t.Cleanup(func() { facts.Close() })
	w.d = Deps{
		Root: "/kettle", Sessions: sessions, Facts: facts, Sources: sources,
		Section: func() (prompt.Stores, func()) {
			return prompt.Stores{Newest: w.newest, Generation: facts.Generation}, func() {}
		},
		Settings: func() (*config.Config, error) { c := w.settings; return &c, nil },
		Models: func(name string) (call.Model, error) {
			if name == "" {
				name = "m"
			}
			return call.Model{Model: (*model)(w), Provider: "test", ID: name, Limits: budget.Unknown(w.window)}, nil
		},
		Calls: call.Calls{Ledger: usage.Ledger{Config: tree, Slug: "kettle-1", Now: now}, Calibration: budget.Calibration{Cache: file.Tree{Dir: w.dir + "/cache"}},
			DayLimit: func() (*int64, error) { return w.settings.Memory.MaxTokensPerDay, nil }, NewID: newID},
		System: func(context.Context) (string, []string, error) { return "You are the test's.\n", nil, nil },
		LearningOff: func(c *config.Config) string {
			return map[bool]string{false: "auto_learn is false"}[c.Memory.AutoLearn]
		},
		On: func(e Event) { w.mu.Lock(); defer w.mu.Unlock(); w.events = append(w.events, e) },
	}
	return w
}

// newest is the facts whose evidence holds, as cmd ties them to the section.
func (w *world) newest(ctx context.Context) ([]prompt.Candidate, error) {
	view, err := w.d.Facts.View(ctx)
	if err != nil {
		return nil, err
	}
	list, err := w.d.Facts.NewestFirst(ctx)
	if err != nil {
		return nil, err
	}
	var out []prompt.Candidate
	for _, f := range list {
		cached, done := w.d.Sources.Cached()
		now := f.Current()
		status, err := fact.StatusBy(ctx, cached, f, view, session.Durable)
		done()
		out = append(out, prompt.Candidate{Fact: prompt.Fact{ID: f.ID, Refs: now.Refs, Revision: now.Number, Text: now.Text},
			Status: func(context.Context) (source.Status, error) { return status, err }})
	}
	return out, nil
}

// model is the world as a provider.Model.
type model world

func (m *model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	m.mu.Lock()
	r.Messages = append([]provider.Message(nil), r.Messages...)
	m.requests = append(m.requests, r)
	if len(m.answers) == 0 {
		m.mu.Unlock()
		return provider.Response{}, errors.New("the test has no answer left")
	}
	answer := m.answers[0]
	m.answers = m.answers[1:]
	m.mu.Unlock()
	return answer(ctx, r, on)
}

// say queues answers of text.
func (w *world) say(texts ...string) {
	for _, text := range texts {
		w.answer(provider.Response{Blocks: []provider.Block{provider.Text(text)}, Finish: provider.FinishStop})
	}
}

func (w *world) answer(r provider.Response) {
	w.do(func(_ context.Context, _ provider.Request, on func(provider.Delta) error) (provider.Response, error) {
		for _, b := range r.Blocks {
			if on != nil && b.Type == provider.TypeText {
				if err := on(provider.Delta{Text: b.Text}); err != nil {
					return r, err
				}
			}
		}
		return r, nil
	})
}

func (w *world) do(f func(context.Context, provider.Request, func(provider.Delta) error) (provider.Response, error)) {
	w.answers = append(w.answers, f)
}

// calls queues an answer that calls tools, each "name {arguments}".
func (w *world) calls(calls ...string) {
	w.answer(calling(calls...))
}

func calling(calls ...string) provider.Response {
	r := provider.Response{Finish: provider.FinishToolCalls}
	for i, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		r.Blocks = append(r.Blocks, provider.Block{Type: provider.TypeToolCall, ID: fmt.Sprintf("c%d", i+1), Name: name, Arguments: []byte(args)})
	}
	return r
}

func (w *world) open(o Options) *Agent {
	w.t.Helper()
	a, err := Open(context.Background(), w.d, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { a.Close() })
	return a
}

func (w *world) prompt(a *Agent, text string) Outcome {
	w.t.Helper()
	out, err := a.Prompt(context.Background(), Input{Text: text})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// log is the session's records in short: "user:text assistant:text call:name result:text event".
func (w *world) log(id string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, "config/sessions/kettle-1", id+".jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		root := gjson.Parse(line)
		switch typ := root.Get("type").Str; {
		case i == 0:
		case typ != "message":
			out = append(out, typ)
		default:
			for _, c := range root.Get("content").Array() {
				who := root.Get("role").Str
				if root.Get("origin").Str == "synthetic" {
					who = "synthetic"
				}
				switch c.Get("type").Str {
				case "tool_call":
					out = append(out, "call:"+c.Get("name").Str)
				case "tool_result":
					out = append(out, "result:"+strings.TrimSpace(c.Get("text").Str))
				default:
					out = append(out, who+":"+c.Get("text").Str)
				}
			}
		}
	}
	return strings.Join(out, " | ")
}

// remember makes a fact of the first message of a session.
func (w *world) remember(id, text string) string {
	w.t.Helper()
	snap, err := w.d.Sources.Snapshot(context.Background(), w.d.Facts, id, 1, 1)
	if err != nil {
		w.t.Fatal(err)
	}
	told, err := w.d.Facts.Remember(context.Background(), text, &snap.Ref, fact.RememberOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return told.Fact.ID
}

func (w *world) forget(id string) {
	w.t.Helper()
	if _, err := w.d.Facts.Forget(context.Background(), id); err != nil {
		w.t.Fatal(err)
	}
}

// note is a tool that does nothing but say so.
func note(name string, class permission.Class) Tool {
	return Tool{Tool: provider.Tool{Name: name, Description: name, Schema: []byte(`{"type":"object"}`)}, Class: class, Child: class != permission.Write,
		Run: func(context.Context, Call) (Result, error) { return Result{Text: name + " done\n"}, nil }}
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want one of kind %v", err, kind)
	}
}

func kinds[T Event](w *world) (list []T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e, ok := e.(T); ok {
			list = append(list, e)
		}
	}
	return list
}
