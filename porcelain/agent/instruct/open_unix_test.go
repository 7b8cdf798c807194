//go:build unix

package instruct

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Nothing blocks on a FIFO, wherever it stands, and a file that may not be read is named.
func TestOddFiles(t *testing.T) {
	w := newWorld(t)
	fifo := func(path string) {
		w.mkdir(filepath.Dir(path))
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fifo(filepath.Join(w.Checkout, "AGENTS.md"))
	fifo(filepath.Join(w.Checkout, ".git"))
	fifo(filepath.Join(w.Checkout, ".agents", "skills", "x", "SKILL.md"))
	fifo(filepath.Join(w.ConfigDir, "skills"))
	fifo(filepath.Join(w.ConfigDir, "memory", w.Slug, "system.md"))
	w.link("/dev/zero", "sub/AGENTS.md")
	w.Dir = filepath.Join(w.Checkout, "sub")
	s := w.compose()
	want := []string{
		`lecode's own base prompt is used: read the override of the base prompt: "/top/config/memory/work-0123456789ab/system.md" is not a regular file`,
		"/top/work/sub/AGENTS.md is left out: a link that leads out of the checkout",
		"/top/work/AGENTS.md is left out: not a regular file",
		"the skills in /top/config/skills are left out: not a regular file",
		"the skill in /top/work/.agents/skills/x is left out: not a regular file",
	}
	if diff := cmp.Diff(want, w.warnings(s)); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadSkill(t.Context(), w.Options, "x"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Error(err)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newWorld(t)
	w.file("AGENTS.md", "x\n")
	if err := os.Chmod(filepath.Join(w.Checkout, "AGENTS.md"), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/top/work/AGENTS.md is left out: permission denied"}, w.warnings(w.compose())); diff != "" {
		t.Error(diff)
	}
}

// The override is the user's alone, and a wider one is not made wider by its backup.
func TestBits(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.ConfigDir, "memory", w.Slug, "system.md")
	for _, text := range []string{"one", "two"} {
		if _, err := SaveBase(t.Context(), w.Options, text, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{path, path + ".bak"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", path); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"three", ""} {
		if _, err := SaveBase(t.Context(), w.Options, text, ""); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
