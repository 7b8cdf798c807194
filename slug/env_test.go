package slug

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// twoRepos makes r with the linked worktree wt, and the unrelated e and b.git.
func twoRepos(w *world) {
	w.repo("r")
	w.run("r", "worktree", "add", "-q", "../wt")
	w.repo("e")
	w.run("e", "worktree", "add", "-q", "../ew")
	w.run(".", "clone", "-q", "--bare", "e", "b.git")
	w.repo("s", "--separate-git-dir", "../sep.gd")
	w.link("e", "elink")
}

func TestEnvironment(t *testing.T) {
	tests := []layout{
		{name: "GIT_DIR", kind: KindCheckout, root: "e", asks: []ask{
			{from: "r/a", checkout: "r/a", env: []string{"GIT_DIR=W/e/.git"}},
			{from: "e/a", checkout: "e/a", env: []string{"GIT_DIR=../.git"}},
			{from: "e", checkout: "e", env: []string{"GIT_DIR=.git"}},
			{from: "r", checkout: "r", env: []string{"GIT_DIR=../elink/.git"}},
			{from: "home", checkout: "home", env: []string{"GIT_DIR=W/e/.git"}},
		}},
		{name: "GIT_DIR as a hook in a linked worktree has it", kind: KindCheckout, root: "e", asks: []ask{
			{from: "ew", checkout: "ew", env: []string{"GIT_DIR=W/e/.git/worktrees/ew"}},
			{from: "ew/a", checkout: "ew", env: []string{"GIT_DIR=W/e/.git/worktrees/ew", "GIT_WORK_TREE=W/ew"}},
		}},
		{name: "GIT_DIR names a .git file", kind: KindCheckout, root: "e", asks: []ask{
			{from: "ew", checkout: "ew", env: []string{"GIT_DIR=.git"}},
			{from: "r", checkout: "r", env: []string{"GIT_DIR=W/ew/.git"}},
		}},
		{name: "GIT_DIR and GIT_WORK_TREE", kind: KindCheckout, root: "e", asks: []ask{
			{from: "r/a", checkout: "r", env: []string{"GIT_DIR=W/e/.git", "GIT_WORK_TREE=W/r"}},
			{from: "r/a", checkout: "r", env: []string{"GIT_DIR=W/e/.git", "GIT_WORK_TREE=.."}},
			{from: "r/a", checkout: "e", env: []string{"GIT_DIR=W/e/.git", "GIT_WORK_TREE=W/elink"}},
		}},
		{name: "GIT_DIR names a bare repository", kind: KindBare, root: "b.git", asks: []ask{
			{from: "r/a", env: []string{"GIT_DIR=W/b.git"}},
			{from: "r/a", checkout: "r", env: []string{"GIT_DIR=W/b.git", "GIT_WORK_TREE=W/r"}},
		}},
		{name: "GIT_DIR names a separate git dir", kind: KindCheckout, root: "sep.gd", asks: []ask{
			{from: "s/a", checkout: "s/a", env: []string{"GIT_DIR=W/sep.gd"}},
		}},
		{name: "GIT_WORK_TREE alone", kind: KindCheckout, root: "r", asks: []ask{
			{from: "r/a", checkout: "e", env: []string{"GIT_WORK_TREE=W/e"}},
			{from: "wt/a", checkout: "wt/a", env: []string{"GIT_WORK_TREE=."}},
			{from: "r/.git", checkout: "r", env: []string{"GIT_WORK_TREE=W/r"}},
		}},
		{name: "GIT_COMMON_DIR", kind: KindCheckout, root: "e", asks: []ask{
			{from: "r/a", checkout: "r/a", env: []string{"GIT_DIR=W/r/.git", "GIT_COMMON_DIR=W/e/.git"}},
			{from: "r/a", checkout: "r", env: []string{"GIT_COMMON_DIR=../../e/.git"}},
			{from: "wt/a", checkout: "wt", env: []string{"GIT_COMMON_DIR=W/e/.git"}},
		}},
		{name: "GIT_CEILING_DIRECTORIES that does not count", kind: KindCheckout, root: "r", asks: []ask{
			{from: "r/a/b", checkout: "r", env: []string{"GIT_CEILING_DIRECTORIES=W/."}},
			{from: "r/a/b", checkout: "r", env: []string{"GIT_CEILING_DIRECTORIES=W/r/a/b"}},
			{from: "r", checkout: "r", env: []string{"GIT_CEILING_DIRECTORIES=W/r"}},
			{from: "r/a/b", checkout: "r", env: []string{"GIT_CEILING_DIRECTORIES=r:../..:W/nope:W/r/a/bb:W/e:/"}},
			{from: "r/a/b", checkout: "r", env: []string{"GIT_CEILING_DIRECTORIES=:W/elink/../r/./x"}},
		}},
		{name: "GIT_CEILING_DIRECTORIES", kind: KindDirectory, root: "r/a/b", asks: []ask{
			{from: "r/a/b", checkout: "r/a/b", env: []string{"GIT_CEILING_DIRECTORIES=W/r"}},
			{from: "r/a/b", checkout: "r/a/b", env: []string{"GIT_CEILING_DIRECTORIES=W/r/a"}},
			{from: "r/a/b", checkout: "r/a/b", env: []string{"GIT_CEILING_DIRECTORIES=W/.:W/elink:W/r/"}},
			{from: "r/a/b", checkout: "r/a/b", env: []string{"GIT_CEILING_DIRECTORIES=:W/r"}},
		}},
	}
	w := newWorld(t)
	twoRepos(w)
	for _, l := range tests {
		t.Run(l.name, func(t *testing.T) {
			for _, a := range l.asks {
				if checkAsk(t, w, l, a); t.Failed() {
					t.Errorf("asked from %s with %v", a.from, a.env)
				}
			}
		})
	}
}

