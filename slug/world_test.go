package slug

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// world is a folder of a test in which the real git builds repositories. Git
// sees no configuration but the world's own.
type world struct {
	t   testing.TB
	dir string // resolved
	git string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not on the PATH: this layout is not checked")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, git: git}
	w.write("home/.gitconfig", "[init]\ndefaultBranch = main\ntemplateDir = \n[protocol \"file\"]\nallow = always\n"+
		"[advice]\ndetachedHead = false\n[safe]\ndirectory = *\n[core]\nfsync = none\n[gc]\nauto = 0\n")
	return w
}

// path is a path of the world, not cleaned; an absolute one stays.
func (w *world) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return under(w.dir, name)
}

func (w *world) env(more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.path("home"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z",
	}, more...)
}

// ask runs git in a folder; ok is false where git fails.
func (w *world) ask(dir string, env []string, args ...string) (string, bool) {
	cmd := exec.Command(w.git, args...)
	cmd.Dir, cmd.Env = w.path(dir), w.env(env...)
	out, err := cmd.Output()
	return strings.TrimRight(string(out), "\n"), err == nil
}

// run runs git in a folder; it must not fail.
func (w *world) run(dir string, args ...string) {
	w.t.Helper()
	cmd := exec.Command(w.git, args...)
	cmd.Dir, cmd.Env = w.path(dir), w.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v in %s: %v\n%s", args, dir, err, out)
	}
}

// repo makes a repository with one commit and the folder a/b.
func (w *world) repo(name string, initArgs ...string) {
	w.t.Helper()
	w.mkdir(name)
	w.run(name, append([]string{"init", "-q"}, initArgs...)...)
	w.commit(name)
}

func (w *world) commit(name string) {
	w.t.Helper()
	w.write(name+"/a/b/f", "x\n")
	w.run(name, "add", ".")
	w.run(name, "commit", "-q", "-m", "x")
}

func (w *world) mkdir(name string) {
	w.t.Helper()
	if err := os.MkdirAll(w.path(name), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	w.mkdir(filepath.Dir(w.path(name)))
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) append(name, text string) {
	w.t.Helper()
	old, err := os.ReadFile(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	w.write(name, string(old)+text)
}

func (w *world) rename(from, to string) {
	w.t.Helper()
	if err := os.Rename(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) link(target, name string) {
	w.t.Helper()
	if err := os.Symlink(target, w.path(name)); err != nil {
		w.t.Fatal(err)
	}
}

// find asks lecode. The environment holds PATH and what is given as "NAME=value", nothing else.
func (w *world) find(dir string, env ...string) (Project, error) {
	vars := map[string]string{"PATH": os.Getenv("PATH")}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		vars[name] = value
	}
	return Find(context.Background(), Options{Dir: w.path(dir), Getenv: func(s string) string { return vars[s] }})
}

// mustFail checks the kind of an error, and that it names a thing and a way out.
func mustFail(t *testing.T, err, kind error, names string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want kind %q", err, kind)
	}
	var e *plumbing.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is not for a person to read", err)
	}
	if !strings.Contains(e.Message, names) {
		t.Errorf("%q does not name %q", e.Message, names)
	}
	if e.Hint == "" {
		t.Errorf("%q has no way out", e.Message)
	}
}

func mustHint(t *testing.T, err error, words string) {
	t.Helper()
	var e *plumbing.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, words) {
		t.Errorf("the way out of %v is %q, want it to name %q", err, e.Hint, words)
	}
}
