//go:build unix

package slug

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// askVariable makes the test program answer for one folder instead of testing:
// root may read everything, so that a refusal has to be asked for by another user.
const askVariable = "LECODE_TEST_ASK"

// nobody is a user who owns nothing here.
const nobody = 65534

type answer struct {
	Project Project
	Kind    string // of the error
	Error   string
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(askVariable); dir != "" {
		os.Exit(answerFor(dir))
	}
	os.Exit(m.Run())
}

func answerFor(dir string) int {
	p, err := Find(context.Background(), Options{Dir: dir, Getenv: os.Getenv})
	a := answer{Project: p}
	if err != nil {
		a.Error, a.Kind = err.Error(), "other"
		for _, kind := range []error{plumbing.ErrRefused, plumbing.ErrCorrupt, plumbing.ErrNotFound, plumbing.ErrInvalid} {
			if errors.Is(err, kind) {
				a.Kind = kind.Error()
			}
		}
	}
	if json.NewEncoder(os.Stdout).Encode(a) != nil {
		return 1
	}
	return 0
}

// askAsNobody finds a folder's project in another process, which may read only what all may.
func askAsNobody(t *testing.T, program, wd, dir string, env ...string) answer {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env, cmd.Dir = append(env, askVariable+"="+dir), wd
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ask as nobody: %v", err)
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return a
}

// program copies the test program to where nobody may run it.
func program(t *testing.T, w *world) string {
	t.Helper()
	for d := w.dir; filepath.Base(d) != filepath.Base(os.TempDir()) && d != "/"; d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			break // above what the test owns
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	path := w.path("ask.test")
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPermissions(t *testing.T) {
	w := newWorld(t)
	ask := program(t, w)
	chmod := func(name string, mode os.FileMode) {
		if err := os.Chmod(w.path(name), mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(w.path(name), 0o755) })
	}
	for _, name := range []string{"folder", "config", "head", "file", "outer", "above", "search", "commondir"} {
		w.repo(name)
		w.run(name, "worktree", "add", "-q", "../"+name+"w")
	}
	w.mkdir("outer/in/.git")
	chmod("folder/.git", 0)
	chmod("config/.git/config", 0)
	chmod("head/.git/HEAD", 0)
	chmod("filew/.git", 0)
	chmod("outer/in/.git", 0)
	chmod("above", 0)
	chmod("search", 0o311)
	chmod("commondir/.git/worktrees/commondirw/commondir", 0)
	w.mkdir("secret/p")
	chmod("secret", 0)

	for _, tt := range []struct{ from, names string }{
		{"folder/a", "folder/.git"}, {"folderw/a", "folderw/.git"}, {"config/a", "config/.git/config"}, {"configw", "config/.git/config"},
		{"head", "head/.git"}, {"filew/a", "filew/.git"}, {"outer/in", "outer/in/.git"}, {"above/a", "above"}, {"commondirw", "commondir"},
		{"secret/p", "secret/p"},
	} {
		a := askAsNobody(t, ask, "/", w.path(tt.from))
		if a.Kind != plumbing.ErrRefused.Error() || !strings.Contains(a.Error, tt.names) {
			t.Errorf("from %s: %+v, want it refused, naming %s", tt.from, a, tt.names)
		}
	}
	if a := askAsNobody(t, ask, "/", w.path("search/a/b")); a.Project.Root != w.path("search") {
		t.Errorf("a folder that may be searched but not listed: %+v", a)
	}
	a := askAsNobody(t, ask, "/", w.path("folder/a"), "GIT_DIR="+w.path("folder/.git"))
	if a.Kind != plumbing.ErrRefused.Error() {
		t.Errorf("GIT_DIR: %+v", a)
	}
}

// The owner of a repository is not asked for: two users of one repository have one identity.
func TestAnotherOwner(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	a := askAsNobody(t, program(t, w), "/", w.path("r/a"))
	if a.Project.Root != w.path("r") {
		t.Errorf("%+v", a)
	}
	if _, ok := w.ask("r", nil, "rev-parse"); !ok {
		t.Error("git does not know its own repository")
	}
}

// A working directory in a folder that was closed afterwards is refused, not "outside Git".
func TestWorkingDirectoryClosed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can start a process in a folder that the process may not reach")
	}
	w := newWorld(t)
	ask := program(t, w)
	w.repo("r")
	if err := os.Chmod(w.path("r"), 0); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(ask)
	cmd.Env = []string{askVariable + "=."}
	t.Chdir(w.path("r/a"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%q", plumbing.ErrRefused.Error()); !strings.Contains(string(out), want) {
		t.Errorf("answer %s, want %s", out, want)
	}
}
