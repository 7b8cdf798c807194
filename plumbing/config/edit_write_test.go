package config

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "config")
	w := Writer{Tree: file.Tree{Dir: dir}, Holder: "test"}
	path := filepath.Join(dir, "config.toml")

	c, err := w.Plan(Edit{"agent.model", "near/large"}, Edit{"providers.near.type", "openai"})
	if err != nil || c.Existed || c.Path != path {
		t.Fatalf("plan %+v: %v", c, err)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a plan made %s: %v", dir, err)
	}
	if err := w.Write(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	first := "[agent]\nmodel = \"near/large\"\n\n[providers.near]\ntype = \"openai\"\n"
	if d := cmp.Diff(first, read(t, path)); d != "" {
		t.Error(d)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("bits %v, %v", info.Mode(), err)
	}
	if _, err := os.Lstat(path + ".bak"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a .bak of nothing: %v", err)
	}

	c, err = w.Plan(Edit{"agent.model", "offline"})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first, read(t, path+".bak")); d != "" {
		t.Error(d)
	}
	if err := w.Write(t.Context(), c); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("a file that changed since: %v", err)
	}
}

func TestWriterJudges(t *testing.T) {
	dir := t.TempDir()
	w := Writer{Tree: file.Tree{Dir: dir}}
	for _, edits := range [][]Edit{
		{{"memory.max_bites", 1}}, {{"memory.max_bytes", -1}}, {{"agent.model", ""}},
		{{"providers.near.base_url", "http://x"}}, // has no type
		{{"permissions.write", "maybe"}},
	} {
		if _, err := w.Plan(edits...); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%v: %v", edits, err)
		}
	}
	// What the user's file says counts for the project's.
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[providers.near]\ntype = 'openai'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Slug = slug
	if _, err := w.Plan(Edit{"providers.near.base_url", "http://x"}); err != nil {
		t.Error(err)
	}
}

func TestWriteProjectKey(t *testing.T) {
	dir := t.TempDir()
	prepared := 0
	w := Writer{Tree: file.Tree{Dir: dir}, Slug: slug, Prepare: func(context.Context) error {
		if _, err := os.Lstat(filepath.Join(dir, "memory")); err == nil && prepared == 0 {
			t.Error("the folder was made before it was prepared")
		}
		prepared++
		return nil
	}}
	// Many at once lose none.
	keys := []string{`permissions."bash:go test"`, `permissions."bash:go vet"`, "permissions.write", "permissions.edit", "agent.thinking"}
	w.Prepare(t.Context())
	var all sync.WaitGroup
	for i, key := range keys {
		value := "allow"
		if i == len(keys)-1 {
			value = "low"
		}
		w := w
		w.Prepare = nil
		all.Go(func() {
			if _, err := WriteProjectKey(t.Context(), w, key, value); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		})
	}
	all.Wait()
	path, err := WriteProjectKey(t.Context(), w, "permissions.write", "deny")
	if err != nil || path != filepath.Join(dir, "memory", slug, "config.toml") || prepared != 2 {
		t.Fatalf("%q, prepared %d times: %v", path, prepared, err)
	}
	c, err := Load(Options{ConfigDir: dir, Slug: slug})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"bash:go test": "allow", "bash:go vet": "allow", "write": "deny", "edit": "allow"}, c.Permissions); d != "" {
		t.Error(d)
	}
	if c.Agent.Thinking != "low" {
		t.Errorf("thinking %q", c.Agent.Thinking)
	}
	if _, err := WriteProjectKey(t.Context(), Writer{Tree: w.Tree}, "agent.thinking", "low"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("no project: %v", err)
	}
}

// A linked file is read, never replaced (design section 3); nor is one with two names.
func TestWriterLink(t *testing.T) {
	for name, link := range map[string]func(from, to string) error{"link": os.Symlink, "hard link": os.Link} {
		t.Run(name, func(t *testing.T) {
			dir, real := t.TempDir(), filepath.Join(t.TempDir(), "real.toml")
			if err := os.WriteFile(real, []byte("[agent]\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := link(real, filepath.Join(dir, "config.toml")); err != nil {
				t.Skip(err)
			}
			w := Writer{Tree: file.Tree{Dir: dir}}
			c, err := w.Plan(Edit{"agent.model", "offline"})
			if err != nil || string(c.New) != "[agent]\nmodel = \"offline\"\n" {
				t.Fatalf("plan %q: %v", c.New, err)
			}
			if err := w.Write(t.Context(), c); !errors.Is(err, plumbing.ErrRefused) {
				t.Errorf("write: %v", err)
			}
			if got := read(t, real); got != "[agent]\n" {
				t.Errorf("now %q", got)
			}
			if list, _ := os.ReadDir(dir); len(list) != 1 {
				t.Errorf("left over: %v", list)
			}
		})
	}
}
