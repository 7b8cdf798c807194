package slug

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// What go-git's decoder refuses or reads differently from Git gives the
// answer that Git gives (go-facts section 2).
func TestConfig(t *testing.T) {
	tests := []struct {
		name, config string // V stands for the version that each repository has
		root         string // relative to the world: "r", "tree", or "r/.git" where it is bare
		withoutGit   string // the same where there is no git to ask; empty: it fails
	}{
		{"nothing", "", "r", "r"},
		{"no version, which makes Git look at nothing else", "[core]\nbare = true\nworktree = /nope\n", "r", "r"},
		{"comments", "[core]\nV\n# [core] bare = true\n; worktree = x\n", "r", "r"},
		{"bare", "[core]\nV\n[core]\nbare = true\n", "r/.git", "r/.git"},
		{"section and key in capitals", "[core]\nV\n[CORE]\n\tBARE = TRUE\n", "r/.git", "r/.git"},
		{"a word for true", "[core]\nV\n[core]\nbare = yes\n", "r/.git", "r/.git"},
		{"a number for true", "[core]\nV\n[core]\nbare = 1k\n", "r/.git", "r/.git"},
		{"a number for false", "[core]\nV\n[core]\nbare = 0x0\n", "r", "r"},
		{"a word for false", "[core]\nV\n[core]\nbare = off\n", "r", "r"},
		{"the last one counts", "[core]\nV\n[core]\nbare = true\n[x]\ny = 1\n[core]\nbare = false\n", "r", "r"},
		{"a subsection is another thing", "[core]\nV\n[core \"x\"]\nbare = true\n[corex]\nbare = true\n", "r", "r"},
		{"an empty subsection", "[core]\nV\n[core \"\"]\nbare = true\n", "r", ""},
		{"an old subsection", "[core]\nV\n[core.x]\nbare = true\n", "r", ""},
		{"on one line", "[core]\nV\n[core] bare = true\n", "r/.git", ""},
		{"on one line with a comment", "[core]\nV\n[core] bare = true # so\n", "r/.git", ""},
		{"a BOM", "\ufeff[core]\nV\n[core]\nbare = true\n", "r/.git", "r/.git"},
		{"CRLF", "[core]\r\nV\r\n[core]\r\n\tbare = true\r\n", "r/.git", "r/.git"},
		{"a key without a value", "[core]\nV\n[core]\nbare\n", "r/.git", "r/.git"},
		{"a key with an empty value", "[core]\nV\n[core]\nbare =\n", "r", "r/.git"},
		{"worktree", "[core]\nV\n[core]\nworktree = ../../tree\n", "tree", "tree"},
		{"worktree quoted", "[core]\nV\n[core]\nworktree = \"../../tree\" ; so\n", "tree", "tree"},
		{"worktree half quoted", "[core]\nV\n[core]\nworktree = ../..\"/tr\"ee\n", "tree", "tree"},
		{"worktree continued", "[core]\nV\n[core]\nworktree = ../../tr\\\nee\n", "tree", ""},
		{"worktree continued, CRLF", "[core]\r\nV\r\n[core]\r\nworktree = ../../tr\\\r\nee\r\n", "tree", ""},
		{"worktree with an escape", "[core]\nV\n[core]\nworktree = ../..\\\\/../r/../tree\n", "", ""},
		{"another key continued", "[core]\nV\n[alias]\nx = a \\\n b\n[core]\nworktree = ../../tree\n", "tree", "tree"},
		{"another key without a value", "[core]\nV\n[core]\nlogallrefupdates\nworktree = ../../tree\n", "tree", "tree"},
		{"a bad escape elsewhere", "[core]\nV\n[x]\ny = \\q\n[core]\nworktree = ../../tree\n", "", ""},
		{"no end of line", "[core]\nV\n[core]\nworktree = ../../tree", "tree", "tree"},
		{"an included file does not count", "[core]\nV\n[include]\npath = more\n", "r", "r"},
		{"not UTF-8 elsewhere", "[core]\nV\n[user]\nname = \xe9\n[core]\nworktree = ../../tree\n", "tree", ""},
		{"extensions as nobody knows them", "[core]\nrepositoryformatversion = 99\n[extensions]\nx = y\n", "r", "r"},
		{"no section", "bare = true\n", "r", ""},
		{"cut off", "[core]\nV\n[core]\nworktree = \"../../tr", "", ""},
		{"a NUL", "[core]\nV\n[core]\nbare = true\x00\n", "r/.git", ""},
	}
	w := newWorld(t)
	w.repo("r")
	w.mkdir("tree")
	w.write("r/.git/more", "[core]\nbare = true\nworktree = ../../tree\n")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w.write("r/.git/config", strings.ReplaceAll(tt.config, "V", "repositoryformatversion = 0"))
			checkRoot(t, w, tt.root, nil)
			checkRoot(t, w, tt.withoutGit, []string{"PATH=bin:."})
			if tt.root == "" {
				return
			}
			bare, ok := w.ask("r", nil, "rev-parse", "--is-bare-repository")
			if want := map[bool]string{true: "true", false: "false"}[tt.root == "r/.git"]; ok && bare != want {
				t.Errorf("git says bare: %s", bare)
			}
			if top, ok := w.ask("r", nil, "rev-parse", "--show-toplevel"); ok && filepath.FromSlash(top) != w.path(tt.root) {
				t.Errorf("git says that the checkout is %q, not %q", top, tt.root)
			}
		})
	}
}

