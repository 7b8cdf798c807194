package instruct

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A linked worktree has its own instructions, and its own branch.
func TestWorktree(t *testing.T) {
	w := newWorld(t)
	w.file("AGENTS.md", "of the main checkout\n")
	w.file(".git/worktrees/second/HEAD", "ref: refs/heads/second\n")
	w.file(".git/HEAD", "ref: refs/heads/main\n")
	main := w.Checkout
	w.Checkout = filepath.Join(filepath.Dir(main), "second")
	w.file("AGENTS.md", "of the second one\n")
	for _, to := range []string{filepath.Join(main, ".git", "worktrees", "second"), "../work/.git/worktrees/second"} {
		w.file(".git", "gitdir: "+filepath.ToSlash(to)+"\n")
		w.Dir = w.Checkout
		text := w.compose().Text
		if !strings.Contains(text, "> of the second one\n") || strings.Contains(text, "main checkout") || !strings.Contains(text, "\nBranch: \"second\"\n") {
			t.Errorf("%s:\n%s", to, text[len(BuiltIn()):])
		}
	}
}

func TestBranch(t *testing.T) {
	hex := strings.Repeat("0123abcd", 5)
	for _, c := range []struct{ head, want string }{
		{"ref: refs/heads/main\n", "main"}, {"ref: refs/heads/a/b", "a/b"}, {hex + "\n", "detached at 0123abcd0123"},
		{"ref: refs/heads/.invalid\n", ""}, {"ref: refs/tags/x\n", ""}, {"garbage", ""}, {"", ""}, {hex + "x", ""}, {"ref: refs/heads/\xff\n", ""},
	} {
		w := newWorld(t)
		w.file(".git/HEAD", c.head)
		if got := w.branch(); got != c.want {
			t.Errorf("%q: %q", c.head, got)
		}
	}
	w := newWorld(t)
	for _, file := range []string{"", "gitdir: \n", "gitdir: nowhere\n", "gitdir: " + strings.Repeat("x/", 4000)} {
		w.file(".git", file)
		if got := w.branch(); got != "" {
			t.Errorf("%q: %q", file, got)
		}
	}
}

func TestFolders(t *testing.T) {
	join := filepath.Join
	for _, c := range []struct {
		checkout, dir, top string
		folders            []string
	}{
		{"/a", "/a", "/a", []string{"."}},
		{"/a", "/a/b/c", "/a", []string{".", "b", join("b", "c")}},
		{"/a", "/ab/c", "/ab/c", []string{"."}},
		{"/a/b", "/a", "/a", []string{"."}},
		{"", "/a/b", "/a/b", []string{"."}},
		{"/", "/a", "/", []string{".", "a"}},
	} {
		top, folders := Options{Checkout: filepath.FromSlash(c.checkout), Dir: filepath.FromSlash(c.dir)}.folders()
		if diff := cmp.Diff(c.folders, folders); diff != "" || top != filepath.FromSlash(c.top) {
			t.Error(c, top, diff)
		}
	}
}

// A link is followed only inside the checkout, and a text that is met twice stands there once.
func TestLinks(t *testing.T) {
	w := newWorld(t)
	out := filepath.Join(filepath.Dir(w.Checkout), "secret")
	w.write(filepath.Join(out, "AGENTS.md"), "the secret\n")
	w.file("docs/agents.txt", "linked, inside\n")
	w.link(filepath.Join("docs", "agents.txt"), "AGENTS.md")
	w.link(filepath.Join(w.Checkout, "docs", "agents.txt"), "a/AGENTS.md")
	w.link("../../../secret/AGENTS.md", "a/b/AGENTS.md")
	w.link(filepath.Join(out, "AGENTS.md"), "a/b/c/AGENTS.md")
	w.link("nowhere", "a/b/c/d/AGENTS.md")
	w.link("AGENTS.md", "a/b/c/d/e/AGENTS.md")
	w.Dir = filepath.Join(w.Checkout, "a", "b", "c", "d", "e")
	s := w.compose()
	if strings.Contains(s.Text, "the secret") {
		t.Error("a link out of the checkout was followed")
	}
	if n := strings.Count(s.Text, "> linked, inside\n"); n != 1 || len(s.Files) != 1 || s.Files[0].Path != filepath.Join(w.Checkout, "a", "AGENTS.md") {
		t.Errorf("%d times, %+v", n, s.Files)
	}
	want := []string{
		"/top/work/a/b/c/d/e/AGENTS.md is left out: a link that cannot be followed: EvalSymlinks: too many links",
		"/top/work/a/b/c/d/AGENTS.md is left out: a link that cannot be followed: no such file or directory",
		"/top/work/a/b/c/AGENTS.md is left out: a link that leads out of the checkout",
		"/top/work/a/b/AGENTS.md is left out: a link that leads out of the checkout",
	}
	if diff := cmp.Diff(want, w.warnings(s)); diff != "" && runtime.GOOS != "windows" {
		t.Error(diff)
	}
}

