package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// files lists a folder's names, with whatever temporary file is left.
func files(t *testing.T, tree Tree, dir string) []string {
	t.Helper()
	list, err := tree.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func content(t *testing.T, tree Tree, name string) string {
	t.Helper()
	b, err := tree.ReadFile(name, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// writers are the ways to replace a file.
func writers(tree Tree) map[string]func(string, func(io.Writer) error) error {
	return map[string]func(string, func(io.Writer) error) error{
		"file": tree.WriteFile, "new": tree.WriteNew, "cache": tree.WriteCache,
	}
}

func TestFailedFillLeavesNothing(t *testing.T) {
	full := errors.New("no space")
	invalid := plumbing.Fail(plumbing.ErrInvalid, "line 3 is bad", "")
	for way := range writers(Tree{}) {
		for _, cause := range []error{full, invalid} {
			t.Run(fmt.Sprint(way, "/", cause), func(t *testing.T) {
				tree := newTree(t)
				want := []string{"other"}
				tree.put(t, "d/other", "")
				if way != "new" {
					tree.put(t, "d/x", "old")
					want = append(want, "x")
				}
				err := writers(tree)[way]("d/x", func(w io.Writer) error {
					io.WriteString(w, "half")
					return cause
				})
				if !errors.Is(err, cause) {
					t.Errorf("%v does not wrap %v", err, cause)
				}
				if diff := cmp.Diff(want, files(t, tree, "d")); diff != "" {
					t.Error(diff)
				}
				if way != "new" && content(t, tree, "d/x") != "old" {
					t.Error("the old content is gone")
				}
			})
		}
	}
}

func TestPanickingFillWritesNothing(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "x", "old")
	func() {
		defer func() { _ = recover() }()
		_ = tree.WriteFile("x", func(w io.Writer) error { io.WriteString(w, "half"); panic("fill") })
	}()
	if got := content(t, tree, "x"); got != "old" {
		t.Errorf("x holds %q", got)
	}
}

func TestRewrite(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "a/b/x", "long old content")
	for way, write := range writers(tree) {
		if way == "new" {
			continue
		}
		f, err := tree.Open("a/b/x", os.O_RDONLY)
		if err != nil {
			t.Fatal(err)
		}
		if err := write("a/b/x", saying("new")); err != nil {
			t.Error(err)
		}
		if got := content(t, tree, "a/b/x"); got != "new" {
			t.Errorf("%s: x holds %q", way, got)
		}
		if old, _ := io.ReadAll(f); len(old) == 0 {
			t.Errorf("%s: whoever has the old file open no longer has its content", way)
		}
		f.Close()
	}
	if diff := cmp.Diff([]string{"x"}, files(t, tree, "a/b")); diff != "" {
		t.Error(diff)
	}
}

func TestWriteNewNeedsAFreeName(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "x", "old")
	err := tree.WriteNew("x", saying("new"))
	wantKind(t, err, fs.ErrExist)
	if got := content(t, tree, "x"); got != "old" {
		t.Errorf("x holds %q", got)
	}
	if diff := cmp.Diff([]string{"x"}, files(t, tree, ".")); diff != "" {
		t.Error(diff)
	}
}

func TestWriteNewRace(t *testing.T) {
	for round := range 5 {
		tree := newTree(t)
		var wg sync.WaitGroup
		var start sync.WaitGroup
		start.Add(1)
		errs := make([]error, 20)
		for i := range errs {
			wg.Go(func() {
				start.Wait()
				errs[i] = tree.WriteNew("d/x", saying(fmt.Sprint(i)))
			})
		}
		start.Done()
		wg.Wait()
		winner := -1
		for i, err := range errs {
			switch {
			case err == nil && winner < 0:
				winner = i
			case err == nil:
				t.Errorf("round %d: %d and %d both won", round, winner, i)
			default:
				wantKind(t, err, fs.ErrExist)
			}
		}
		if winner < 0 {
			t.Fatalf("round %d: nobody won: %v", round, errs)
		}
		if got := content(t, tree, "d/x"); got != fmt.Sprint(winner) {
			t.Errorf("round %d: %d won, x holds %q", round, winner, got)
		}
		if diff := cmp.Diff([]string{"x"}, files(t, tree, "d")); diff != "" {
			t.Error(diff)
		}
	}
}

// TestWriteFileRace: whoever comes last, a reader sees one writer's content whole.
func TestWriteFileRace(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "x", strings.Repeat("0", 1000))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if err := tree.WriteFile("x", saying(strings.Repeat(fmt.Sprint(i), 1000))); err != nil {
					t.Error(err)
				}
				b, err := tree.ReadFile("x", 1000)
				if err != nil || len(b) != 1000 || strings.Count(string(b), string(b[0])) != 1000 {
					t.Errorf("a mixed file: %.20q, %v", b, err)
				}
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff([]string{"x"}, files(t, tree, ".")); diff != "" {
		t.Error(diff)
	}
}

func TestCreateExclusive(t *testing.T) {
	tree := newTree(t)
	f, err := tree.Create("d/x", os.O_WRONLY|os.O_EXCL)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, err = tree.Create("d/x", os.O_WRONLY|os.O_EXCL)
	wantKind(t, err, fs.ErrExist)
	if _, err := tree.Open("d/y", os.O_RDWR|os.O_CREATE); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open made a file: %v", err)
	}
}

func TestRename(t *testing.T) {
	tree := newTree(t)
	tree.put(t, "d/a", "a")
	tree.put(t, "d/b", "b")
	if err := tree.Rename("d/a", "d/b"); err != nil {
		t.Fatal(err)
	}
	if got := content(t, tree, "d/b"); got != "a" {
		t.Errorf("b holds %q", got)
	}
	wantKind(t, tree.Rename("d/a", "d/c"), fs.ErrNotExist)
	if err := tree.SyncDir("d"); err != nil {
		t.Error(err)
	}
}
