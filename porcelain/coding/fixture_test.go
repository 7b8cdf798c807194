package coding

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// box is a Toolbox over a workspace of its own, with a folder outside of it.
type box struct {
	*Toolbox
	t       testing.TB
	dir     string
	outside string
	tools   map[string]agent.Tool
}

func newBox(t testing.TB) *box {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &box{t: t, dir: filepath.Join(top, "work"), outside: filepath.Join(top, "out"), tools: map[string]agent.Tool{}}
	for _, dir := range []string{b.dir, b.outside, filepath.Join(top, "home")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.Toolbox = New(Options{
		Workspace: permission.Workspace{Root: b.dir, Home: filepath.Join(top, "home")}, Dir: b.dir, TempDir: top,
		Now: func() time.Time { return time.Unix(1_700_000_000, 0) },
	})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, tl := range b.Tools() {
		b.tools[tl.Name] = tl
	}
	return b
}

func (b *box) path(name string) string { return filepath.Join(b.dir, filepath.FromSlash(name)) }

// put writes a file of the workspace, past the tools.
func (b *box) put(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(name)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(name), []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *box) holds(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *box) link(target, name string) {
	b.t.Helper()
	if err := os.Symlink(target, b.path(name)); err != nil {
		b.t.Fatal(err)
	}
}

func jsonOf(v any) string {
	text, err := canon.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (b *box) callOf(name, args string) agent.Call {
	return agent.Call{ID: "c1", Name: name, Arguments: []byte(args), SessionID: "s1"}
}

// call asks what a call needs and then runs it, as the runner does.
func (b *box) call(name, args string) (agent.Result, error) {
	b.t.Helper()
	c := b.callOf(name, args)
	if _, err := b.tools[name].Needs(b.t.Context(), c); err != nil {
		return agent.Result{}, err
	}
	return b.tools[name].Run(b.t.Context(), c)
}

// must is call's text, of one that does not fail.
func (b *box) must(name, args string) string {
	b.t.Helper()
	r, err := b.call(name, args)
	if err != nil {
		b.t.Fatalf("%s %s: %s", name, args, tool.Failure(err))
	}
	if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
		b.t.Errorf("%s %s ends without a newline: %q", name, args, r.Text)
	}
	return r.Text
}

func (b *box) read(name string) string { return b.must("read", jsonOf(map[string]any{"path": name})) }

// one is the arguments of an edit.
func one(path, old, to string) string {
	return jsonOf(map[string]any{"path": path, "edits": []any{map[string]any{"old": old, "new": to}}})
}
