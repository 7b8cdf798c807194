package coding

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
)

func newTree(t testing.TB) *box {
	b := newBox(t)
	b.put("go.mod", "module x\n")
	b.put("cmd/main.go", "package main\n\nfunc main() {\n\tprintln(1)\n}\n")
	b.put("lib/a.go", "package lib\r\n\r\nfunc A() {}\r\nfunc a() {}")
	b.put("lib/wide.txt", "\xFF\xFEf\x00u\x00n\x00c\x00\n\x00")
	b.put("lib/bin", "func \x00")
	b.put("lib/long.txt", strings.Repeat("x", 900)+"func")
	b.put("build/out.go", "func ignored() {}\n")
	b.put("node_modules/m/x.go", "func skipped() {}\n")
	b.put(".git/config", "func = no\n")
	b.put(".hidden/x.go", "func hidden() {}\n")
	b.put(".gitignore", "/build/\n*.log\n!keep.log\n")
	b.put("x.log", "func log\n")
	b.put("keep.log", "func keep\n")
	b.put("two\nlines", "func name\n")
	b.link(b.outside, "lib/out")
	b.link("../cmd/main.go", "lib/link.go")
	if err := os.WriteFile(filepath.Join(b.outside, "x.go"), []byte("func outside() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGrep(t *testing.T) {
	b := newTree(t)
	all := ".hidden/x.go:1:func hidden() {}\ncmd/main.go:3:func main() {\nkeep.log:1:func keep\nlib/a.go:3:func A() {}\nlib/a.go:4:func a() {}\n" +
		"lib/long.txt:1:" + strings.Repeat("x", 400) + "… [cut: 504 more bytes]\nlib/wide.txt:1:func\n\"two\\nlines\":1:func name\n"
	for args, want := range map[string]string{
		`{"pattern":"func"}`: all,
		`{"pattern":"^func .*\\(\\) \\{\\}$","glob":"*.go"}`:              ".hidden/x.go:1:func hidden() {}\nlib/a.go:3:func A() {}\nlib/a.go:4:func a() {}\n",
		`{"pattern":"\\Afunc A","path":"lib"}`:                            "lib/a.go:3:func A() {}\n",
		`{"pattern":"FUNC a","ignore_case":true,"path":"lib/"}`:           "lib/a.go:3:func A() {}\nlib/a.go:4:func a() {}\n",
		`{"pattern":"a","path":"lib/a.go","limit":1}`:                     "lib/a.go:1:package lib\n[there are more hits; narrow the pattern, or give path or glob]\n",
		`{"pattern":"func","path":"build"}`:                               "build/out.go:1:func ignored() {}\n",
		`{"pattern":"func","path":"node_modules"}`:                        "node_modules/m/x.go:1:func skipped() {}\n",
		`{"pattern":"func","glob":"lib/*.go"}`:                            "lib/a.go:3:func A() {}\nlib/a.go:4:func a() {}\n",
		`{"pattern":"func","path":"./lib","glob":"**/*.{go,rs}"}`:         "lib/a.go:3:func A() {}\nlib/a.go:4:func a() {}\n",
		`{"pattern":"main","path":"cmd","context":1}`:                     "cmd/main.go:1:package main\ncmd/main.go-2-\ncmd/main.go:3:func main() {\ncmd/main.go-4-\tprintln(1)\n",
		`{"pattern":"(?s)main.*func"}`:                                    "No hits.\n[4 names of .gitignore and the like left out; name a folder as path to look there all the same]\n",
		`{"pattern":"nowhere","path":"cmd"}`:                              "No hits.\n",
		`{"pattern":"}","path":"cmd","context":20}`:                       "cmd/main.go-1-package main\ncmd/main.go-2-\ncmd/main.go-3-func main() {\ncmd/main.go-4-\tprintln(1)\ncmd/main.go:5:}\n",
		`{"pattern":"func","path":"lib/link.go"}`:                         "lib/link.go:3:func main() {\n",
		jsonOf(m{"pattern": "package main", "path": b.path("cmd")}):       b.path("cmd/main.go") + ":1:package main\n",
		`{"pattern":"^$","path":"cmd"}`:                                   "cmd/main.go:2:\n",
		`{"pattern":"package (main|lib)","path":"lib","context":0}`:       "lib/a.go:1:package lib\n",
		`{"pattern":"^module|^package main$","context":1,"glob":"*.mod"}`: "go.mod:1:module x\n",
	} {
		if d := cmp.Diff(want, b.must("grep", args)); d != "" {
			t.Errorf("%s: %s", args, d)
		}
	}
	b.put("apart/a", "x\n1\n2\n3\nx\n")
	b.put("apart/b", "x\n")
	want := "apart/a:1:x\napart/a-2-1\n--\napart/a-4-3\napart/a:5:x\n--\napart/b:1:x\n"
	if d := cmp.Diff(want, b.must("grep", `{"pattern":"x","path":"apart","context":1}`)); d != "" {
		t.Error(d)
	}
}

func TestGrepCaps(t *testing.T) {
	b := newBox(t)
	b.put("a", strings.Repeat("hit\n", 500))
	text := b.must("grep", `{"pattern":"hit"}`)
	if strings.Count(text, ":hit\n") != maxHits || !strings.Contains(text, "there are more hits") {
		t.Errorf("%d bytes", len(text))
	}
	b.put("a", strings.Repeat(strings.Repeat("hit", 200)+"\n", 150))
	text = b.must("grep", `{"pattern":"hit","context":20}`)
	if len(text) > maxGrep+200 || len(text) < maxGrep-maxHit-100 || !strings.Contains(text, "there are more hits") {
		t.Errorf("%d bytes", len(text))
	}
	b.put("a", strings.Repeat("x", maxWhole+1))
	if text = b.must("grep", `{"pattern":"x"}`); text != "No hits.\n[1 file over 16777216 bytes left out]\n" {
		t.Errorf("%.200q", text)
	}
}

func TestSearchRefuses(t *testing.T) {
	b := newTree(t)
	for _, c := range []struct {
		tool, args string
		kind       error
		says       string
	}{
		{"grep", `{"pattern":"(?=x)"}`, plumbing.ErrInvalid, "the pattern is no regular expression: invalid or unsupported Perl syntax: \"(?=\": the dialect is RE2's"},
		{"grep", `{"pattern":"a)(b"}`, plumbing.ErrInvalid, "unexpected ): \"a)(b\""},
		{"grep", `{"pattern":""}`, plumbing.ErrInvalid, "the pattern is empty"},
		{"grep", `{"pattern":"x{1000}{1000}"}`, plumbing.ErrInvalid, "no regular expression"},
		{"grep", `{"pattern":"x","glob":"[a"}`, plumbing.ErrInvalid, `the pattern "[a" is not well formed`},
		{"grep", `{"pattern":"x","path":"lid"}`, plumbing.ErrNotFound, `there is lib`},
		{"grep", `{"pattern":"x","context":-1}`, plumbing.ErrInvalid, `"context" is below 0`},
		{"glob", `{"pattern":"../*"}`, plumbing.ErrInvalid, "leaves the folder that is searched: give the folder as path"},
		{"glob", `{"pattern":"/etc/*"}`, plumbing.ErrInvalid, "give the folder as path"},
		{"glob", `{"pattern":"` + strings.Repeat("{a,b}", 9) + `"}`, plumbing.ErrInvalid, "empty or too long"},
		{"glob", `{"pattern":"*","path":"go.mod"}`, plumbing.ErrInvalid, `"go.mod" is a file, not a folder`},
		{"ls", `{"path":"go.mod"}`, plumbing.ErrInvalid, `"go.mod" is a file, not a folder`},
		{"ls", `{"depth":0}`, plumbing.ErrInvalid, `"depth" is below 1`},
	} {
		if _, err := b.call(c.tool, c.args); !errors.Is(err, c.kind) || !strings.Contains(tool.Failure(err), c.says) {
			t.Errorf("%s %s: %s; want %q", c.tool, c.args, tool.Failure(err), c.says)
		}
	}
}

func TestGlob(t *testing.T) {
	b := newTree(t)
	at := time.Unix(1_700_000_000, 0)
	for i, name := range []string{"go.mod", "cmd/main.go", "lib/a.go", ".hidden/x.go"} {
		if err := os.Chtimes(b.path(name), at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(b.path("build/out.go"), at, at); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"pattern":"{a,main,out}.go"}`:     "lib/a.go\ncmd/main.go\n",
		`{"pattern":"**/m*.go"}`:            "cmd/main.go\n",
		`{"pattern":"*/main.go"}`:           "cmd/main.go\n",
		`{"pattern":"./cmd/*"}`:             "cmd/main.go\n",
		`{"pattern":"*.go","path":"build"}`: "build/out.go\n",
		`{"pattern":"*.go","path":"~"}`:     "No files.\n",
		`{"pattern":"a.*","path":"./lib/"}`: "lib/a.go\n",
		`{"pattern":"two*"}`:                "\"two\\nlines\"\n",
		`{"pattern":"*.rs"}`:                "No files.\n[4 names of .gitignore and the like left out; name a folder as path to look there all the same]\n",
	} {
		c := b.callOf("glob", args)
		if _, err := b.tools["glob"].Needs(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		r, err := b.tools["glob"].Run(t.Context(), c)
		if d := cmp.Diff(want, r.Text); err != nil || d != "" {
			t.Errorf("%s: %v %s", args, err, d)
		}
	}
	for i := range 250 {
		b.put(fmt.Sprintf("many/%03d.txt", i), "")
	}
	text := b.must("glob", `{"pattern":"many/*.txt"}`)
	if strings.Count(text, ".txt\n") != maxFiles || !strings.HasSuffix(text, "[the newest 200 of 250 files; narrow the pattern for the others]\n") {
		t.Errorf("%q", text)
	}
}

func TestLs(t *testing.T) {
	b := newTree(t)
	b.put("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(b.path("run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := ".git/ (not listed)\n.gitignore 24\n.hidden/\n  x.go 17\nbuild/ (not listed)\ncmd/\n  main.go 42\ngo.mod 9\nkeep.log 10\n" +
		"lib/\n  a.go 39\n  bin 6\n  link.go -> ../cmd/main.go\n  long.txt 904\n  out -> " + b.outside + "\n  wide.txt 12\n" +
		"node_modules/ (not listed)\nrun.sh 10*\n\"two\\nlines\" 10\nx.log 9\n"
	if d := cmp.Diff(want, b.must("ls", `{"depth":3}`)); d != "" {
		t.Error(d)
	}
	if text := b.must("ls", `{"path":"cmd"}`); text != "main.go 42\n" {
		t.Errorf("%q", text)
	}
	if err := os.Mkdir(b.path("empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if text := b.must("ls", `{"path":"empty"}`); text != "[the folder is empty]\n" {
		t.Errorf("%q", text)
	}
	for i := range maxEntries + 5 {
		b.put(fmt.Sprintf("empty/%d", i), "")
	}
	if text := b.must("ls", `{"path":"empty"}`); !strings.HasSuffix(text, "[5 names more; list a folder of it alone]\n") {
		t.Errorf("%q", text[len(text)-100:])
	}
}

// What is left out is what git ignores, by git's own word. Two stars beside
// other characters are left out: git 2.39 compares pointers of two texts there.
func TestIgnoresAsGitDoes(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	b := newBox(t)
	run := func(stdin string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), git, args...)
		cmd.Dir, cmd.Stdin = b.dir, strings.NewReader(stdin)
		cmd.Env = []string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "LC_ALL=C"}
		out, err := cmd.Output()
		if exit := (&exec.ExitError{}); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Fatalf("git %v: %v %s", args, err, exit.Stderr)
		}
		return string(out)
	}
	run("", "init", "-q")
	r := rand.New(rand.NewPCG(3, 1))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	parts := []string{"a", "b", "ab", "*", "?", "**", "a*", "*b", "[ab]", "[!a]", "[^a]b", "[a-b]?", `\a`, `\*`, "[[:alpha:]]", "[]a]", "é", "[a", `b\`, "a b", ".x"}
	names := []string{"a", "b", "ab", "ba", "é", "a b", ".x", "*", "x]"}
	for i := range 150 {
		sets := map[string]string{}
		for _, dir := range []string{".", "a", "a/b"} {
			var text strings.Builder
			for range r.IntN(4) {
				line := pick([]string{"", "", "", "!", "/", "#", "!/", `\!`}) + pick(parts)
				for range r.IntN(3) {
					line += "/" + pick(parts)
				}
				text.WriteString(line + pick([]string{"", "", "/", "  ", `\ `, "/**"}) + pick([]string{"\n", "\r\n"}))
			}
			sets[dir] = text.String()
			b.put(path.Join(dir, ".gitignore"), text.String())
		}
		if i == 0 {
			for range 120 {
				name := pick(names)
				for range r.IntN(3) {
					name = pick(names) + "/" + name
				}
				if info, err := os.Stat(b.path(name)); err == nil && info.IsDir() {
					continue
				}
				if os.MkdirAll(filepath.Dir(b.path(name)), 0o755) == nil {
					os.WriteFile(b.path(name), []byte("x\n"), 0o644)
				}
			}
		}
		var want []string
		for _, name := range strings.Split(run("", "ls-files", "-co", "--exclude-standard", "-z"), "\x00") {
			if name != "" {
				want = append(want, name)
			}
		}
		var got []string
		p, err := b.place(".")
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.walk()
		if err != nil {
			t.Fatal(err)
		}
		err = w.run(t.Context(), func(name string, e os.DirEntry) error {
			if !e.IsDir() {
				got = append(got, name)
			}
			return nil
		})
		w.r.Close()
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatalf("%v, with %q: git, then we: %s", err, sets, d)
		}
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("[[:alpha:]]*\\ \n!/a/**/b/\n", "a/x/b")
	f.Fuzz(func(t *testing.T, text, name string) {
		if len(text) < 1000 && len(name) < 1000 {
			ignored([]ignores{readIgnores(".", text)}, name, false)
		}
	})
}

// TestFiles: what a person may mean by a name, without what is ignored; from a
// folder within the repository too, whose ignored files the folders above name.
func TestFiles(t *testing.T) {
	b := newTree(t)
	b.put("lib/y.log", "ignored from above\n")
	all := []string{".gitignore", "cmd/main.go", "go.mod", "keep.log", "lib/a.go", "lib/bin", "lib/long.txt", "lib/wide.txt", "two\nlines"}
	for _, tt := range []struct {
		dir  string
		most int
		want []string
	}{{"", 100, all}, {"", 2, all[:2]}, {"lib", 100, []string{"a.go", "bin", "long.txt", "wide.txt"}}} {
		o := b.o
		o.Dir = b.path(tt.dir)
		got, err := New(o).Files(t.Context(), tt.most)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%q, %d: -want +got %s %v", tt.dir, tt.most, diff, err)
		}
	}
}
