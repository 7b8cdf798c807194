//go:build unix

package note

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// What is not a plain file of ours is refused by name, is not read and does not block (N5, A14).
func TestHeadRefuses(t *testing.T) {
	for name, plant := range map[string]func(path, secret string) error{
		"link":          func(path, secret string) error { return os.Symlink(secret, path) },
		"dangling link": func(path, secret string) error { return os.Symlink(secret+"-not", path) },
		"hard link":     func(path, secret string) error { return os.Link(secret, path) },
		"FIFO":          func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
		"directory":     func(path, _ string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			config, path := tree(t)
			refuses(t, config, func(secret string) error { return plant(path, secret) }, Memory)
		})
	}
}

func TestHeadRefusesLinkedFolder(t *testing.T) {
	config, path := tree(t)
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	refuses(t, config, func(secret string) error { return os.Symlink(filepath.Dir(secret), filepath.Dir(path)) }, slug)
}

func refuses(t *testing.T, config file.Tree, plant func(secret string) error, named string) {
	t.Helper()
	secret := filepath.Join(t.TempDir(), Memory)
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := plant(secret); err != nil {
		t.Fatal(err)
	}
	got, err := Head(config, slug, Memory)
	if !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), named) || got != (Beginning{}) {
		t.Errorf("error %v, got %v", err, got)
	}
}
