package instruct

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func (w world) edit() Edit { return Edit{Options: w.Options, TempDir: w.TempDir()} }

func TestEdit(t *testing.T) {
	w := newWorld(t)
	e := w.edit()
	path := w.bare(w.system())
	own := "The base prompt is lecode's own, " + itoa(len(BuiltIn())) + " bytes. An override for this project would be in " + path + ".\n"
	yours := "The base prompt is yours, 8 bytes, in " + path + ". lecode's own is not used.\n"
	for _, c := range []struct {
		name string
		do   func() (string, error)
		want string
	}{
		{"where, at first", func() (string, error) { return e.Where(t.Context()) }, own},
		{"show, at first", func() (string, error) { return e.Show(t.Context()) }, own + "\n" + BuiltIn()},
		{"reset, at first", func() (string, error) { return e.Reset(t.Context()) }, "The base prompt is unchanged.\n"},
		{"set", func() (string, error) { return e.Set(t.Context(), "Be\u202E me") },
			"Saved the base prompt of this project, 8 bytes, in " + path + ". It counts from the next request on.\n"},
		{"where", func() (string, error) { return e.Where(t.Context()) }, yours},
		{"show", func() (string, error) { return e.Show(t.Context()) }, yours + "\nBe<U+202E> me\n"},
		{"set again", func() (string, error) { return e.Set(t.Context(), "Be\u202E me") }, "The base prompt is unchanged.\n"},
		{"reset", func() (string, error) { return e.Reset(t.Context()) },
			"The base prompt is lecode's own again, from the next request on.\nThe one before is kept in " + path + ".bak.\n"},
	} {
		got, err := c.do()
		if diff := cmp.Diff(c.want, w.bare(got)); err != nil || diff != "" {
			t.Error(c.name, err, diff)
		}
	}
	if said, err := e.Set(t.Context(), " \n"); !errors.Is(err, plumbing.ErrInvalid) || said != "" {
		t.Errorf("set to nothing: %q, %v", said, err)
	}
	if said, err := e.Set(t.Context(), "# Memory: facts\n"); !errors.Is(err, plumbing.ErrInvalid) || said != "" {
		t.Errorf("set to a label: %q, %v", said, err)
	}
}

func TestInEditor(t *testing.T) {
	w := newWorld(t)
	e := w.edit()
	if _, err := e.InEditor(t.Context()); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("without an editor: %v", err)
	}
	writes := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	mine := errors.New("editor failed")
	for _, c := range []struct {
		name   string
		editor func(path string) error
		says   string
		kind   error
		kept   bool
	}{
		{"untouched", func(string) error { return nil }, "unchanged", nil, false},
		{"untouched, and failed", func(string) error { return mine }, "", mine, false},
		{"taken away", os.Remove, "unchanged", nil, false},
		{"written", writes("Mine.\n"), "Saved the base prompt", nil, false},
		{"refused", writes("# Memory: facts\n"), "", plumbing.ErrInvalid, true},
		{"written, and failed", func(path string) error { return errors.Join(writes("Other.\n")(path), mine) }, "", mine, true},
		{"someone else was first", func(path string) error { w.save("Theirs.\n", ""); return writes("Mine too.\n")(path) }, "", plumbing.ErrConflict, true},
		{"emptied", writes(""), "lecode's own again", nil, false},
	} {
		e.Editor, e.TempDir = c.editor, t.TempDir()
		said, err := e.InEditor(t.Context())
		if !strings.Contains(said, c.says) || (said == "") != (err != nil) || !errors.Is(err, c.kind) {
			t.Errorf("%s: %q, %v", c.name, said, err)
		}
		left, _ := filepath.Glob(filepath.Join(e.TempDir, "*", "system.md"))
		if (len(left) == 1) != c.kept {
			t.Errorf("%s: left %q", c.name, left)
		}
		var p *plumbing.Error
		if c.kept && (!errors.As(err, &p) || !strings.Contains(p.Hint, "your text is in")) {
			t.Errorf("%s: hint of %v", c.name, err)
		}
	}
}
