package permission

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// space makes a workspace with files and links, and a folder outside.
func space(t testing.TB) (w Workspace, outside string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w = Workspace{Root: filepath.Join(top, "work"), Home: filepath.Join(top, "home", "me")}
	outside = filepath.Join(top, "away")
	for _, d := range []string{"sub/deep", "links", "dash", "evil/objects", "evil/refs", "links2", "nested/.git"} {
		mkdir(t, filepath.Join(w.Root, d))
	}
	mkdir(t, outside)
	mkdir(t, w.Home)
	for _, f := range []string{"work/a.go", "work/b.go", "work/sub/c.go", "work/dash/-delete", "work/evil/HEAD", "work/links2/HEAD", "work/links2/commondir", "away/secret", "home/me/.netrc"} {
		if err := os.WriteFile(filepath.Join(top, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link(t, outside, filepath.Join(w.Root, "links", "out"))
	link(t, filepath.Join(outside, "secret"), filepath.Join(w.Root, "links", "secret.txt"))
	link(t, filepath.Join(outside, "new"), filepath.Join(w.Root, "links", "dangling"))
	link(t, filepath.Join(w.Root, "sub"), filepath.Join(w.Root, "links", "in"))
	link(t, filepath.Join(w.Root, "links", "loop"), filepath.Join(w.Root, "links", "loop"))
	return w, outside
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func link(t testing.TB, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Skip("no links here:", err)
	}
}

func TestLineClass(t *testing.T) {
	w, _ := space(t)
	for class, lines := range map[Class]string{Read: readLines, Write: writeLines, Execute: executeLines, Network: networkLines} {
		for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
			line = strings.ReplaceAll(line, "⏎", "\n")
			p, err := Line(line, w, w.Root)
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			if p.Class != class {
				t.Errorf("%q is %s (%s), want %s", line, p.Class, p.Why, class)
			}
			if p.Class != Read && p.Why == "" {
				t.Errorf("%q: no reason", line)
			}
			if len(p.Outside) > 0 {
				t.Errorf("%q: outside %q", line, p.Outside)
			}
		}
	}
}

func TestLineInvalid(t *testing.T) {
	w, _ := space(t)
	for line, want := range map[string]string{
		"ls 'a":                          "line 1, column 4",
		"ls\nif true":                    "line 2, column 1",
		"ls )":                           "line 1, column 4",
		"ls # x\\\nrm y":                 "a comment of the command line ends in a backslash at line 1, column 4",
		"echo $(ls # x\\\n)":             "line",
		"x=<<'E'# $(rm x)\nE":            "a # that may begin a comment at line 1, column 8",
		"echo ${":                        "line 1",
		"cat <<EOF":                      "line 1, column 5",
		"ls \x00":                        "no text",
		"ls \xff":                        "no text",
		strings.Repeat("a", maxLine+1):   "65537 bytes, the most is 65536",
		"secret-word 'secret-word":       "column 13",
		strings.Repeat("$(", 1000) + "x": "line 1",
	} {
		_, err := Line(line, w, w.Root)
		var e *plumbing.Error
		if !errors.Is(err, plumbing.ErrInvalid) || !errors.As(err, &e) || !strings.Contains(e.Message, want) || e.Hint == "" || strings.Contains(e.Message, "secret") {
			t.Errorf("%.40q: %v, want %q", line, err, want)
		}
	}
}

func TestLineDeep(t *testing.T) {
	w, _ := space(t)
	for _, line := range []string{
		strings.Repeat("(", 3000) + "ls" + strings.Repeat(")", 3000),
		strings.Repeat("$(", 3000) + "ls" + strings.Repeat(")", 3000),
		"echo " + strings.Repeat("{a,b}", 30),
		"echo {1..1000000000}",
		"echo $((" + strings.Repeat("(", 3000) + "1" + strings.Repeat(")", 3000) + "))",
		strings.Repeat("ls && ", 5000) + "rm x",
		"cat" + strings.Repeat(" a", 20000) + "; rm x",
	} {
		p, err := Line(line, w, w.Root)
		if err == nil && p.Class == Read && !strings.HasPrefix(line, "echo {") && !strings.Contains(line, "{a,b}") {
			t.Errorf("%.20q: %+v", line, p.Class)
		}
	}
}

func TestLineCommands(t *testing.T) {
	w, _ := space(t)
	for line, want := range map[string][]Command{
		"git push": {{Words: []string{"git", "push"}, Class: Network, Known: true, Why: "git push reaches the network"}},
		"timeout 5 go test ./...": {{Words: []string{"go", "test", "./..."}, Class: Execute, Known: true,
			Why: "go is not among the commands that are known to only read", Also: [][]string{{"timeout", "5", "go", "test", "./..."}}}},
		"sudo /usr/bin/git -C . push": {{Words: []string{"sudo", "/usr/bin/git", "-C", ".", "push"}, Class: Network, Known: true, Why: "git push reaches the network",
			Also: [][]string{{"sudo", "/usr/bin/git", "-C", ".", "push"}, {"git", "-C", ".", "push"}, {"git", "push"}, {"/usr/bin/git", "-C", ".", "push"}}}},
		"FOO=1 make x":           {{Words: []string{"make", "x"}, Class: Execute, Why: "make is not among the commands that are known to only read"}},
		"make $x":                {{Words: []string{"make"}, Class: Execute, Cut: true, Why: "make is not among the commands that are known to only read"}},
		"prettier *.go":          {{Words: []string{"prettier"}, Class: Execute, Cut: true, Known: true, Why: "prettier is not among the commands that are known to only read"}},
		"ls > x":                 {{Words: []string{">", "x"}, Class: Write, Known: true, Why: "it writes x"}, {Words: []string{"ls"}, Class: Read, Known: true}},
		"for x in 1; do :; done": {{Words: []string{":"}, Class: Read, Known: true}},
		"x=1":                    nil,
		"sh -c 'ls; make'": {
			{Words: []string{"ls"}, Class: Read, Known: true, Also: [][]string{{"sh", "-c", "ls; make"}}},
			{Words: []string{"make"}, Class: Execute, Known: true, Why: "make is not among the commands that are known to only read", Also: [][]string{{"sh", "-c", "ls; make"}}},
		},
	} {
		p, err := Line(line, w, w.Root)
		if err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		for i := range p.Commands {
			if p.Commands[i].Line != line {
				t.Errorf("%q: line %q", line, p.Commands[i].Line)
			}
			p.Commands[i].Line = ""
		}
		if diff := cmp.Diff(want, p.Commands); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}
