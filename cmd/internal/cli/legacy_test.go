package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
)

// A project that is moved, and its memory adopted, while a command runs gets no second memory at its old root.
func TestMovedMeanwhile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("1 case skipped: a directory in use cannot be moved here")
	}
	work := t.TempDir()
	old := filepath.Join(work, "old")
	if err := os.Mkdir(old, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(old)
	config := filepath.Join(work, "config")
	e := &Env{Stderr: os.Stderr, Getenv: func(name string) string {
		return map[string]string{"LECODE_CONFIG_DIR": config, "LECODE_CACHE_DIR": filepath.Join(work, "cache")}[name]
	}}
	s, err := e.Stores()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(old, filepath.Join(work, "new")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Notes.Write(t.Context(), note.Memory, "late", note.Append); !errors.Is(err, plumbing.ErrConflict) || !strings.Contains(err.Error(), "was moved") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Lstat(filepath.Join(config, "memory", s.Project.Slug)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a memory was made at the old root: %v", err)
	}
}

// The kind that an error is said to be decides the exit code, not the kind of what it came from.
func TestOutermostKind(t *testing.T) {
	err := &plumbing.Error{Kind: plumbing.ErrCorrupt, Message: "damaged", Cause: plumbing.Fail(plumbing.ErrInvalid, "no object", "")}
	if code := exitOf(err).Code; code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
}
