//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

func bits(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// TestMain lets the test binary stand in for another process.
func TestMain(m *testing.M) {
	switch os.Getenv("LECODE_TEST_ROLE") {
	case "make":
		os.Exit(makeFiles(os.Getenv("LECODE_TEST_DIR")))
	case "hold":
		os.Exit(holdLock(os.Getenv("LECODE_TEST_DIR")))
	}
	os.Exit(m.Run())
}

// another starts this test binary as another process in a role.
func another(role, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LECODE_TEST_ROLE="+role, "LECODE_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// makeFiles makes one file by each way there is.
func makeFiles(dir string) int {
	tree := Tree{Dir: dir}
	f, err := tree.Create("a/b/created", os.O_RDWR)
	if err == nil {
		err = f.Close()
	}
	err = errors.Join(err, tree.WriteFile("a/b/written", saying("x")), tree.WriteNew("a/b/new", saying("x")), tree.WriteCache("a/b/cached", saying("x")))
	l, e := tree.TryLock("a/b/locked", "test")
	if e == nil {
		e = l.Unlock()
	}
	if errors.Join(err, e) != nil {
		return 1
	}
	return 0
}

// TestBits: the umask is a process's own, so another one makes the files.
func TestBits(t *testing.T) {
	for _, umask := range []string{"0", "022", "027"} {
		tree := newTree(t)
		cmd := another("make", tree.Dir)
		cmd.Args = []string{"sh", "-c", "umask " + umask + " && exec " + os.Args[0]}
		sh, err := exec.LookPath("sh")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Path = sh
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{".", "a", "a/b"} {
			if got := bits(t, tree.Path(dir)); got != 0o700 {
				t.Errorf("umask %s: folder %s has %o", umask, dir, got)
			}
		}
		names := files(t, tree, "a/b")
		if len(names) != 5 {
			t.Errorf("umask %s made %v", umask, names)
		}
		for _, name := range names {
			if got := bits(t, tree.Path("a/b/"+name)); got != 0o600 {
				t.Errorf("umask %s: %s has %o", umask, name, got)
			}
		}
	}
}

func TestRewriteKeepsBits(t *testing.T) {
	tree := newTree(t)
	for _, want := range []fs.FileMode{0o600, 0o644, 0o660, 0o400, 0o666} {
		tree.put(t, "x", "old")
		if err := os.Chmod(tree.Path("x"), want); err != nil {
			t.Fatal(err)
		}
		tree.put(t, "x", "new")
		if got := bits(t, tree.Path("x")); got != want {
			t.Errorf("the bits %o became %o", want, got)
		}
	}
	if err := os.Chmod(tree.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tree.put(t, "x", "newer")
	if got := bits(t, tree.Dir); got != 0o755 {
		t.Errorf("the folder's bits became %o", got)
	}
}

// TestFIFODoesNotBlock: nobody ever opens the other end; a way that waits for it hangs the test.
func TestFIFODoesNotBlock(t *testing.T) {
	for way := range openers(Tree{}) {
		t.Run(way, func(t *testing.T) {
			tree := newTree(t)
			if err := tree.MkdirAll("d"); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mkfifo(tree.Path("d/x"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantKind(t, openers(tree)[way]("d/x"), plumbing.ErrRefused)
			if info, err := os.Lstat(tree.Path("d/x")); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
				t.Errorf("the FIFO is gone: %v, %v", info, err)
			}
		})
	}
}

func TestSocketAndDevice(t *testing.T) {
	tree := newTree(t)
	if err := tree.MkdirAll("d"); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: tree.Path("d/x")}); err != nil {
		t.Skipf("cannot make a socket there: %v", err)
	}
	for way, try := range openers(tree) {
		if err := try("d/x"); !errors.Is(err, plumbing.ErrRefused) {
			t.Errorf("%s of a socket: %v", way, err)
		}
	}
}

func TestHardLinkIsRefused(t *testing.T) {
	for way := range openers(Tree{}) {
		t.Run(way, func(t *testing.T) {
			tree := newTree(t)
			outside := t.TempDir() + "/victim"
			if err := os.WriteFile(outside, []byte("kept"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := tree.MkdirAll("d"); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(outside, tree.Path("d/x")); err != nil {
				t.Skipf("no hard link from one temporary folder to another: %v", err)
			}
			err := openers(tree)[way]("d/x")
			wantKind(t, err, plumbing.ErrRefused)
			if err != nil && !strings.Contains(err.Error(), "a hard link") {
				t.Errorf("%q does not say what it is", err)
			}
			if b, err := os.ReadFile(outside); string(b) != "kept" {
				t.Errorf("the file with the other name holds %q, %v", b, err)
			}
		})
	}
}

// TestNoPermission needs a user whom permissions stop.
func TestNoPermission(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not stop the superuser; testscripts runs the programs as another user")
	}
	tree := newTree(t)
	tree.put(t, "d/x", "x")
	if err := os.Chmod(tree.Path("d"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(tree.Path("d"), 0o700)
	for way, try := range openers(tree) {
		err := try("d/x")
		wantKind(t, err, plumbing.ErrRefused)
		if err != nil && !strings.Contains(err.Error(), tree.Path("d")) {
			t.Errorf("%s: %q does not name the path", way, err)
		}
	}
}
