package note

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

const slug = "project-0123456789ab"

// tree returns a config directory with the project's memory folder, and MEMORY.md's path in it.
func tree(t *testing.T) (file.Tree, string) {
	dir := t.TempDir()
	memory := filepath.Join(dir, "memory", slug)
	if err := os.MkdirAll(memory, 0o700); err != nil {
		t.Fatal(err)
	}
	return file.Tree{Dir: dir}, filepath.Join(memory, Memory)
}

func TestHead(t *testing.T) {
	large := strings.Repeat("漢", MaxHead/3+10)
	for _, c := range []struct {
		name, content string
		want          Beginning
	}{
		{"empty", "", Beginning{}},
		{"text", "# Build\r\n\tmake\n", Beginning{"# Build\r\n\tmake\n", 15}},
		{"BOM", "\uFEFFx\n", Beginning{"\uFEFFx\n", 5}},
		{"exactly what is read", large[:MaxHead-1] + "x", Beginning{large[:MaxHead-1] + "x", MaxHead}},
		{"more than is read", large, Beginning{large[:MaxHead-1], int64(len(large))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, path := tree(t)
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Head(config, slug, Memory)
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("%d bytes of %d, want %d of %d", len(got.Text), got.Size, len(c.want.Text), c.want.Size)
			}
		})
	}
}

func TestHeadNotText(t *testing.T) {
	for name, content := range map[string]string{
		"UTF-16 LE":            "\xff\xfex\x00\n\x00",
		"UTF-16 BE":            "\xfe\xff\x00x\x00\n",
		"UTF-16 without BOM":   "x\x00\n\x00",
		"Latin-1":              "gr\xfc\xdfe\n",
		"cut character at end": "gr\xc3",
		"bad far in":           strings.Repeat("x", 300_000) + "\xff",
	} {
		t.Run(name, func(t *testing.T) {
			config, path := tree(t)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Head(config, slug, Memory)
			if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), Memory) {
				t.Errorf("error %v", err)
			}
			if d := cmp.Diff(Beginning{Size: int64(len(content))}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHeadMissing(t *testing.T) {
	config, _ := tree(t)
	for name, c := range map[string]file.Tree{"file": config, "tree": {Dir: filepath.Join(config.Dir, "none")}} {
		for _, n := range []string{Memory, Scratchpad} {
			if got, err := Head(c, slug, n); err != nil || got != (Beginning{}) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
	}
	if list, err := os.ReadDir(config.Dir); err != nil || len(list) != 1 {
		t.Errorf("reading made something: %v, %v", list, err)
	}
}

func TestHeadName(t *testing.T) {
	config, _ := tree(t)
	for _, name := range []string{"", ".", "../MEMORY.md", "memory.md", "MEMORY.md/", "notes/x.md"} {
		if _, err := Head(config, slug, name); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
