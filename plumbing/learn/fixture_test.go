package learn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// world is a project in folders of the test's own.
type world struct {
	Deps
	t   testing.TB
	dir string
	ids int
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, dir: t.TempDir()}
	now, config := w.now(), w.tree()
	w.Sessions = session.NewStore(session.Options{
		Config: config, Cache: file.Tree{Dir: w.dir + "/cache"},
		Project:  session.Project{Root: "/kettle", Slug: "kettle-1"},
		Now:      now,
		NewID:    func() (string, error) { w.ids++; return fmt.Sprintf("s%d", w.ids), nil },
		LockWait: time.Second, Holder: "the test",
	})
	w.Sources = source.Validator{Sessions: w.Sessions}
	w.Facts = fact.NewStore(fact.Options{Config: config, Slug: "kettle-1", Validator: w.Sources, Now: now, Enabled: true})
	w.Tokens = func(text string) int64 { return int64(len(text)+2) / 3 }
	t.Cleanup(func() { w.Facts.Close() })
	return w
}

func (w *world) tree() file.Tree { return file.Tree{Dir: w.dir + "/config"} }

func (w *world) now() func() time.Time {
	return func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) }
}

var roomy = compact.Limits{ContextWindow: 128_000, MaxOutputTokens: 2048, RequestBytes: compact.MaxRequestBytes, RequestTokens: 100_000}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) new(lines ...string) string {
	w.t.Helper()
	info, err := w.Sessions.New(context.Background())
	w.must(err)
	w.append(info.ID, lines...)
	return info.ID
}

func (w *world) attached(id string, do func(*session.Writer) error) {
	w.t.Helper()
	a, err := w.Sessions.Attach(context.Background(), id)
	w.must(err)
	defer a.Close()
	w.must(do(a))
}

func (w *world) append(id string, lines ...string) {
	w.t.Helper()
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	w.attached(id, func(a *session.Writer) error { _, err := a.Append(context.Background(), raw, 99); return err })
}

func (w *world) undo(id string, seq int64) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Undo(context.Background(), w.Facts, seq); return err })
}

func (w *world) path(id string) string { return w.dir + "/config/sessions/kettle-1/" + id + ".jsonl" }

func (w *world) log(id string) string {
	w.t.Helper()
	b, err := os.ReadFile(w.path(id))
	w.must(err)
	return string(b)
}

// edit replaces bytes in a log as an editor would.
func (w *world) edit(id, from, to string) {
	w.t.Helper()
	old := []byte(w.log(id))
	if !bytes.Contains(old, []byte(from)) {
		w.t.Fatalf("nothing to edit in %s", id)
	}
	w.must(os.WriteFile(w.path(id), bytes.Replace(old, []byte(from), []byte(to), 1), 0o600))
}

// compact makes a summary of all but the last four messages.
func (w *world) compact(id string) int64 {
	w.t.Helper()
	d := compact.Deps{Sessions: w.Sessions, Exclusions: w.Facts, Tokens: w.Tokens}
	plan, err := compact.Make(context.Background(), d, id, roomy, "m")
	w.must(err)
	p, err := plan.Planned()
	w.must(err)
	p.Response = said("A summary.")
	p.Response.CallID = fmt.Sprintf("compact-%d", len(w.log(id)))
	a, err := compact.Apply(context.Background(), d, id, p)
	w.must(err)
	return a.Seq
}

// talk is a session whose first messages are covered by a summary.
func (w *world) talk(lines ...string) string {
	w.t.Helper()
	id := w.new(append(lines, tail()...)...)
	w.compact(id)
	return id
}

// tail is four messages that stay raw.
func tail() []string {
	return []string{user("go on"), assistant("gone on"), user("and on"), assistant("and on")}
}

func (w *world) plan(id string) compact.Planned {
	w.t.Helper()
	plan, err := Make(context.Background(), w.Deps, id, 0, roomy, "m")
	w.must(err)
	p, err := plan.Planned()
	w.must(err)
	return p
}

func (w *world) apply(p compact.Planned, answer string) Applied {
	w.t.Helper()
	p.Response = said(answer)
	a, err := Apply(context.Background(), w.Deps, p.SessionID, p)
	w.must(err)
	return a
}

// said is a response as a model gives it.
func said(text string) *provider.Response {
	in, out := int64(100), int64(20)
	return &provider.Response{Blocks: []provider.Block{provider.Text(text)}, CallID: "call-1", Finish: provider.FinishStop,
		Model: "m", Usage: &provider.Usage{InputTokens: &in, OutputTokens: &out}}
}

func user(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%s}]}`, quoted(text))
}

func synthetic(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"synthetic","generation":0,"content":[{"type":"text","text":%s}]}`, quoted(text))
}

func assistant(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"text","text":%s}]}`, quoted(text))
}

func call(id, name, path string) string {
	return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[{"type":"tool_call","id":%s,"name":%s,"arguments":{"path":%s}}]}`,
		quoted(id), quoted(name), quoted(path))
}

func result(id, name, text string) string {
	return fmt.Sprintf(`{"type":"message","role":"tool","origin":"generated","generation":0,"content":[{"type":"tool_result","files":[],"id":%s,"is_error":false,"name":%s,"text":%s}]}`,
		quoted(id), quoted(name), quoted(text))
}

func quoted(s string) string {
	b, err := canon.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// offer is one candidate of an answer.
type offer struct {
	Conflicts []string `json:"conflicts"`
	Kind      string   `json:"kind"`
	Proposal  bool     `json:"proposal"`
	Quote     string   `json:"quote"`
	Seqs      []int64  `json:"source_seqs"`
	Text      string   `json:"text"`
}

func answer(offers ...offer) string {
	b, err := canon.Marshal(struct {
		Candidates []offer `json:"candidates"`
	}{offers})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func preferred(text string, seq int64) offer {
	return offer{Kind: "explicit_user_preference", Quote: text, Text: text, Seqs: []int64{seq}}
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want one of kind %v", err, kind)
	}
}
