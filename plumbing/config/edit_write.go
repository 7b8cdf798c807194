package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Writer writes one config.toml: the user's, or where there is a Slug the
// project's. Writers wait for one another.
type Writer struct {
	Tree   file.Tree // <config_dir>
	Slug   string
	Holder string // who writes, for the next one who finds the lock taken
	// Prepare is called before anything is made in the project's folder
	// (design section 3, "Legacy store"). May be nil.
	Prepare func(context.Context) error
}

// lockWait is how long a writer waits for another one.
const lockWait = 5 * time.Second

// Change is a config.toml as it is and as it will be.
type Change struct {
	Path     string // absolute
	Old, New []byte
	Existed  bool
}

// Same reports whether the file says all of it already.
func (c Change) Same() bool { return c.Existed && bytes.Equal(c.Old, c.New) }

// Check refuses (plumbing.ErrRefused) a file that Write would not replace.
func (w Writer) Check() error {
	if err := w.Tree.CheckFile(w.name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// name is the file, within the tree.
func (w Writer) name() string {
	if w.Slug == "" {
		return fileName
	}
	return path.Join("memory", w.Slug, fileName)
}

// Plan says what edits will make of the file, and writes nothing. It reads
// through a link, which Write refuses. A result that Load would not accept, and
// what Set refuses, wrap plumbing.ErrInvalid.
func (w Writer) Plan(edits ...Edit) (Change, error) {
	c := Change{Path: w.Tree.Path(w.name())}
	var err error
	if c.Old, c.Existed, err = readFile(c.Path); err != nil {
		return c, err
	}
	if c.New, err = SetAll(c.Old, edits); err != nil {
		return c, err
	}
	if len(c.New) > MaxFile {
		return c, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q would be longer than %d bytes", c.Path, MaxFile), "make it shorter")
	}
	return c, w.judge(c)
}

// judge reads the files as Load does, with the new text in its place.
func (w Writer) judge(c Change) error {
	merged := &Config{origins: map[string]origin{}}
	merged.setDefaults()
	from := FromUser
	if w.Slug != "" {
		from = FromProject
		if err := merged.readFile(w.Tree.Path(fileName), FromUser); err != nil {
			return err
		}
	}
	tree, lines, err := parse(c.New, c.Path)
	if err != nil {
		return err
	}
	if err := (&layer{c: merged, from: from, file: c.Path, lines: lines}).root(tree); err != nil {
		return err
	}
	return merged.checkWhole()
}

// Write puts a planned change in place, whole and durable; the text before it
// goes to config.toml.bak. The bits of a file that is there are kept, a new one
// has 0600. A file that is not as it was planned for is plumbing.ErrConflict; a
// link, pipe or hard link in its place is plumbing.ErrRefused and stays.
func (w Writer) Write(ctx context.Context, c Change) error {
	return w.locked(ctx, func() error {
		now, existed, err := readFile(c.Path)
		if err != nil {
			return err
		}
		if existed != c.Existed || !bytes.Equal(now, c.Old) {
			return plumbing.Fail(plumbing.ErrConflict, quote(c.Path)+" was changed meanwhile", "nothing was written; do it again")
		}
		return w.put(c)
	})
}

// WriteProjectKey sets one key in the project's config.toml, as Set does, and
// says which file that is. The errors are those of Plan and Write.
func WriteProjectKey(ctx context.Context, w Writer, key string, value any) (path string, err error) {
	if w.Slug == "" {
		return "", plumbing.Fail(plumbing.ErrInvalid, "no project is named", "see `lecode slug`")
	}
	err = w.locked(ctx, func() error {
		c, err := w.Plan(Edit{Key: key, Value: value})
		path = c.Path
		if err != nil {
			return err
		}
		return w.put(c)
	})
	return path, err
}

// locked does something while no other Writer writes the same file.
func (w Writer) locked(ctx context.Context, do func() error) error {
	if err := w.Check(); err != nil {
		return err
	}
	if w.Prepare != nil && w.Slug != "" {
		if err := w.Prepare(ctx); err != nil {
			return err
		}
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	l, err := w.Tree.Lock(wait, path.Join(path.Dir(w.name()), "config.lock"), w.Holder)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	defer l.Unlock()
	return do()
}

func (w Writer) put(c Change) error {
	if c.Same() {
		return nil
	}
	if c.Existed {
		info, err := w.Tree.Lstat(w.name())
		if err != nil {
			return fmt.Errorf("look at %q: %w", c.Path, err)
		}
		if err := w.Tree.WriteWithin(w.name()+".bak", info.Mode().Perm(), writes(c.Old)); err != nil {
			return err
		}
	}
	return w.Tree.WriteFile(w.name(), writes(c.New))
}

func writes(text []byte) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(text)
		return err
	}
}