// A ceiling is resolved, unless it comes after an empty entry: Git's own way.
func TestCeilingLinks(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.link("r", "link")
	for env, want := range map[string]string{
		"GIT_CEILING_DIRECTORIES=" + w.path("link"):       KindDirectory,
		"GIT_CEILING_DIRECTORIES=:" + w.path("link"):      KindCheckout,
		"GIT_CEILING_DIRECTORIES=:" + w.path("r"):         KindDirectory,
		"GIT_CEILING_DIRECTORIES=::" + w.path("r") + "::": KindDirectory,
	} {
		p, err := w.find("r/a", env)
		if err != nil {
			t.Fatal(err)
		}
		_, inGit := w.ask("r/a", []string{env}, "rev-parse", "--git-dir")
		if p.Kind != want || inGit != (want == KindCheckout) {
			t.Errorf("%s: kind %s, git finds it: %v; want %s", env, p.Kind, inGit, want)
		}
	}
}

func TestGitDirErrors(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.write("text", "x")
	w.mkdir("empty")
	w.write("planted/.git", "gitdir: "+w.path("r/.git")+"\n")
	for _, tt := range []struct {
		env  string
		kind error
	}{
		{"W/nope", plumbing.ErrNotFound}, {"W/text/x", plumbing.ErrNotFound},
		{"W/text", plumbing.ErrCorrupt}, {"W/empty", plumbing.ErrCorrupt}, {"W/r", plumbing.ErrCorrupt},
		{"W/planted/.git", plumbing.ErrRefused},
	} {
		env := expand(w, []string{"GIT_DIR=" + tt.env})
		_, err := w.find("r", env...)
		mustFail(t, err, tt.kind, filepath.Base(tt.env))
	}
}

func TestStart(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.write("text", "x")
	w.link("loop", "loop")
	w.mkdir("bad\xff")
	for _, tt := range []struct {
		dir  string
		kind error
	}{
		{"gone", plumbing.ErrNotFound}, {"gone/../r", plumbing.ErrNotFound}, {"text/x", plumbing.ErrNotFound},
		{"text", plumbing.ErrInvalid}, {"r\x00", plumbing.ErrInvalid}, {"bad\xff", plumbing.ErrInvalid},
	} {
		_, err := w.find(tt.dir)
		if tt.dir == "r\x00" {
			tt.dir = "r"
		}
		if tt.dir == "bad\xff" {
			tt.dir = "bad"
		}
		mustFail(t, err, tt.kind, w.path("")[:5])
	}
	if p, err := w.find("loop"); err == nil {
		t.Errorf("a loop of links: %+v", p)
	}
}

// The working directory counts where none is named, also through a link and a wrong PWD (case G8).
func TestWorkingDirectory(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.link("r", "link")
	t.Chdir(w.path("link"))
	for _, pwd := range []string{w.path("link"), w.path("r"), "/nope"} {
		t.Setenv("PWD", pwd)
		for _, dir := range []string{"", ".", "a", "a/b/.."} {
			p, err := Find(context.Background(), Options{Dir: dir})
			if err != nil || p.Root != w.path("r") {
				t.Errorf("PWD=%s, from %q: %+v, %v", pwd, dir, p, err)
			}
		}
	}
}

func TestWorkingDirectoryGone(t *testing.T) {
	w := newWorld(t)
	w.mkdir("r/x")
	t.Chdir(w.path("r/x"))
	w.remove("r/x")
	if _, err := os.Getwd(); err == nil {
		t.Skip("this system keeps a removed working directory")
	}
	_, err := Find(context.Background(), Options{})
	mustFail(t, err, plumbing.ErrNotFound, "working directory")
	_, err = w.find("r/x")
	mustFail(t, err, plumbing.ErrNotFound, "r/x")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Find(ctx, Options{Dir: t.TempDir()}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
