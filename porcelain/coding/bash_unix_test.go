//go:build unix

package coding

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

const testPath = "PATH=/usr/local/bin:/usr/bin:/bin"

// newShell is a box whose shell finds programs.
func newShell(t testing.TB, env ...string) *box {
	b := newBox(t)
	b.o.Env = append([]string{testPath}, env...)
	return b
}

func bashArgs(line string) string { return jsonOf(map[string]any{"command": line}) }

// run runs a command line, which need not be well formed.
func (b *box) run(line string) agent.Result {
	b.t.Helper()
	r, err := b.runBash(b.t.Context(), b.callOf("bash", bashArgs(line)))
	if err != nil {
		b.t.Fatalf("%s: %s", line, tool.Failure(err))
	}
	return r
}

func TestBash(t *testing.T) {
	tests := map[string]struct {
		line, want string
		failed     bool
	}{
		"both streams in order": {line: "echo a; echo b >&2; echo c", want: "a\nb\nc\n"},
		"nothing":               {line: "true", want: "[no output]\n"},
		"no last newline":       {line: "printf a", want: "a\n"},
		"exit code":             {line: "echo a; exit 3", want: "a\n[exit code 3]\n", failed: true},
		"not found":             {line: "no-such-program-here", want: "bash: line 1: no-such-program-here: command not found\n[exit code 127]\n", failed: true},
		"signal":                {line: "kill -9 $$", want: "[signal: killed]\n", failed: true},
		"no input":              {line: "cat; read x || echo none", want: "none\n"},
		"no terminal":           {line: "(: </dev/tty) 2>/dev/null || echo none", want: "none\n"},
		"no arguments":          {line: `echo "$# $0"`, want: "0 bash\n"},
		"bash":                  {line: `a=(1 2); [[ ${a[1]} == 2 ]] && echo "${a[@]}"`, want: "1 2\n"},
		"quotes":                {line: `echo 'it'"'"'s' "\"x\"" \\`, want: "it's \"x\" \\\n"},
		"several lines":         {line: "for i in 1 2\ndo\n  echo $i\ndone\n", want: "1\n2\n"},
		"traced":                {line: "set -x; : a", want: "++ : a\n"},
		"binary":                {line: `printf 'a\0\377b\n'`, want: "a\uFFFDb\n[1 byte not UTF-8, replaced]\n[1 control character left out]\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newShell(t).run(tt.line)
			if diff := cmp.Diff(tt.want, r.Text); diff != "" || r.IsError != tt.failed {
				t.Errorf("failed %t (-want +got):\n%s", r.IsError, diff)
			}
		})
	}
}

func TestBashNeeds(t *testing.T) {
	b := newShell(t)
	need := func(args string) permission.Need {
		n, err := b.tools["bash"].Needs(t.Context(), b.callOf("bash", args))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := need(jsonOf(map[string]any{"command": "rm -r ../out && ls", "description": "tidy\u202e up", "background": true}))
	if n.Class == permission.Read || len(n.Commands) != 2 || n.Why == "" || n.Tool != "bash" {
		t.Errorf("needs %+v", n)
	}
	if diff := cmp.Diff([]string{b.outside}, n.Outside); diff != "" {
		t.Error(diff)
	}
	if want := "in " + b.dir + ", in the background\nthe model says: tidy<U+202E> up"; n.Detail != want {
		t.Errorf("detail %q, want %q", n.Detail, want)
	}
}

func TestBashRefuses(t *testing.T) {
	b := newShell(t)
	for args, kind := range map[string]error{
		`{}`:              plumbing.ErrInvalid,
		bashArgs(" \n"):   plumbing.ErrInvalid,
		bashArgs("a\x00"): plumbing.ErrInvalid,
		bashArgs(strings.Repeat("x", maxCommand+1)): plumbing.ErrInvalid,
		bashArgs("if"):                                           plumbing.ErrInvalid,
		`{"command":"ls","timeout_seconds":0}`:                   plumbing.ErrInvalid,
		`{"command":"ls","timeout_seconds":601}`:                 plumbing.ErrInvalid,
		`{"command":"ls","timeout_seconds":"5"}`:                 plumbing.ErrInvalid,
		`{"command":"ls","timeout_seconds":5,"background":true}`: plumbing.ErrInvalid,
		`{"command":"ls","cwd":"/"}`:                             plumbing.ErrInvalid,
	} {
		if _, err := b.call("bash", args); !errors.Is(err, kind) {
			t.Errorf("%.60s: %v", args, err)
		}
	}
	b.o.TempDir = filepath.Join(b.dir, "nothing")
	if _, err := b.call("bash", bashArgs("ls")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("without a folder for temporary files: %v", err)
	}
}

// The guard of design section 7 stands, whatever the environment says.
func TestBashEnvironment(t *testing.T) {
	b := newShell(t, "LECODE_READONLY=0", "TERM=xterm", "PAGER=less", "KEPT=a b", "OLDPWD=/", "=odd", "LECODE_READONLY=", "PWD=/nowhere")
	got := b.run(`echo "$LECODE_READONLY $GIT_TERMINAL_PROMPT $GIT_EDITOR $PAGER $TERM $NO_COLOR $KEPT ${OLDPWD-none}"; echo "$PWD"; env | grep -c ^LECODE_READONLY=`).Text
	if want := "1 0 true cat dumb 1 a b none\n" + b.dir + "\n1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := b.run("env -i /bin/sh -c 'echo ${LECODE_READONLY-none}'").Text; got != "none\n" { // a guard, not a sandbox
		t.Errorf("got %q", got)
	}
}

func TestFindShell(t *testing.T) {
	b := newShell(t)
	fake := filepath.Join(b.outside, "bash")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\necho fake\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for shell, want := range map[string]string{"": b.program("bash"), "/usr/bin/fish": b.program("bash"), "zsh": b.program("bash"),
		"sh": b.program("sh"), "/bin/sh": "/bin/sh", fake: fake, "./bash": b.program("bash")} {
		b.o.Shell = shell
		if got, err := b.findShell(); got != want || err != nil {
			t.Errorf("%q: %q, want %q (%v)", shell, got, want, err)
		}
	}
	b.o.Shell, b.o.Env = "", []string{"PATH=:.:relative:" + b.outside}
	if got, err := b.findShell(); got != fake || err != nil {
		t.Errorf("on the path: %q (%v)", got, err)
	}
}
