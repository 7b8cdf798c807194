// Package file keeps the rules for files that lecode owns (design section 3):
// directories 0700, files 0600, a rewrite keeps the bits the file had; links,
// FIFOs, devices and hard links where a file of ours should be are refused
// without blocking; a rewrite is whole or not at all, and durable once it is
// reported.
//
// It knows nothing of what the files hold. Start with Tree.
package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// Tree is a directory whose content is lecode's own: <config_dir> or
// <cache_dir>. Links above it are followed, a link inside it never. Names
// are slash-separated and relative. A Tree opens nothing until it is used.
type Tree struct {
	// Dir is the absolute path of the directory; it need not exist yet.
	Dir string
}

// Path returns the absolute path of name, for messages and for libraries that open files themselves.
func (t Tree) Path(name string) string {
	return filepath.Join(t.Dir, filepath.FromSlash(name))
}

// Open opens an existing regular file. A missing one is fs.ErrNotExist;
// whatever is not a regular file with one name wraps plumbing.ErrRefused.
func (t Tree) Open(name string, flag int) (*os.File, error) {
	r, err := t.root(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return t.openIn(r, name, flag&^os.O_CREATE, 0)
}

// Create opens a regular file for writing, made with 0600 where it is
// missing; its folder is made with MkdirAll first. With os.O_EXCL in flag the
// file must be new (fs.ErrExist).
func (t Tree) Create(name string, flag int) (*os.File, error) {
	if err := t.MkdirAll(path.Dir(name)); err != nil {
		return nil, err
	}
	r, err := t.root(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return t.openIn(r, name, flag|os.O_CREATE, 0o600)
}

// openTries is how often a file that is being replaced at that very moment is looked at again.
const openTries = 10

// openIn opens what Lstat has shown to be a plain file, and makes sure that it
// is the very one: os.Root follows links that stay inside it, whatever the flags.
func (t Tree) openIn(r *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	for range openTries {
		f, err := t.openOnce(r, name, flag, perm)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, plumbing.Fail(plumbing.ErrBusy, fmt.Sprintf("%q is replaced again and again", t.Path(name)), "try again")
}

// openOnce returns neither file nor error where the name changed hands between two looks.
func (t Tree) openOnce(r *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	local := filepath.FromSlash(name)
	seen, err := r.Lstat(local)
	switch {
	case err == nil && flag&os.O_EXCL != 0:
		return nil, fs.ErrExist
	case err == nil:
		if err := t.checkRegular(name, seen); err != nil {
			return nil, err
		}
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
		f, err := r.OpenFile(local, flag|os.O_EXCL|openFlags, perm)
		if errors.Is(err, fs.ErrExist) && flag&os.O_EXCL == 0 {
			return nil, nil
		}
		if err != nil {
			return nil, t.explain(r, name, err)
		}
		return f, nil
	default:
		return nil, t.explain(r, name, err)
	}
	f, err := r.OpenFile(local, flag&^os.O_CREATE|openFlags, perm)
	if err != nil {
		return nil, t.explain(r, name, err)
	}
	info, err := f.Stat()
	if err == nil && os.SameFile(seen, info) {
		if err = t.checkRegular(name, info); err == nil {
			return f, nil
		}
	}
	f.Close()
	return nil, err
}

// explain turns a failed open into a refusal where a link or a thing that is no file stands in the way.
func (t Tree) explain(r *os.Root, name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, e := r.Lstat(filepath.FromSlash(name)); e == nil {
		if e := t.checkRegular(name, info); e != nil {
			return e
		}
	}
	if errors.Is(err, fs.ErrPermission) || isReadOnly(err) {
		return t.denied(name, err)
	}
	return err
}

func (t Tree) denied(name string, err error) error {
	return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
		Message: fmt.Sprintf("no permission for %q", t.Path(name)),
		Hint:    "check the permissions of that path, or choose another directory with --config-dir or LECODE_CONFIG_DIR"}
}

// Names is how many names an open file has: 0 once it was removed or replaced.
// Where the system does not say it is 1.
func Names(info fs.FileInfo) uint64 { return links(info) }

// checkRegular refuses what is not a plain file with one name.
func (t Tree) checkRegular(name string, info fs.FileInfo) error {
	what := ""
	switch m := info.Mode(); {
	case m&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case m.IsDir():
		what = "a directory"
	case !m.IsRegular():
		what = "not a regular file"
	case links(info) > 1:
		what = "a hard link to a file that has other names"
	default:
		return nil
	}
	return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is %s", t.Path(name), what),
		"lecode uses plain files of its own there; move it away")
}

// root opens the tree, after making sure that no folder on the way to name is a link.
func (t Tree) root(name string) (*os.Root, error) {
	if !fs.ValidPath(name) {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a name inside %q", name, t.Dir), "")
	}
	r, err := os.OpenRoot(t.Dir)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, t.denied(".", err)
		}
		if info, e := os.Stat(t.Dir); e == nil && !info.IsDir() {
			return nil, t.noDirectory()
		}
		return nil, err
	}
	if err := t.checkFolders(r, path.Dir(name)); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// checkFolders refuses a link or a file where a folder of name should be; a missing one is fine.
