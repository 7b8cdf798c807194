package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

func wired(t *testing.T, toml string) *wiring {
	t.Helper()
	e, _ := env(t, toml, map[string]string{"HOME": t.TempDir()})
	w, err := wire(e, nil, func(agent.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.close(); w.stores.Facts.Close() })
	return w
}

func toolOf(t *testing.T, w *wiring, name string) agent.Tool {
	t.Helper()
	i := slices.IndexFunc(w.deps.Tools, func(t agent.Tool) bool { return t.Name == name })
	if i < 0 {
		t.Fatalf("there is no tool %s", name)
	}
	return w.deps.Tools[i]
}

// Each tool has all that a request and a question need, and a name of its own.
func TestTools(t *testing.T) {
	w := wired(t, "")
	seen := map[string]bool{}
	for _, tool := range w.deps.Tools {
		if seen[tool.Name] || tool.Name == "" || tool.Description == "" || len(tool.Schema) == 0 || tool.Class == "" || tool.Run == nil {
			t.Errorf("%q is there twice, or lacks something", tool.Name)
		}
		if memory := strings.HasPrefix(tool.Name, "memory_"); memory && tool.Child != (tool.Class == permission.Read) {
			t.Errorf("%s of class %s is given to children: %v", tool.Name, tool.Class, tool.Child)
		}
		seen[tool.Name] = true
	}
	for _, name := range strings.Fields("memory_read memory_forget read write edit bash grep glob ls todo skill background_read") {
		toolOf(t, w, name)
	}
	if w.deps.Mask == nil || w.deps.Finished == nil || w.deps.System == nil {
		t.Error("secrets are not masked, or something else is not wired")
	}
}

func TestSwitchedOff(t *testing.T) {
	w := wired(t, "[memory]\nenabled = false\n[privacy]\nmask_secrets = false\n")
	for _, tool := range w.deps.Tools {
		if strings.HasPrefix(tool.Name, "memory_") {
			t.Errorf("%s is offered though memory is disabled", tool.Name)
		}
	}
	if w.deps.Mask != nil {
		t.Error("secrets are masked though that is not wanted")
	}
}

// Neither a child nor a read-only mode writes the memory, whatever was allowed.
func TestMemoryTool(t *testing.T) {
	w := wired(t, "")
	tool := toolOf(t, w, "memory_write")
	call := agent.Call{Name: "memory_write", Arguments: []byte(`{"content":"We use tabs.\n","file":"MEMORY.md","mode":"append"}`)}
	n, err := tool.Needs(t.Context(), call)
	if err != nil || n.Class != permission.Write || n.Summary != "memory_write MEMORY.md" || n.Detail != "content: We use tabs.\n\n" || n.Group != "memory" {
		t.Errorf("%+v, %v", n, err)
	}
	for _, c := range []agent.Call{{Child: true}, {Mode: permission.ReadOnly}} {
		c.Name, c.Arguments = call.Name, call.Arguments
		if _, err := tool.Run(t.Context(), c); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if r, err := tool.Run(t.Context(), call); err != nil || r.Text == "" {
		t.Errorf("%+v, %v", r, err)
	}
	call.Arguments = []byte(`{"file":"../x"}`)
	if _, err := tool.Needs(t.Context(), call); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("arguments that are wrong: %v", err)
	}
}

// A model is made once: a script keeps its place. What is not there is bad input.
func TestWiredModels(t *testing.T) {
	w := wired(t, "[agent]\nmodel = \"prog\"\n[providers.prog]\ntype = \"exec\"\ncommand = [\"/bin/cat\"]\n")
	first, err := w.model("")
	again, err2 := w.model("prog")
	if err != nil || err2 != nil || first.Name() != "prog" || first.Model != again.Model {
		t.Errorf("%v, %v, %v", first.Name(), err, err2)
	}
	if _, err := w.model("nobody"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Error(err)
	}
	if names := w.modelNames(); !slices.Contains(names, "prog") || !slices.Contains(names, "offline") {
		t.Error(names)
	}
}

// What a model starts may not write the memory.
func TestGuarded(t *testing.T) {
	env := wired(t, "").guarded()
	if env[len(env)-1] != "LECODE_READONLY=1" {
		t.Error("the guard is not the last word")
	}
}