// A checkout that is reached through a link is one all the same.
func TestLinkAbove(t *testing.T) {
	w := newWorld(t)
	w.file("sub/AGENTS.md", "here\n")
	real := w.Checkout
	w.Checkout = filepath.Join(filepath.Dir(real), "alias")
	if err := os.Symlink(real, w.Checkout); err != nil {
		t.Skip("links need a privilege here")
	}
	w.Dir = filepath.Join(w.Checkout, "sub")
	if s := w.compose(); len(s.Files) != 1 || len(s.Warnings) > 0 {
		t.Errorf("%+v %q", s.Files, s.Warnings)
	}
}

func TestNotText(t *testing.T) {
	w := newWorld(t)
	w.file("AGENTS.md", "\xff\xfex\x00")
	w.file("a/AGENTS.md", "a\x00b")
	w.file("a/b/AGENTS.md", "caf\xe9")
	w.mkdir(filepath.Join(w.Checkout, "a", "b", "c", "AGENTS.md"))
	w.Dir = filepath.Join(w.Checkout, "a", "b", "c")
	s := w.compose()
	want := []string{
		"/top/work/a/b/c/AGENTS.md is left out: not a regular file",
		"/top/work/a/b/AGENTS.md is left out: it is not valid UTF-8",
		"/top/work/a/AGENTS.md is left out: it holds NUL bytes, as UTF-16 and binary files do; save it as UTF-8",
		"/top/work/AGENTS.md is left out: it is UTF-16; save it as UTF-8",
	}
	if diff := cmp.Diff(want, w.warnings(s)); diff != "" || len(s.Files) > 0 || strings.Contains(s.Text, labelInstructions) {
		t.Error(diff, s.Files)
	}
}

// One file has its cap, and all together theirs, of which the nearest get first.
func TestCaps(t *testing.T) {
	w := newWorld(t)
	big := strings.Repeat("a line of forty bytes, so that it fits.\n", 2000)
	w.file("AGENTS.md", big)
	w.file("a/AGENTS.md", big)
	w.file("a/b/AGENTS.md", big+"\xff")
	w.file("a/b/c/AGENTS.md", "small\n")
	w.Dir = filepath.Join(w.Checkout, "a", "b", "c")
	s := w.compose()
	text := s.Text[strings.Index(s.Text, labelInstructions):]
	if len(text) > MaxInstructions || len(text) < MaxInstructions-2*lineWindow {
		t.Errorf("%d bytes", len(text))
	}
	blocks := strings.Split(text, labelFile)[1:]
	if len(blocks) != 3 || len(s.Files) != 3 {
		t.Fatalf("%d blocks, %+v", len(blocks), s.Files)
	}
	for i, block := range blocks[:2] {
		block = labelFile + block
		lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
		if last := lines[len(lines)-1]; len(block) > MaxFile || !strings.HasPrefix(last, "[truncated: ") || !strings.Contains(last, " of 8000") || lines[len(lines)-2] != "> a line of forty bytes, so that it fits." {
			t.Errorf("block %d, %d bytes, ends in %q", i, len(block), lines[len(lines)-2:])
		}
		if !s.Files[i].Cut || s.Files[i].Bytes < 80000 {
			t.Errorf("%+v", s.Files[i])
		}
	}
	if len(s.Warnings) != 3 || !strings.Contains(s.Warnings[2], "is left out: instructions nearer") {
		t.Errorf("%q", s.Warnings)
	}
}
