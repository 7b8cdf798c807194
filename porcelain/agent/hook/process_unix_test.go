//go:build unix

package hook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pipe is a FIFO, and the end of all who hold it open for writing: a hook's
// grandchildren do, so its end is theirs.
func pipe(t *testing.T, dir string) (ended chan error) {
	t.Helper()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	go func() {
		_, err := os.ReadFile(path)
		ended <- err
	}()
	return ended
}

// A hook over its time limit is killed with all that it started.
func TestGroupKilled(t *testing.T) {
	r := runner(t, shell(t, Prompt, "exec 3>pipe; sleep 1000 & sleep 1000 & wait"))
	ended := pipe(t, r.Dir)
	r.Hooks[0].TimeoutSeconds, r.second = 300, time.Millisecond
	out, err := r.Run(t.Context(), Prompt, nil)
	if err != nil || !out.Blocked {
		t.Errorf("%+v, %v", out, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	r := runner(t, shell(t, Prompt, "exec 3>pipe; sleep 1000 & echo >started; wait"), shell(t, Prompt, "touch second"))
	started := filepath.Join(r.Dir, "started")
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := pipe(t, r.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(started)
		cancel()
	}()
	if out, err := r.Run(ctx, Prompt, nil); !errors.Is(err, context.Canceled) || out.Blocked {
		t.Errorf("%+v, %v", out, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "second")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the next hook ran")
	}
}

// What keeps stderr and stdin open when the hook has ended holds nobody up,
// and what the hook said counts.
func TestPipesKeptOpen(t *testing.T) {
	r := runner(t, shell(t, Prompt, "exec 3<&0; sleep 1000 <&3 & echo $! >pid; echo said >&2; exit 2"))
	out, err := r.Run(t.Context(), Prompt, About{}.Prompt(strings.Repeat("x", 1<<20)))
	if err != nil || !out.Blocked || out.Reason != "said" {
		t.Errorf("%+v, %v", out, err)
	}
	endLeft(t, filepath.Join(r.Dir, "pid"))
}

// endLeft ends the program whose ID a hook wrote down.
func endLeft(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
		t.Errorf("what the hook left running is not there: %q, %v", b, err)
	}
}
