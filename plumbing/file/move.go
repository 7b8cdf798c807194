package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
)

// MoveNew moves a file or a whole folder to a name inside the tree that must
// not exist yet (fs.ErrExist), and makes that durable in both folders. The
// folder of to is made where it is missing. A link is never moved
// (plumbing.ErrRefused); a missing from is fs.ErrNotExist.
func (t Tree) MoveNew(from, to string) error {
	r, err := t.root(to)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := t.movable(r, from); err != nil {
		return err
	}
	if err := t.MkdirAll(path.Dir(to)); err != nil {
		return err
	}
	if err := t.moveNew(r, from, to); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fs.ErrExist
		}
		return fmt.Errorf("move %q: %w", t.Path(from), err)
	}
	if err := syncIn(r, path.Dir(to)); err != nil || path.Dir(from) == path.Dir(to) {
		return err
	}
	return syncIn(r, path.Dir(from))
}

// movable refuses what is neither a folder nor a plain file with one name.
func (t Tree) movable(r *os.Root, from string) error {
	if err := t.checkFolders(r, path.Dir(from)); err != nil {
		return err
	}
	info, err := r.Lstat(filepath.FromSlash(from))
	switch {
	case errors.Is(err, fs.ErrPermission):
		return t.denied(from, err)
	case err != nil:
		return err
	case info.IsDir():
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is a symbolic link", t.Path(from)),
			"lecode uses plain files of its own there; move it away")
	}
	return t.checkRegular(from, info)
}

// moveNew renames without replacing; where the system cannot, after a look.
func (t Tree) moveNew(r *os.Root, from, to string) error {
	if _, err := r.Lstat(filepath.FromSlash(to)); err == nil {
		return fs.ErrExist
	}
	err := renameNew(t.Path(from), t.Path(to))
	if errors.Is(err, errors.ErrUnsupported) {
		return r.Rename(filepath.FromSlash(from), filepath.FromSlash(to))
	}
	return err
}
