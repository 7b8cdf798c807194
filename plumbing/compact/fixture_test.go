package compact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// world is a session store in folders of the test's own, and what was forgotten.
type world struct {
	Deps
	t       testing.TB
	dir     string
	ids     int
	forgets *forgets
}

// forgets is a project's exclusions, which a test may add to.
type forgets struct {
	generation int64
	seqs       []int64
	err        error
}

func (f *forgets) Generation() (int64, error) { return f.generation, f.err }

func (f *forgets) Excluded(string) ([]int64, error) { return slices.Clone(f.seqs), f.err }

// forget is what fact.Forget does to a session.
func (f *forgets) forget(seqs ...int64) {
	f.generation++
	f.seqs = append(f.seqs, seqs...)
	slices.Sort(f.seqs)
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, dir: t.TempDir(), forgets: &forgets{}}
	w.Exclusions = w.forgets
	w.Sessions = w.store()
	w.Tokens = func(text string) int64 { return int64(len(text)+2) / 3 }
	return w
}

// store is the sessions as another process sees them.
func (w *world) store() *session.Store {
	return session.NewStore(session.Options{
		Config:   file.Tree{Dir: w.dir + "/config"},
		Cache:    file.Tree{Dir: w.dir + "/cache"},
		Project:  session.Project{Root: "/kettle", Slug: "kettle-1"},
		Now:      func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC) },
		NewID:    func() (string, error) { w.ids++; return fmt.Sprintf("s%d", w.ids), nil },
		LockWait: time.Second,
		Holder:   "the test",
	})
}

var roomy = Limits{ContextWindow: 128_000, MaxOutputTokens: 2048, RequestBytes: MaxRequestBytes, RequestTokens: 100_000}

func (w *world) new(lines ...string) string {
	w.t.Helper()
	info, err := w.Sessions.New(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	w.append(info.ID, lines...)
	return info.ID
}

func (w *world) attached(id string, do func(*session.Writer) error) {
	w.t.Helper()
	a, err := w.Sessions.Attach(context.Background(), id)
	if err != nil {
		w.t.Fatal(err)
	}
	defer a.Close()
	if err := do(a); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) append(id string, lines ...string) {
	w.t.Helper()
	if len(lines) == 0 {
		return
	}
	raw := make([][]byte, len(lines))
	for i, l := range lines {
		raw[i] = []byte(l)
	}
	w.attached(id, func(a *session.Writer) error {
		_, err := a.Append(context.Background(), raw, 9)
		return err
	})
}

func (w *world) undo(id string, seq int64) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Undo(context.Background(), w.forgets, seq); return err })
}

func (w *world) redo(id string) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Redo(context.Background()); return err })
}

func (w *world) clear(id string) {
	w.t.Helper()
	w.attached(id, func(a *session.Writer) error { _, err := a.Clear(context.Background()); return err })
}

func (w *world) path(id string) string { return w.dir + "/config/sessions/kettle-1/" + id + ".jsonl" }

func (w *world) read(id string) []byte {
	w.t.Helper()
	b, err := os.ReadFile(w.path(id))
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}

// edit replaces bytes in a log as an editor would.
func (w *world) edit(id, from, to string) {
	w.t.Helper()
	old := w.read(id)
	if !bytes.Contains(old, []byte(from)) {
		w.t.Fatalf("nothing to edit in %s", id)
	}
	if err := os.WriteFile(w.path(id), bytes.Replace(old, []byte(from), []byte(to), 1), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func user(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%q}]}`, text)
}

func synthetic(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"synthetic","generation":0,"content":[{"type":"text","text":%q}]}`, text)
}

func assistant(text string) string { return assistantAt(text, 0) }

func assistantAt(text string, generation int64) string {
	return fmt.Sprintf(`{"type":"message","role":"assistant","origin":"generated","generation":%d,"content":[{"type":"text","text":%q}]}`, generation, text)
}

// calls is an assistant's message that calls a tool for each ID.
func calls(ids ...string) string {
	var blocks []string
	for _, id := range ids {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool_call","id":%q,"name":"read","arguments":{"path":"go.mod"}}`, id))
	}
	return `{"type":"message","role":"assistant","origin":"generated","generation":0,"content":[` + strings.Join(blocks, ",") + `]}`
}

func result(id, text string) string {
	return fmt.Sprintf(`{"type":"message","role":"tool","origin":"generated","generation":0,"content":[{"type":"tool_result","files":[],"id":%q,"is_error":false,"name":"read","text":%q}]}`, id, text)
}

const cancel = `{"type":"cancel"}`

// exchanges are n complete ones of two messages.
func exchanges(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, user(fmt.Sprintf("question %d", i)), assistant(fmt.Sprintf("answer %d", i)))
	}
	return lines
}

func (w *world) make(id string) (Plan, error) {
	return Make(context.Background(), w.Deps, id, roomy, "m")
}

func (w *world) plan(id string) Planned {
	w.t.Helper()
	p, err := w.make(id)
	if err != nil {
		w.t.Fatal(err)
	}
	planned, err := p.Planned()
	if err != nil {
		w.t.Fatal(err)
	}
	return planned
}

// said is a response as a good model gives it.
func said(text string) *provider.Response {
	in, out := int64(100), int64(20)
	return &provider.Response{Blocks: []provider.Block{provider.Text(text)}, CallID: "call-1", Finish: provider.FinishStop,
		Model: "m", Usage: &provider.Usage{InputTokens: &in, OutputTokens: &out}}
}

func (w *world) compact(id, summary string) Applied {
	w.t.Helper()
	p := w.plan(id)
	p.Response = said(summary)
	a, err := Apply(context.Background(), w.Deps, id, p)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// covered lists the seqs that a plan covers.
func covered(p Plan) string {
	var seqs []string
	for _, r := range p.Covers {
		for _, s := range r.Seqs {
			seqs = append(seqs, fmt.Sprint(s))
		}
	}
	return strings.Join(seqs, " ")
}

// inForce is the seq of the summary in force, 0 for none, as this process and as a new one see it.
func (w *world) inForce(id string) int64 {
	w.t.Helper()
	var found [2]int64
	for i, s := range []*session.Store{w.Sessions, w.store()} {
		d := w.Deps
		d.Sessions = s
		c, err := Replay(context.Background(), d, id)
		if err != nil {
			w.t.Fatal(err)
		}
		if c.Summary != nil {
			found[i] = c.Summary.Seq
		}
	}
	if found[0] != found[1] {
		w.t.Errorf("this process remembers summary %d, a new one finds %d", found[0], found[1])
	}
	return found[1]
}

func wantKind(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want one of kind %v", err, kind)
	}
}