// checkRoot finds r's root; want is relative, empty for a corrupt configuration.
func checkRoot(t *testing.T, w *world, want string, env []string) {
	t.Helper()
	p, err := w.find("r/a", env...)
	if want == "" {
		mustFail(t, err, plumbing.ErrCorrupt, "")
		return
	}
	if err != nil || p.Root != w.path(want) {
		t.Errorf("with %v: root %q, %v; want %q", env, p.Root, err, want)
	}
}

// Git is asked without an environment and outside the repository, so that the
// repository cannot have anything run, and never from a relative folder of PATH.
func TestAskGit(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.write("r/.git/config", "[core] bare = false\n")
	spy := w.path("bin/git")
	w.write("bin/git", "#!/bin/sh\nenv >"+w.path("seen")+"\nprintf '%s\\n' \"$@\" >"+w.path("args")+"\nprintf 'core.bare\\nfalse\\0'\n")
	if err := os.Chmod(spy, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_EXTERNAL_DIFF", "evil")
	if _, err := w.find("r", "PATH="+w.path("bin"), "GIT_PAGER=evil"); err != nil {
		t.Fatal(err)
	}
	seen, _ := os.ReadFile(w.path("seen"))
	for line := range strings.Lines(string(seen)) {
		name, _, _ := strings.Cut(line, "=")
		switch name {
		case "GIT_DIR", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "LC_ALL", "PWD", "SHLVL", "_", "OLDPWD":
		default:
			t.Errorf("git was given %q", line)
		}
	}
	args, _ := os.ReadFile(w.path("args"))
	want := "config\n--file\n" + w.path("r/.git/config") + "\n--list\n--null\n"
	if diff := cmp.Diff(want, string(args)); diff != "" {
		t.Error(diff)
	}
	t.Chdir(w.dir)
	_, err := w.find("r", "PATH=bin:./bin:")
	mustFail(t, err, plumbing.ErrCorrupt, "r/.git/config")
	if !errors.Is(err, errNoGit) {
		t.Errorf("error %v", err)
	}
}

func TestAskGitCancelled(t *testing.T) {
	w := newWorld(t)
	w.repo("r")
	w.write("r/.git/config", "[core] bare = false\n")
	ctx, cancel := context.WithCancel(context.Background())
	f := &finder{ctx: ctx, getenv: os.Getenv, configs: map[string]settings{}}
	cancel()
	if _, err := f.askGit(w.path("r/.git/config"), []string{"core"}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}

func TestParseTruth(t *testing.T) {
	for value, want := range map[string]truth{
		"true": yes, "TRUE": yes, "yes": yes, "on": yes, "1": yes, "-1": yes, "2K": yes, "0x10": yes,
		"false": no, "no": no, "Off": no, "0": no, "0k": no, "": no,
	} {
		if got, ok := parseTruth(entry{value: value}); got != want || !ok {
			t.Errorf("parseTruth(%q) = %v, %v", value, got, ok)
		}
	}
	for _, value := range []string{"maybe", "t", "1kk", "k", " 1", "1.0", "true ", "99999999999999999999"} {
		if got, ok := parseTruth(entry{value: value}); ok {
			t.Errorf("parseTruth(%q) = %v", value, got)
		}
	}
}

// No bytes of a configuration make the decoder panic; what it gives is of the sections asked for.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"[core]\n\trepositoryformatversion = 0\n\tbare = false\n", "[core] bare = true", "[core]\nbare", "[core]\nworktree = \"a\\\"b\" # c\n",
		"[submodule \"a b\"]\n\tpath = x\n", "[core]\nworktree = a\\\nb\n", "[core]\nworktree = \"a\\", "\ufeff[core]\r\nbare=1\r\n", "[core \"\\", "[a]\nb=\\q",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, ok := decode(data, []string{"core", "submodule"})
		if !ok && entries != nil {
			t.Errorf("entries of a file that could not be read: %v", entries)
		}
		for _, e := range entries {
			if section, _, _ := strings.Cut(e.key, "."); !within(section, []string{"core", "submodule"}) || section != strings.ToLower(section) {
				t.Errorf("the key %q", e.key)
			}
			parseTruth(e)
		}
	})
}
