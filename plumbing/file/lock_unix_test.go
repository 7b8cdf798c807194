//go:build unix

package file

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// holdLock takes the lock, says so on stdout, and keeps it until stdin ends.
func holdLock(dir string) int {
	l, err := Tree{Dir: dir}.TryLock("s/x.lock", "lecode append")
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
	if l.Unlock() != nil {
		return 1
	}
	return 0
}

// held starts another process that holds the lock by the time this returns.
func held(t *testing.T, tree Tree) (cmd *exec.Cmd, release io.Closer) {
	t.Helper()
	cmd = another("hold", tree.Dir)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return cmd, stdin
}

func wantLocked(t *testing.T, tree Tree, want bool) {
	t.Helper()
	if got, err := tree.Locked("s/x.lock"); got != want || err != nil {
		t.Errorf("locked %v, %v; want %v", got, err, want)
	}
}

func TestLockBetweenProcesses(t *testing.T) {
	tree := newTree(t)
	wantLocked(t, tree, false)
	cmd, release := held(t, tree)
	wantLocked(t, tree, true)
	_, err := tree.TryLock("s/x.lock", "me")
	wantKind(t, err, plumbing.ErrBusy)
	who := fmt.Sprintf(`"x.lock" is held by lecode append (process %d)`, cmd.Process.Pid)
	if err == nil || err.Error() != who {
		t.Errorf("%v, want %s", err, who)
	}

	release.Close()
	l, err := tree.Lock(context.Background(), "s/x.lock", "me")
	if err != nil {
		t.Fatal(err)
	}
	wantLocked(t, tree, true)
	if got := content(t, tree, "s/x.lock"); got != fmt.Sprintf("%d me\n", os.Getpid()) {
		t.Errorf("the lock file holds %q", got)
	}
	if err := l.Unlock(); err != nil {
		t.Error(err)
	}
	wantLocked(t, tree, false)
}

func TestKilledHolderFreesTheLock(t *testing.T) {
	tree := newTree(t)
	for range 5 {
		cmd, _ := held(t, tree)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		wantLocked(t, tree, false)
		l, err := tree.TryLock("s/x.lock", "me")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Unlock(); err != nil {
			t.Error(err)
		}
	}
}

// TestLockExcludes: of those who take it at once, one at a time is inside.
func TestLockExcludes(t *testing.T) {
	tree := newTree(t)
	var wg sync.WaitGroup
	var inside, entered atomic.Int64
	for range 20 {
		wg.Go(func() {
			for range 10 {
				l, err := tree.Lock(context.Background(), "x", "me")
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d are inside at once", n)
				}
				entered.Add(1)
				inside.Add(-1)
				if err := l.Unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := entered.Load(); n != 200 {
		t.Errorf("%d of 200 got in", n)
	}
}

// TestGivenUpWaiterGivesTheLockBack: a wait that was called off must not keep the lock that it gets later.
func TestGivenUpWaiterGivesTheLockBack(t *testing.T) {
	tree := newTree(t)
	first, err := tree.TryLock("x", "first")
	if err != nil {
		t.Fatal(err)
	}
	over, stop := context.WithCancel(context.Background())
	stop()
	_, err = tree.Lock(over, "x", "waiter")
	wantKind(t, err, plumbing.ErrBusy)
	if err := first.Unlock(); err != nil {
		t.Fatal(err)
	}
	second, err := tree.Lock(context.Background(), "x", "second")
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestHolderLine(t *testing.T) {
	tree := newTree(t)
	long, err := tree.TryLock("x", strings.Repeat("long name ", 20))
	if err != nil {
		t.Fatal(err)
	}
	long.Unlock()
	short, err := tree.TryLock("x", "short")
	if err != nil {
		t.Fatal(err)
	}
	defer short.Unlock()
	if got := content(t, tree, "x"); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, " short\n") {
		t.Errorf("the lock file holds %q", got)
	}
	for _, junk := range []string{"", "no newline", "\n", strings.Repeat("x", 5000)} {
		if err := os.WriteFile(tree.Path("x"), []byte(junk), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := tree.TryLock("x", "me")
		wantKind(t, err, plumbing.ErrBusy)
		if err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("with %.10q in the lock file: %v", junk, err)
		}
	}
}
