//go:build unix

package note

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// planted are the things that may stand where a file of ours should (N5, A14).
var planted = map[string]func(path, secret string) error{
	"link":          func(path, secret string) error { return os.Symlink(secret, path) },
	"dangling link": func(path, secret string) error { return os.Symlink(secret+"-not", path) },
	"hard link":     func(path, secret string) error { return os.Link(secret, path) },
	"FIFO":          func(path, _ string) error { return syscall.Mkfifo(path, 0o600) },
	"directory":     func(path, _ string) error { return os.Mkdir(path, 0o700) },
	"socket": func(path, _ string) error {
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		defer syscall.Close(fd)
		return syscall.Bind(fd, &syscall.SockaddrUnix{Name: path})
	},
}

// secret is a file outside the memory that must stay as it is.
func secret(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.md")
	must(t, os.WriteFile(path, []byte("old secret"), 0o600))
	t.Cleanup(func() {
		if b, err := os.ReadFile(path); err != nil || string(b) != "old secret" {
			t.Errorf("outside it now says %q, %v", b, err)
		}
		if _, err := os.Lstat(path + "-not"); err == nil {
			t.Error("the target of a dangling link was made")
		}
	})
	return path
}

func TestPlantedFiles(t *testing.T) {
	for name, plant := range planted {
		for _, file := range []string{Memory, "notes/leak.md", "daily/2026-12-02.md"} {
			t.Run(name+" "+file, func(t *testing.T) {
				f := newFixture(t)
				f.plant(Scratchpad, "x secret\n")
				must(t, os.MkdirAll(filepath.Dir(f.path(file)), 0o700))
				if err := plant(f.path(file), secret(t)); err != nil {
					t.Skipf("1 case skipped: %v", err)
				}
				for what, err := range f.each(file) {
					if what != "check" {
						fails(t, what, err, plumbing.ErrRefused, file)
					}
				}
				f.skips(file)
			})
		}
	}
}

// skips checks that search and list go on with the scratchpad and name what they leave out.
func (f *fixture) skips(file string) {
	f.t.Helper()
	found, err := f.Search(ctx, "secret", SearchOptions{})
	if err != nil || len(found.Matches) != 1 || found.Matches[0].File != Scratchpad || len(found.Skipped) != 1 || found.Skipped[0].File != file {
		f.t.Errorf("search: %+v, %v", found, err)
	}
	l, err := f.List(ctx)
	if err != nil || len(l.Notes) != 1 || l.Notes[0].File != Scratchpad || len(l.Skipped) != 1 || l.Skipped[0].File != file {
		f.t.Errorf("list: %+v, %v", l, err)
	}
	for _, s := range append(found.Skipped, l.Skipped...) {
		fails(f.t, "skipped", s.Err, plumbing.ErrRefused)
	}
}

func TestPlantedFolders(t *testing.T) {
	for _, dir := range []string{"notes", "daily"} {
		f := newFixture(t)
		f.plant(Scratchpad, "x secret\n")
		must(t, os.Symlink(filepath.Dir(secret(t)), f.path(dir)))
		file := map[string]string{"notes": "notes/s.md", "daily": "daily/2026-12-02.md"}[dir]
		for what, err := range f.each(file) {
			if what != "check" {
				fails(t, what, err, plumbing.ErrRefused, dir, "symbolic link")
			}
		}
		f.skips(dir)
	}
	for _, above := range []string{".", ".."} { // the project's folder, and memory itself
		f := newFixture(t)
		link := filepath.Join(f.memory, above)
		must(t, os.MkdirAll(filepath.Dir(link), 0o700))
		must(t, os.Symlink(filepath.Dir(secret(t)), link))
		for what, err := range f.all() {
			fails(t, what, err, plumbing.ErrRefused, "symbolic link")
		}
	}
}

