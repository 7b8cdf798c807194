//go:build unix

package coding

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
)

// Where a command ends is kept, however it ends, and nothing in it is changed by that.
func TestBashKeepsTheDirectory(t *testing.T) {
	tests := map[string]struct {
		line, out string
		to        string // the name of the folder that it ends in; "": where it began
	}{
		"cd":                {"cd sub", "", "sub"},
		"comment":           {"cd sub # and no more", "", "sub"},
		"exit":              {"cd sub; exit 3", "[exit code 3]", "sub"},
		"failure":           {"cd sub; false", "[exit code 1]", "sub"},
		"set -e":            {"set -e; cd sub; false; echo no", "[exit code 1]", "sub"},
		"set -u":            {"set -u; cd sub; : $nothing_here; echo no", "nothing_here", "sub"},
		"noclobber":         {"set -C; cd sub", "", "sub"},
		"heredoc":           {"cd sub; cat <<X\nit's $((1+1))\nX", "it's 2\n", "sub"},
		"open heredoc":      {"cd sub; cat <<X\nbody", "body", "sub"},
		"backslash":         {`cd sub; echo a\`, `a\`, "sub"},
		"syntax error":      {"cd sub\nif then", "yntax error", "sub"},
		"open quote":        {"cd sub; echo 'a", "[exit code 2]", ""},
		"open bracket":      {"cd sub; (echo a", "[exit code 2]", ""},
		"exec":              {"cd sub; exec echo a", "a\n", ""},
		"exec of nothing":   {"cd sub; exec no-such-program", "[exit code 127]", "sub"},
		"killed":            {"cd sub; kill -9 $$", "[signal: killed]", ""},
		"subshell":          {"(cd sub; exit 4)", "[exit code 4]", ""},
		"trap":              {"trap 'echo bye $?' EXIT; cd sub; (exit 5)", "bye 5\n[exit code 5]", "sub"},
		"trap in a subtree": {"(trap 'echo bye' EXIT); cd sub; exit 6", "bye\n[exit code 6]", "sub"},
		"pwd redefined":     {"pwd() { echo /; }; cd sub", "", "sub"},
		"descriptor 3":      {"exec 3>file; cd sub; echo a >&3; cat ../file", "a\n", "sub"},
		"stderr closed":     {"exec 2>&-; cd sub", "", "sub"},
		"arguments":         {"set -- a b; cd sub; echo $#", "2\n", "sub"},
		"back again":        {"cd sub; cd ..", "", ""},
		"link":              {"cd link", "", "sub"},
		"odd name":          {"cd 'a\nb '\"'\"'é'", "", "a\nb 'é"},
		"name with newline": {"cd 'end\n'", "", "end\n"},
		"outside":           {"cd ../out", "outside the workspace; the working directory is ", ""},
		"link outside":      {"cd away", "outside the workspace; the working directory is ", ""},
		"gone":              {"mkdir tmp; cd tmp; rmdir ../tmp", "is gone; the working directory is ", ""},
		"gone, set -e":      {"set -e; mkdir tmp; cd tmp; rmdir ../tmp; echo ok", "ok\n[the folder", ""},
	}
	for _, shell := range []string{"bash", "dash"} {
		if newShell(t).program(shell) == "" {
			continue
		}
		for name, tt := range tests {
			if shell == "dash" && name == "open heredoc" {
				continue // older ones take it, newer ones do not
			}
			t.Run(shell+"/"+name, func(t *testing.T) {
				t.Parallel()
				b := newShell(t)
				b.o.Shell = shell
				for _, dir := range []string{"sub", "a\nb 'é", "end\n"} {
					if err := os.Mkdir(b.path(dir), 0o755); err != nil {
						t.Fatal(err)
					}
				}
				b.link("sub", "link")
				b.link(b.outside, "away")
				r := b.run(tt.line)
				if !strings.Contains(r.Text, tt.out) {
					t.Errorf("%q lacks %q", r.Text, tt.out)
				}
				want := filepath.Join(b.dir, tt.to)
				if b.Dir() != want {
					t.Errorf("the working directory is %q, want %q: %s", b.Dir(), want, r.Text)
				}
				if moved := strings.Contains(r.Text, "[the working directory is now "+shown(want)+"]"); moved != (tt.to != "") {
					t.Errorf("%q says of the move: %t", r.Text, moved)
				}
				if got := b.run("command pwd -P").Text; got != want+"\n" {
					t.Errorf("the next command runs in %q, want %q", got, want)
				}
			})
		}
	}
}

func TestBashDirectoryGone(t *testing.T) {
	b := newShell(t)
	b.run("mkdir sub; cd sub")
	if err := os.Remove(b.path("sub")); err != nil {
		t.Fatal(err)
	}
	_, err := b.call("bash", bashArgs("pwd"))
	if !errors.Is(err, plumbing.ErrConflict) {
		t.Fatalf("got %v", err)
	}
	if got := b.must("bash", bashArgs("pwd")); got != b.dir+"\n" {
		t.Errorf("ran in %q", got)
	}
}

// A command runs where it was judged, and a child does not move the agent.
func TestBashRunsWhereJudged(t *testing.T) {
	b := newShell(t)
	b.run("mkdir sub")
	c := b.callOf("bash", bashArgs("pwd"))
	need, err := b.tools["bash"].Needs(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := "in " + b.dir; need.Detail != want || need.Class != permission.Read || need.Summary != "pwd" {
		t.Errorf("needs %+v", need)
	}
	b.run("cd sub")
	for _, want := range []string{b.dir, b.path("sub")} { // judged, and then not
		r, err := b.tools["bash"].Run(t.Context(), c)
		if err != nil || !strings.HasPrefix(r.Text, want+"\n") {
			t.Errorf("ran in %q, want %q (%v)", r.Text, want, err)
		}
		b.moveTo(b.path("sub"))
	}
	c = b.callOf("bash", bashArgs("cd .."))
	c.Child = true
	r, err := b.runBash(t.Context(), c)
	if err != nil || b.Dir() != b.path("sub") || !strings.Contains(r.Text, "not kept for a child") {
		t.Errorf("a child moved the agent to %q: %q (%v)", b.Dir(), r.Text, err)
	}
}
