//go:build unix

package coding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
)

func TestBashTimeLimit(t *testing.T) {
	b := newShell(t)
	b.shell.second = time.Millisecond
	r, err := b.call("bash", `{"command":"mkfifo f; echo up; read x <f","timeout_seconds":300}`)
	if err != nil || !r.IsError || !strings.HasSuffix(r.Text, "[ended at the time limit of 300 s; timeout_seconds sets another, and background runs it on]\n") {
		t.Errorf("%+v, %v", r, err)
	}
}

// running says whether a process is there, and no zombie.
func running(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	state, _, ok := statOf(pid)
	return !ok || state != 'Z' && state != 'X'
}

// eventually polls with a limit.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not yet: %s", what)
		}
	}
}

// pidIn waits for a file with a number.
func (b *box) pidIn(name string) (pid int) {
	b.t.Helper()
	eventually(b.t, name, func() bool {
		text, _ := os.ReadFile(b.path(name))
		var err error
		pid, err = strconv.Atoi(strings.TrimSuffix(string(text), "\n"))
		return err == nil && strings.HasSuffix(string(text), "\n")
	})
	return pid
}

// stubborn is a grandchild that ignores TERM, holds the output, and waits for ever.
const stubborn = `mkfifo f; %s bash -c 'trap "" TERM; echo $$ >pid; exec 3<>f; while :; do read x <&3; done' & wait`

func TestBashCancelLeavesNothing(t *testing.T) {
	for name, tt := range map[string]struct{ how string }{"in the group": {""}, "in a session of its own": {"setsid"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newShell(t)
			if tt.how != "" && (runtime.GOOS != "linux" || b.program(tt.how) == "") {
				t.Skip("strays are found on Linux")
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan error, 1)
			go func() {
				_, err := b.runBash(ctx, b.callOf("bash", bashArgs(fmt.Sprintf(stubborn, tt.how))))
				done <- err
			}()
			pid := b.pidIn("pid")
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			eventually(t, "the grandchild is dead", func() bool { return !running(pid) })
		})
	}
}

// What is left running is ended when the shell is, and the call returns.
func TestBashLeavesNothingRunning(t *testing.T) {
	const note = "[what it left running was ended; background keeps a command running]\n"
	for name, tt := range map[string]struct{ line, want string }{
		"holds the output": {`mkfifo f; bash -c 'echo $$ >pid; read x <f' & until [ -s pid ]; do :; done; echo a`, "a\n" + note},
		"holds none":       {`mkfifo f; bash -c 'echo $$ >pid; read x <f' >/dev/null 2>&1 & until [ -s pid ]; do :; done; echo a`, "a\n" + note},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newShell(t)
			if got := b.run(tt.line).Text; got != tt.want {
				t.Errorf("got %q", got)
			}
			pid := b.pidIn("pid")
			eventually(t, "it is dead", func() bool { return !running(pid) })
		})
	}
	t.Run("what ends by itself is waited for", func(t *testing.T) {
		t.Parallel()
		b := newShell(t)
		if got := b.run(`echo a > >(cat >kept; echo b)`).Text; got != "b\n" || b.holds("kept") != "a\n" {
			t.Errorf("got %q", got)
		}
	})
}

func TestBashCancelledBefore(t *testing.T) {
	b := newShell(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.runBash(ctx, b.callOf("bash", bashArgs("touch here"))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(b.path("here")); err == nil {
		t.Error("it ran")
	}
}

func TestBashAtOnce(t *testing.T) {
	b := newShell(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			name := fmt.Sprint("d", i)
			if r := b.run("mkdir " + name + "; cd " + name + "; echo " + name); !strings.HasPrefix(r.Text, name+"\n") {
				t.Errorf("got %q", r.Text)
			}
			b.moveTo(b.dir)
		})
	}
	all.Wait()
}

func TestBashClose(t *testing.T) {
	b := newShell(t)
	done := make(chan error, 1)
	go func() {
		_, err := b.runBash(t.Context(), b.callOf("bash", bashArgs("echo $$ >pid; mkfifo f; read x <f")))
		done <- err
	}()
	pid := b.pidIn("pid")
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if running(pid) {
		t.Error("it runs after Close")
	}
	if err := <-done; !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if _, err := b.call("bash", bashArgs("true")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("after Close: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(b.o.TempDir, "lecode-shell-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