// A link, pipe or hard link where the backup or the lock goes is refused too, and the text stays.
func TestPlantedBackupAndLock(t *testing.T) {
	for name, plant := range planted {
		for _, file := range []string{Memory + ".bak", "notes.lock"} {
			f := newFixture(t)
			f.plant(Memory, "a")
			if err := plant(f.path(file), secret(t)); err != nil {
				continue
			}
			for what, err := range f.each(Memory) {
				if what != "check" && what != "read" {
					fails(t, name+" "+what, err, plumbing.ErrRefused, file)
				}
			}
			f.holds(Memory, "a")
			if l, err := f.List(ctx); err != nil || len(l.Notes) != 1 || len(l.Skipped) != 0 {
				t.Errorf("%+v, %v", l, err)
			}
		}
	}
}

// Bits are kept, new files are the user's alone, and a backup is no wider than its file (N7).
func TestBits(t *testing.T) {
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	f := newFixture(t)
	bits := func(name string) string {
		info, err := os.Lstat(f.path(name))
		must(t, err)
		return fmt.Sprintf("%s %o", name, info.Mode().Perm())
	}
	var got []string
	for range 2 {
		_, err := f.Write(ctx, "notes/x.md", "x", Replace)
		must(t, err)
	}
	got = append(got, bits("."), bits("notes"), bits("notes/x.md"), bits("notes/x.md.bak"), bits("notes.lock"))
	for _, c := range []struct{ file, backup os.FileMode }{{0o640, 0o644}, {0o600, 0o666}, {0o644, 0o600}, {0o400, 0o600}} {
		must(t, os.Chmod(f.path("notes/x.md"), c.file))
		must(t, os.Chmod(f.path("notes/x.md.bak"), c.backup))
		_, err := f.Write(ctx, "notes/x.md", "y", Append)
		must(t, err)
		got = append(got, bits("notes/x.md"), bits("notes/x.md.bak"))
	}
	want := []string{". 700", "notes 700", "notes/x.md 600", "notes/x.md.bak 600", "notes.lock 600",
		"notes/x.md 640", "notes/x.md.bak 640", "notes/x.md 600", "notes/x.md.bak 600",
		"notes/x.md 644", "notes/x.md.bak 600", "notes/x.md 400", "notes/x.md.bak 400"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What other systems and editors leave is skipped, named only where it could be a note.
func TestListStrays(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{
		Memory, Memory + ".bak", "notes/b.md", "notes/a.md", "notes/a.md.bak", "notes/.tmp-a.md-X", "notes/.hidden.md", "notes/a.md~", "notes/x.txt",
		"daily/2026-12-01.md", "daily/2026-12-02.md", "daily/2025-01-01.md", "daily/2026-13-45.md", "notes/x.md.md", "notes/sub/x.md", "notes/.git/x.md",
	} {
		f.plant(name, "x\n")
	}
	want := []string{Memory, "daily/2026-12-02.md", "daily/2026-12-01.md", "daily/2025-01-01.md", "notes/a.md", "notes/b.md"}
	skipped := []string{"daily/2026-13-45.md", "notes/sub", "notes/x.md.md"}
	if runtime.GOOS == "linux" { // others refuse or change such names
		f.plant("notes/u\u0308.md", "x\n")
		f.plant("notes/\xff.md", "x\n")
		skipped = []string{"daily/2026-13-45.md", "notes/sub", "notes/u\u0308.md", "notes/x.md.md", "notes/\xff.md"}
	}
	l, err := f.List(ctx)
	must(t, err)
	found, err := f.Search(ctx, "x", SearchOptions{})
	must(t, err)
	var listed, searched []string
	for _, n := range l.Notes {
		listed = append(listed, n.File)
	}
	for _, m := range found.Matches {
		searched = append(searched, m.File)
	}
	if d := cmp.Diff(want, listed) + cmp.Diff(want, searched); d != "" {
		t.Error(d)
	}
	for _, list := range [][]Skipped{l.Skipped, found.Skipped} {
		var names []string
		for _, s := range list {
			names = append(names, s.File)
			if strings.Contains(s.Err.Error(), "\xff") {
				t.Errorf("%q", s.Err)
			}
		}
		if d := cmp.Diff(skipped, names); d != "" {
			t.Error(d)
		}
	}
}
