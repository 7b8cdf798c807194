//go:build unix

package coding

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// Nothing waits for a FIFO, in no tool.
func TestFIFO(t *testing.T) {
	b := newBox(t)
	b.put("a.txt", "x\n")
	for _, name := range []string{"fifo", ".gitignore"} {
		if err := syscall.Mkfifo(b.path(name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	b.link("fifo", "link")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, call := range [][2]string{
			{"read", `{"path":"fifo"}`}, {"read", `{"path":"link"}`}, {"write", content("fifo", "x")}, {"edit", one("fifo", "a", "b")},
			{"grep", `{"pattern":"x","path":"fifo"}`},
		} {
			if _, err := b.call(call[0], call[1]); !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), "is a FIFO") {
				t.Errorf("%v: %v", call, err)
			}
		}
		if _, err := b.call("read", `{"path":"/dev/zero"}`); !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), "a device") {
			t.Errorf("a device: %v", err)
		}
		if text := b.must("grep", `{"pattern":"x"}`); text != "a.txt:1:x\n" {
			t.Errorf("grep: %q", text)
		}
		if text := b.must("ls", `{}`); text != ".gitignore (a FIFO)\na.txt 2\nfifo (a FIFO)\nlink -> fifo\n" {
			t.Errorf("ls: %q", text)
		}
		b.must("glob", `{"pattern":"**"}`)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("something waits for a FIFO")
	}
}

func TestBitsAreKept(t *testing.T) {
	b := newBox(t)
	for _, bits := range []os.FileMode{0o755, 0o600, 0o640} {
		b.put("f", "a\n")
		if err := os.Chmod(b.path("f"), bits); err != nil {
			t.Fatal(err)
		}
		b.read("f")
		b.must("edit", one("f", "a", "b"))
		if info, err := os.Stat(b.path("f")); err != nil || info.Mode().Perm() != bits {
			t.Errorf("%v, %v; had %v", info.Mode(), err, bits)
		}
		os.Remove(b.path("f"))
	}
	b.put("f", "a\n")
	b.read("f")
	if err := os.Chmod(b.path("f"), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := b.call("edit", one("f", "a", "b")); !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), "is read-only") {
		t.Errorf("a read-only file: %v", err)
	}
	old := syscall.Umask(0o027)
	b.must("write", content("made/f", "x"))
	syscall.Umask(old)
	if info, err := os.Stat(b.path("made/f")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("a new file: %v, %v", info.Mode(), err)
	}
}

func TestOwnerIsKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	b := newBox(t)
	b.put("f", "a\n")
	if err := os.Chown(b.path("f"), 12, 34); err != nil {
		t.Skip(err)
	}
	b.read("f")
	b.must("edit", one("f", "a", "b"))
	info, err := os.Stat(b.path("f"))
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); st.Uid != 12 || st.Gid != 34 {
		t.Errorf("it belongs to %d:%d", st.Uid, st.Gid)
	}
}

func TestHardLinks(t *testing.T) {
	b := newBox(t)
	b.put("f", "a\n")
	if err := os.Link(b.path("f"), b.path("g")); err != nil {
		t.Skip(err)
	}
	b.read("f")
	for _, call := range [][2]string{{"write", content("f", "x")}, {"edit", one("f", "a", "b")}} {
		if _, err := b.call(call[0], call[1]); !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), "has 2 names") {
			t.Errorf("%v: %v", call, err)
		}
	}
}

func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may all")
	}
	b := newBox(t)
	b.put("f", "a\n")
	b.put("dir/f", "a\n")
	b.read("dir/f")
	if err := os.Chmod(b.path("f"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(b.path("dir"), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(b.path("dir"), 0o755) })
	for _, call := range [][2]string{{"read", `{"path":"f"}`}, {"edit", one("dir/f", "a", "b")}, {"write", content("dir/new", "x")}} {
		if _, err := b.call(call[0], call[1]); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("%v: %v", call, err)
		}
	}
	if text := b.must("grep", `{"pattern":"a"}`); text != "dir/f:1:a\n" {
		t.Errorf("grep: %q", text)
	}
}

// The end of a context ends every tool.
func TestCancelled(t *testing.T) {
	b := newBox(t)
	b.put("f", "a\n")
	b.read("f")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, call := range [][2]string{{"read", `{"path":"f"}`}, {"grep", `{"pattern":"a"}`}, {"glob", `{"pattern":"*"}`}, {"ls", `{}`},
		{"edit", one("f", "a", "b")}, {"write", content("f", "c")}, {"write", content("new", "c")}} {
		if _, err := b.tools[call[0]].Run(ctx, b.callOf(call[0], call[1])); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", call, err)
		}
	}
	if text := b.holds("f"); text != "a\n" {
		t.Errorf("%q", text)
	}
}