func (t Tree) checkFolders(r *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	parts := strings.Split(dir, "/")
	for i := range parts {
		sub := strings.Join(parts[:i+1], "/")
		info, err := r.Lstat(filepath.FromSlash(sub))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if errors.Is(err, fs.ErrPermission) {
			return t.denied(sub, err)
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			what := "not a directory"
			if info.Mode()&fs.ModeSymlink != 0 {
				what = "a symbolic link"
			}
			return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is %s", t.Path(sub), what),
				"lecode keeps its files in plain directories of its own; move it away")
		}
	}
	return nil
}

// Lstat describes name itself, link or not.
func (t Tree) Lstat(name string) (fs.FileInfo, error) {
	r, err := t.root(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrPermission) {
		return nil, t.denied(name, err)
	}
	return info, err
}

// CheckFile refuses what may not stand at name, for a library that opens the
// path itself; a missing file is fs.ErrNotExist.
func (t Tree) CheckFile(name string) error {
	info, err := t.Lstat(name)
	if err != nil {
		return err
	}
	return t.checkRegular(name, info)
}

// CheckFiles is CheckFile for several names in one folder, opened once: nil
// stands for a file that is missing, also where the folder is.
func (t Tree) CheckFiles(dir string, names ...string) ([]fs.FileInfo, error) {
	list := make([]fs.FileInfo, len(names))
	r, err := t.root(path.Join(dir, "x"))
	if err == nil {
		defer r.Close()
		r, err = r.OpenRoot(filepath.FromSlash(dir))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return list, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, t.denied(dir, err)
	case err != nil:
		return nil, fmt.Errorf("look at %q: %w", t.Path(dir), err)
	}
	defer r.Close()
	for i, name := range names {
		info, err := r.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, fs.ErrPermission):
			return nil, t.denied(path.Join(dir, name), err)
		case err != nil:
			return nil, fmt.Errorf("look at %q: %w", t.Path(path.Join(dir, name)), err)
		}
		if err := t.checkRegular(path.Join(dir, name), info); err != nil {
			return nil, err
		}
		list[i] = info
	}
	return list, nil
}

// ReadDir lists a folder by name; a missing one is an empty list.
func (t Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	r, err := t.root(path.Join(name, "x"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d, err := r.Open(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil, t.denied(name, err)
		}
		return nil, err
	}
	defer d.Close()
	list, err := d.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", t.Path(name), err)
	}
	sortEntries(list)
	return list, nil
}

// MkdirAll makes the tree and the folders of name, 0700 each, and makes them durable.
func (t Tree) MkdirAll(name string) error {
	if err := t.makeTree(); err != nil {
		return err
	}
	r, err := t.root(path.Join(name, "x"))
	if err != nil {
		return err
	}
	defer r.Close()
	if name == "." {
		return nil
	}
	parts := strings.Split(name, "/")
	for i := range parts {
		sub := strings.Join(parts[:i+1], "/")
		err := r.Mkdir(filepath.FromSlash(sub), 0o700)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = syncIn(r, path.Dir(sub))
		}
		if err != nil {
			if errors.Is(err, fs.ErrPermission) || isReadOnly(err) {
				return t.denied(sub, err)
			}
			return fmt.Errorf("make folder %q: %w", t.Path(sub), err)
		}
	}
	return nil
}

func (t Tree) noDirectory() error {
	return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is not a directory", t.Dir), "choose another one")
}

// makeTree makes Dir itself and what is missing above it.
func (t Tree) makeTree() error {
	if info, err := os.Stat(t.Dir); err == nil {
		if !info.IsDir() {
			return t.noDirectory()
		}
		return nil
	}
	missing := t.Dir
	for parent := filepath.Dir(missing); parent != missing; parent = filepath.Dir(parent) {
		if _, err := os.Stat(parent); err == nil {
			break
		}
		missing = parent
	}
	if err := os.MkdirAll(t.Dir, 0o700); err != nil {
		if errors.Is(err, fs.ErrPermission) || isReadOnly(err) {
			return t.denied(".", err)
		}
		return fmt.Errorf("make folder: %w", err)
	}
	for dir := filepath.Dir(t.Dir); ; dir = filepath.Dir(dir) {
		if err := syncPath(dir); err != nil {
			return err
		}
		if len(dir) < len(missing) {
			return nil
		}
	}
}

// Remove deletes one file or empty folder and makes that durable. A missing one is fs.ErrNotExist.
func (t Tree) Remove(name string) error {
	r, err := t.root(name)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Remove(filepath.FromSlash(name)); err != nil {
		return t.explain(r, name, err)
	}
	return syncIn(r, path.Dir(name))
}
