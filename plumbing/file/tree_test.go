package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func newTree(t testing.TB) Tree {
	t.Helper()
	return Tree{Dir: filepath.Join(t.TempDir(), "config")}
}

// put stores text at name the way lecode does.
func (t Tree) put(tb testing.TB, name, text string) {
	tb.Helper()
	if err := t.WriteFile(name, saying(text)); err != nil {
		tb.Fatal(err)
	}
}

func saying(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func wantKind(t *testing.T, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, kind)
	}
}

// openers are the ways to what stands at a name.
func openers(tree Tree) map[string]func(name string) error {
	closing := func(f *os.File, err error) error {
		if err == nil {
			f.Close()
		}
		return err
	}
	return map[string]func(string) error{
		"open":          func(n string) error { return closing(tree.Open(n, os.O_RDONLY)) },
		"open to write": func(n string) error { return closing(tree.Open(n, os.O_RDWR)) },
		"create":        func(n string) error { return closing(tree.Create(n, os.O_RDWR)) },
		"write file":    func(n string) error { return tree.WriteFile(n, saying("new")) },
		"read file":     func(n string) error { _, err := tree.ReadFile(n, 10); return err },
		"check file":    tree.CheckFile,
		"lock":          func(n string) error { _, err := tree.TryLock(n, "test"); return err },
		"locked":        func(n string) error { _, err := tree.Locked(n); return err },
		"check files": func(n string) error {
			_, err := tree.CheckFiles(filepath.ToSlash(filepath.Dir(n)), filepath.Base(n))
			return err
		},
		"rename over": func(n string) error {
			if err := tree.WriteFile("from", saying("moved")); err != nil {
				return err
			}
			return tree.Rename("from", n)
		},
	}
}

func TestRefusesWhatIsNoFile(t *testing.T) {
	for _, c := range []struct {
		name, says string
		plant      func(tree Tree, outside string) error
	}{
		{"link to a file", "a symbolic link", func(tree Tree, outside string) error { return os.Symlink(outside, tree.Path("d/x")) }},
		{"link inside", "a symbolic link", func(tree Tree, _ string) error { return os.Symlink("beside", tree.Path("d/x")) }},
		{"dangling link", "a symbolic link", func(tree Tree, outside string) error { return os.Symlink(outside+"-not", tree.Path("d/x")) }},
		{"link to itself", "a symbolic link", func(tree Tree, _ string) error { return os.Symlink("x", tree.Path("d/x")) }},
		{"directory", "a directory", func(tree Tree, _ string) error { return os.Mkdir(tree.Path("d/x"), 0o700) }},
		{"parent is a link", "a symbolic link", func(tree Tree, outside string) error {
			if err := os.RemoveAll(tree.Path("d")); err != nil {
				return err
			}
			return os.Symlink(filepath.Dir(outside), tree.Path("d"))
		}},
		{"parent is a file", "not a directory", func(tree Tree, _ string) error {
			if err := os.RemoveAll(tree.Path("d")); err != nil {
				return err
			}
			return os.WriteFile(tree.Path("d"), nil, 0o600)
		}},
	} {
		for way := range openers(Tree{}) {
			t.Run(c.name+"/"+way, func(t *testing.T) {
				tree := newTree(t)
				tree.put(t, "d/beside", "beside")
				outside := filepath.Join(t.TempDir(), "x")
				if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := c.plant(tree, outside); err != nil {
					t.Fatal(err)
				}
				err := openers(tree)[way]("d/x")
				wantKind(t, err, plumbing.ErrRefused)
				if err != nil && !strings.Contains(err.Error(), c.says) {
					t.Errorf("%q does not say %q", err, c.says)
				}
				if b, err := os.ReadFile(outside); string(b) != "outside" {
					t.Errorf("what the link names now holds %q, %v", b, err)
				}
				if list, err := os.ReadDir(filepath.Dir(outside)); len(list) != 1 {
					t.Errorf("%d files beside what the link names, %v", len(list), err)
				}
				if _, err := os.Lstat(outside + "-not"); err == nil {
					t.Error("a dangling link was written through")
				}
			})
		}
	}
}

