package note

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/file"
)

// legacyStore makes a configuration directory with an older store in it.
func legacyStore(t *testing.T, files map[string]string) file.Tree {
	t.Helper()
	config := file.Tree{Dir: t.TempDir()}
	for name, content := range files {
		path := config.Path("memory/" + name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

func TestCopyLegacy(t *testing.T) {
	old := map[string]string{"old/MEMORY.md": "m", "old/notes/a.md": "a", "old/daily/2026-01-02.md": "d",
		"old/facts.sqlite3": "f", "old/MEMORY.md.bak": "b", "old/other.md": "o"}
	for _, c := range []struct {
		name    string
		more    map[string]string
		to      string
		copied  []string
		skipped []string
	}{
		{"absent", nil, "new", []string{"MEMORY.md", "daily/2026-01-02.md", "notes/a.md"}, []string{"other.md"}},
		{"there, and empty", map[string]string{"new/facts.lock": ""}, "new", nil, nil},
		{"the same store", nil, "old", nil, nil},
		{"nothing legacy", nil, "neither", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := legacyStore(t, c.more)
			from := "old"
			if c.name != "nothing legacy" {
				for name, content := range old {
					legacyFile(t, config, name, content)
				}
			}
			got, err := CopyLegacy(t.Context(), config, from, c.to)
			if err != nil {
				t.Fatal(err)
			}
			var skipped []string
			for _, s := range got.Skipped {
				skipped = append(skipped, s.File)
			}
			if d := cmp.Diff(c.copied, got.Files); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.skipped, skipped); d != "" {
				t.Error(d)
			}
			for _, name := range c.copied {
				want := old["old/"+name]
				if b, err := os.ReadFile(config.Path("memory/" + c.to + "/" + name)); err != nil || string(b) != want {
					t.Errorf("%s: %q, %v", name, b, err)
				}
			}
			noTemporaries(t, config)
		})
	}
}

func legacyFile(t *testing.T, config file.Tree, name, content string) {
	t.Helper()
	path := config.Path("memory/" + name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func noTemporaries(t *testing.T, config file.Tree) {
	t.Helper()
	list, err := os.ReadDir(config.Path("memory"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), file.TempPrefix) {
			t.Errorf("%s is left over", e.Name())
		}
	}
}

// Of several at once one copies, the others find the copy whole.
func TestCopyLegacyAtOnce(t *testing.T) {
	config := legacyStore(t, map[string]string{"old/MEMORY.md": "m", "old/scratchpad.md": "s"})
	var wg sync.WaitGroup
	copied := make([]int, 8)
	for i := range copied {
		wg.Go(func() {
			got, err := CopyLegacy(context.Background(), config, "old", "new")
			if err != nil {
				t.Error(err)
			}
			copied[i] = len(got.Files)
			for _, name := range []string{"MEMORY.md", "scratchpad.md"} {
				if _, err := os.Stat(config.Path("memory/new/" + name)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	total := 0
	for _, n := range copied {
		total += n
	}
	if total != 2 {
		t.Errorf("%d files were copied, want 2 by one of them", total)
	}
	noTemporaries(t, config)
}

func TestCopyLegacyCutOff(t *testing.T) {
	config := legacyStore(t, map[string]string{"old/MEMORY.md": "m"})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := CopyLegacy(ctx, config, "old", "new"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Lstat(config.Path("memory/new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a copy: %v", err)
	}
	noTemporaries(t, config)
}
