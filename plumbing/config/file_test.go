//go:build unix

package config

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

const disabled = "[memory]\nenabled = false\n"

func TestFileKinds(t *testing.T) {
	tests := []struct {
		name  string
		build func(t *testing.T, path string) // makes the config.toml
		kind  error                           // nil: it is read
	}{
		{"a link", func(t *testing.T, path string) { symlink(t, target(t), path) }, nil},
		{"a link to a link", func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "link")
			symlink(t, target(t), other)
			symlink(t, other, path)
		}, nil},
		{"a hard link", func(t *testing.T, path string) {
			if err := os.Link(target(t), path); err != nil {
				t.Skipf("no hard link between the folders of this test: %v", err)
			}
		}, nil},
		{"a link to nothing", func(t *testing.T, path string) { symlink(t, "nope", path) }, plumbing.ErrNotFound},
		{"a link to itself", func(t *testing.T, path string) { symlink(t, path, path) }, plumbing.ErrRefused},
		{"a folder", func(t *testing.T, path string) { mkdir(t, path) }, plumbing.ErrRefused},
		{"a link to a folder", func(t *testing.T, path string) { symlink(t, t.TempDir(), path) }, plumbing.ErrRefused},
		{"a FIFO", func(t *testing.T, path string) {
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		}, plumbing.ErrRefused},
		{"a device", func(t *testing.T, path string) { symlink(t, os.DevNull, path) }, plumbing.ErrRefused},
		{"an endless device", func(t *testing.T, path string) { symlink(t, "/dev/zero", path) }, plumbing.ErrRefused},
		{"a socket", func(t *testing.T, path string) {
			l, err := net.Listen("unix", path)
			if err != nil {
				t.Skipf("no socket here: %v", err)
			}
			t.Cleanup(func() { l.Close() })
		}, plumbing.ErrRefused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, name := range []string{"config.toml", filepath.Join("memory", slug, "config.toml")} {
				dir := shortDir(t)
				path := filepath.Join(dir, name)
				mkdir(t, filepath.Dir(path))
				tt.build(t, path)
				c, err := Load(Options{ConfigDir: dir, Slug: slug})
				if tt.kind != nil {
					mustFail(t, err, tt.kind, path, "")
					continue
				}
				if err != nil || c.Memory.Enabled {
					t.Errorf("%s: %+v, %v", name, c, err)
				}
				if info, err := os.Lstat(path); err != nil || tt.name == "a link" && info.Mode()&os.ModeSymlink == 0 {
					t.Errorf("the link was touched: %v, %v", info, err)
				}
			}
		})
	}
}

// shortDir: the path of a socket may have about 100 bytes.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func target(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "elsewhere.toml")
	if err := os.WriteFile(path, []byte(disabled), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// The longest file that is read, and one byte more.
func TestFileSize(t *testing.T) {
	text := disabled + "#" + strings.Repeat("x", MaxFile-len(disabled)-1)
	if c, err := load(t, text, ""); err != nil || c.Memory.Enabled {
		t.Errorf("%d bytes: %v", len(text), err)
	}
	_, err := load(t, text+"x", "")
	mustFail(t, err, plumbing.ErrInvalid, "longer", "")
}

// childVariable makes the test program read one <config_dir> instead of
// testing: root may read everything, so another user has to ask.
const childVariable = "LECODE_TEST_CONFIG_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		_, err := Load(Options{ConfigDir: dir})
		if e, ok := err.(*plumbing.Error); ok && e.Kind == plumbing.ErrRefused && e.Hint != "" {
			os.Stdout.WriteString("refused: " + e.Message)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestNoPermission(t *testing.T) {
	dir := shortDir(t)
	program := filepath.Join(dir, "load.test")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]os.FileMode{program: 0o755, filepath.Join(dir, "config.toml"): 0} {
		if err := os.WriteFile(path, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(dir, "closed", "in")
	mkdir(t, closed)
	for path, mode := range map[string]os.FileMode{dir: 0o755, filepath.Dir(closed): 0} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{dir, closed} {
		cmd := exec.Command(program)
		cmd.Env, cmd.Dir = []string{childVariable + "=" + from}, "/"
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		out, err := cmd.Output()
		if err != nil || !strings.HasPrefix(string(out), "refused: no permission to read "+quote(filepath.Join(from, "config.toml"))) {
			t.Errorf("%s: %q, %v", from, out, err)
		}
	}
	if err := os.Chmod(filepath.Dir(closed), 0o755); err != nil {
		t.Fatal(err)
	}
}
