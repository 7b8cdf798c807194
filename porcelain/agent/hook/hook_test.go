package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
)

var events = []string{SessionStart, Prompt, BeforeTool, AfterTool, BeforeCompact, AfterCompact, Stop}

// shell is a hook that is a line of sh.
func shell(t *testing.T, event, line string) config.Hook {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the hooks of these tests are lines of sh")
	}
	return config.Hook{Event: event, Command: []string{"sh", "-c", line}, TimeoutSeconds: 60}
}

func runner(t *testing.T, hooks ...config.Hook) Runner {
	t.Helper()
	return Runner{Hooks: hooks, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "MINE=1"}}
}

func object(event string) map[string]any {
	a := About{SessionID: "s", ProjectRoot: "/p", Mode: "default", Model: "offline"}
	return a.object(event)
}

// What each event makes of each end, as the table of the package has it.
func TestEnds(t *testing.T) {
	passed := Outcome{}
	blocked := Outcome{Blocked: true, Reason: "not on a Friday\nnor today"}
	noted := Outcome{Notes: []string{"not on a Friday\nnor today"}}
	failed := Outcome{Warnings: []string{"hooks[0] (sh) failed with exit status 1: one"}}
	signalled := Outcome{Warnings: []string{"hooks[0] (sh) failed with signal: terminated: two"}}
	late := "hooks[0] (sh) did not end within 1ms"
	absent := "hooks[0] (no-such-program) cannot be started: it is not on the PATH"
	const silence = ", and a hook that gives no answer does not let it pass"
	can := map[string]string{SessionStart: "block", Prompt: "guard", BeforeTool: "guard", AfterTool: "note", BeforeCompact: "guard", AfterCompact: "note", Stop: "note"}
	for _, event := range events {
		two, unanswered := blocked, func(what string) Outcome { return Outcome{Warnings: []string{what}} }
		switch can[event] {
		case "guard":
			unanswered = func(what string) Outcome { return Outcome{Blocked: true, Reason: what + silence} }
		case "note":
			two = noted
		}
		for _, c := range []struct {
			name string
			hook config.Hook
			want Outcome
		}{
			{"exit 0", shell(t, event, "echo chatter; echo chatter >&2; exit 0"), passed},
			{"exit 1", shell(t, event, "printf 'one\\nand more\\n' >&2; exit 1"), failed},
			{"exit 2", shell(t, event, "printf 'not on a Friday\\r\\nnor today\\n\\n' >&2; exit 2"), two},
			{"a signal", shell(t, event, "echo two >&2; kill -TERM $$"), signalled},
			{"too long", shell(t, event, "exec sleep 1000"), unanswered(late)},
			{"no program", config.Hook{Event: event, Command: []string{"no-such-program"}}, unanswered(absent)},
		} {
			t.Run(event+"/"+c.name, func(t *testing.T) {
				r := runner(t, c.hook)
				if c.name == "too long" {
					r.Hooks[0].TimeoutSeconds, r.second = 1, time.Millisecond
				}
				got, err := r.Run(t.Context(), event, object(event))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestOrder(t *testing.T) {
	mark := func(event, name string, then string) config.Hook {
		return shell(t, event, "echo "+name+" >>ran; "+then)
	}
	r := runner(t,
		mark(Prompt, "a", "exit 1"), mark(Stop, "other", "exit 2"), mark(Prompt, "b", "exit 2"), mark(Prompt, "c", ""),
		mark(AfterTool, "d", "echo first >&2; exit 2"), mark(AfterTool, "e", "exit 2"))
	out, err := r.Run(t.Context(), Prompt, object(Prompt))
	want := Outcome{Blocked: true, Reason: "hooks[2] (sh) blocked it and did not say why", Warnings: []string{"hooks[0] (sh) failed with exit status 1"}}
	if diff := cmp.Diff(want, out, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Error(err, diff)
	}
	out, err = r.Run(t.Context(), AfterTool, object(AfterTool))
	want = Outcome{Notes: []string{"first", "hooks[5] (sh) objects and did not say why"}}
	if diff := cmp.Diff(want, out, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if ran, _ := os.ReadFile(filepath.Join(r.Dir, "ran")); string(ran) != "a\nb\nd\ne\n" {
		t.Errorf("ran %q", ran)
	}
	if out, err = r.Run(t.Context(), BeforeTool, nil); err != nil || !cmp.Equal(out, Outcome{}, cmpopts.EquateEmpty()) {
		t.Errorf("an event without hooks: %+v, %v", out, err)
	}
}

// A hook sees its directory, its environment and no other, its arguments as they are, and no terminal of ours.
func TestSurroundings(t *testing.T) {
	h := shell(t, Stop, "")
	h.Command = []string{"sh", "-c", `pwd -P >where; env >env; printf '%s' "$1" >word; cat >stdin`, "sh", "$HOME `id` ;\n\"*"}
	r := runner(t, h)
	t.Setenv("NOT_MINE", "1")
	if out, err := r.Run(t.Context(), Stop, map[string]any{"b": 1, "a": "<ü\u2028>"}); err != nil || len(out.Warnings) > 0 {
		t.Fatal(out, err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(r.Dir, name))
		if err != nil {
			t.Error(err)
		}
		return string(b)
	}
	dir, err := filepath.EvalSymlinks(r.Dir)
	if err != nil || read("where") != dir+"\n" {
		t.Errorf("ran in %q, %v", read("where"), err)
	}
	if env := read("env"); !strings.Contains(env, "MINE=1\n") || strings.Contains(env, "NOT_MINE") {
		t.Errorf("environment %q", env)
	}
	if word := read("word"); word != "$HOME `id` ;\n\"*" {
		t.Errorf("argument %q", word)
	}
	if got, want := read("stdin"), "{\"a\":\"<ü\u2028>\",\"b\":1,\"event\":\"stop\"}\n"; got != want {
		t.Errorf("stdin %q", got)
	}
}

// Without an environment a hook has none, not that of this process.
func TestNoEnvironment(t *testing.T) {
	h := shell(t, Stop, "")
	sh := "/bin/sh"
	h.Command = []string{sh, "-c", `test -z "$NOT_MINE" || exit 1`}
	t.Setenv("NOT_MINE", "1")
	out, err := Runner{Hooks: []config.Hook{h}, Dir: t.TempDir()}.Run(t.Context(), Stop, nil)
	if err != nil || len(out.Warnings) > 0 {
		t.Error(out, err)
	}
}

func TestStdinNotRead(t *testing.T) {
	big := About{}.Prompt(strings.Repeat("x", 1<<20))
	for _, line := range []string{"exit 0", "exec 0<&-; exit 0", "read -r x </dev/null; head -c 10 >/dev/null"} {
		out, err := runner(t, shell(t, Prompt, line)).Run(t.Context(), Prompt, big)
		if diff := cmp.Diff(Outcome{}, out, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Error(line, err, diff)
		}
	}
	r := runner(t, shell(t, Prompt, "wc -c >size"))
	if _, err := r.Run(t.Context(), Prompt, big); err != nil {
		t.Fatal(err)
	}
	want, err := encode(Prompt, big)
	got, _ := os.ReadFile(filepath.Join(r.Dir, "size"))
	if err != nil || strings.TrimSpace(string(got)) != itoa(len(want)) {
		t.Errorf("read %q of %d, %v", got, len(want), err)
	}
}

func TestStderr(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a flood, which holds nobody up", "yes abc | head -c 3000000 >&2; yes | head -c 3000000; exit 2", strings.TrimSpace(strings.Repeat("abc\n", MaxStderr/4)) + "…"},
		{"what is not UTF-8", `printf 'a\377\033[2Jb\342\200\256' >&2; exit 2`, "a\uFFFD<U+001B>[2Jb<U+202E>"},
		{"a character that is cut", `printf x >&2; yes ä | tr -d '\n' | head -c 6000 >&2; exit 2`, "x" + strings.Repeat("ä", (MaxStderr-1)/2) + "…"},
		{"escapes that would grow", `printf '\001%.0s' $(seq 2000) >&2; exit 2`, strings.Repeat("<U+0001>", MaxStderr/8) + "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := runner(t, shell(t, Prompt, c.line)).Run(t.Context(), Prompt, nil)
			if diff := cmp.Diff(Outcome{Blocked: true, Reason: c.want}, out, cmpopts.EquateEmpty()); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
	long := shell(t, Stop, "yes long | tr '\\n' ' ' | head -c 2000 >&2; exit 3")
	out, err := runner(t, long).Run(t.Context(), Stop, nil)
	if err != nil || len(out.Warnings) != 1 || len(out.Warnings[0]) > maxLine+60 || !strings.HasSuffix(out.Warnings[0], "…") {
		t.Errorf("%v, %v", out.Warnings, err)
	}
}

func TestFind(t *testing.T) {
	h := shell(t, Prompt, "")
	r := runner(t)
	script := filepath.Join(r.Dir, "guard.sh")
	for name, bits := range map[string]os.FileMode{"guard.sh": 0o700, "plain.sh": 0o600} {
		if err := os.WriteFile(filepath.Join(r.Dir, name), []byte("#!/bin/sh\necho found >&2\nexit 2\n"), bits); err != nil {
			t.Fatal(err)
		}
	}
	const silent = ", and a hook that gives no answer does not let it pass"
	for _, c := range []struct{ name, command, path, want string }{
		{"absolute", script, "", "found"},
		{"relative to the project", "./guard.sh", "", "found"},
		{"on the PATH", "guard.sh", "/nowhere" + string(os.PathListSeparator) + r.Dir, "found"},
		{"not in a relative folder of the PATH", "guard.sh", ".", "hooks[0] (guard.sh) cannot be started: it is not on the PATH" + silent},
		{"no bit to run it", "./plain.sh", "", "hooks[0] (plain.sh) cannot be started: permission denied" + silent},
		{"not there", "./none.sh", "", "hooks[0] (none.sh) cannot be started: no such file or directory" + silent},
		{"no name", "", "", "hooks[0] (.) cannot be started: it is not on the PATH" + silent},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.Command = []string{c.command}
			r.Hooks, r.Env = []config.Hook{h}, []string{"PATH=/wrong", "PATH=" + c.path}
			out, err := r.Run(t.Context(), Prompt, nil)
			if diff := cmp.Diff(Outcome{Blocked: true, Reason: c.want}, out, cmpopts.EquateEmpty()); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
	r.Dir = filepath.Join(r.Dir, "gone")
	h.Command = []string{script}
	r.Hooks = []config.Hook{h}
	if out, err := r.Run(t.Context(), Prompt, nil); err != nil || !out.Blocked || !strings.Contains(out.Reason, "it cannot run in the project's folder: no such file") {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestWrongObjects(t *testing.T) {
	r := runner(t, shell(t, BeforeTool, "exit 0"))
	for _, c := range []struct {
		event  string
		object map[string]any
	}{
		{"before_tools", nil},
		{BeforeTool, About{}.Prompt("x")},
		{BeforeTool, About{}.BeforeTool(Call{Arguments: []byte(`{"a":`)})},
		{BeforeTool, map[string]any{"f": func() {}}},
	} {
		if out, err := r.Run(t.Context(), c.event, c.object); !errors.Is(err, plumbing.ErrInvalid) || out.Blocked {
			t.Errorf("%s: %+v, %v", c.event, out, err)
		}
	}
}

func TestCancelledBefore(t *testing.T) {
	r := runner(t, shell(t, Prompt, "touch ran"), shell(t, Prompt, "touch ran"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Run(ctx, Prompt, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Error("ran all the same")
	}
}