func TestMissing(t *testing.T) {
	tree := newTree(t)
	for _, way := range []string{"open", "open to write", "read file", "check file"} {
		wantKind(t, openers(tree)[way]("no/such"), fs.ErrNotExist)
	}
	if held, err := tree.Locked("no"); held || err != nil {
		t.Errorf("a missing lock file: %v, %v", held, err)
	}
	if list, err := tree.CheckFiles("no", "a", "b"); err != nil || len(list) != 2 || list[0] != nil {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := tree.ReadDir("no"); len(list) > 0 || err != nil {
		t.Errorf("a missing folder lists %v, %v", list, err)
	}
	if _, err := os.Stat(tree.Dir); err == nil {
		t.Error("looking made the tree")
	}
}

func TestNames(t *testing.T) {
	tree := newTree(t)
	for _, name := range []string{"", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "a/.."} {
		for way, try := range openers(tree) {
			if err := try(name); !errors.Is(err, plumbing.ErrInvalid) && way != "check files" && way != "rename over" {
				t.Errorf("%s %q: %v", way, name, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(tree.Dir), "x")); err == nil {
		t.Error("something was made outside the tree")
	}
}

func TestTreeIsNoDirectory(t *testing.T) {
	tree := Tree{Dir: filepath.Join(t.TempDir(), "f")}
	if err := os.WriteFile(tree.Dir, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantKind(t, tree.WriteFile("a", saying("b")), plumbing.ErrRefused)
	_, err := tree.ReadFile("a", 10)
	wantKind(t, err, plumbing.ErrRefused)
}

func TestLinkAboveTreeIsFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	tree := Tree{Dir: filepath.Join(dir, "link", "config")}
	tree.put(t, "a/b", "x")
	if b, err := os.ReadFile(filepath.Join(dir, "real", "config", "a", "b")); string(b) != "x" {
		t.Errorf("%q, %v", b, err)
	}
	linked := Tree{Dir: filepath.Join(dir, "link")}
	linked.put(t, "c", "y")
	if b, err := linked.ReadFile("c", 1); string(b) != "y" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestReadFileCap(t *testing.T) {
	tree := newTree(t)
	for size, ok := range map[int]bool{0: true, 9: true, 10: true, 11: false, 1 << 20: false} {
		tree.put(t, "x", strings.Repeat("x", size))
		b, err := tree.ReadFile("x", 10)
		if ok && (err != nil || len(b) != size) {
			t.Errorf("%d bytes: %d, %v", size, len(b), err)
		}
		if !ok {
			wantKind(t, err, plumbing.ErrInvalid)
		}
	}
}

func TestReadDirSorts(t *testing.T) {
	tree := newTree(t)
	for _, name := range []string{"d/b", "d/a", "d/C", "d/sub/x"} {
		tree.put(t, name, "")
	}
	list, err := tree.ReadDir("d")
	names := []string{}
	for _, e := range list {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"C", "a", "b", "sub"}, names); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if list, err := tree.ReadDir("."); len(list) != 1 || err != nil {
		t.Errorf("the tree itself lists %v, %v", list, err)
	}
}

func TestCheckFiles(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "d/a", "1234")
	list, err := tree.CheckFiles("d", "a", "none", "a")
	if err != nil || list[0].Size() != 4 || list[1] != nil || list[2] == nil {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := tree.CheckFiles(".", "d2"); err != nil || list[0] != nil {
		t.Errorf("%v, %v", list, err)
	}
}

func TestRemove(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "d/a", "x")
	if err := tree.Remove("d"); err == nil {
		t.Error("a folder with a file in it was removed")
	}
	if err := tree.Remove("d/a"); err != nil {
		t.Error(err)
	}
	wantKind(t, tree.Remove("d/a"), fs.ErrNotExist)
	if err := tree.Remove("d"); err != nil {
		t.Error(err)
	}
}

func TestStamp(t *testing.T) {
	tree := newTree(t)
	stamp := func() Stamp {
		f, err := tree.Open("x", os.O_RDONLY)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return StampOf(info)
	}
	tree.put(t, "x", "one")
	first := stamp()
	if first != stamp() {
		t.Error("the stamp of an unchanged file changes")
	}
	tree.put(t, "x", "longer")
	if first == stamp() {
		t.Error("a rewritten file has the stamp of the old one")
	}
}
