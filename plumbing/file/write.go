package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// TempPrefix starts the name of every temporary file, so that fsck can tell a left-over one.
const TempPrefix = ".tmp-"

// WriteFile replaces name by what fill writes: temporary file, fsync, rename,
// fsync of the folder. After an error the old content stands and no temporary
// file is left. The bits of an existing file are kept; a new one has 0600.
func (t Tree) WriteFile(name string, fill func(io.Writer) error) error {
	return t.WriteWithin(name, fs.ModePerm, fill)
}

// WriteWithin is WriteFile for a file that may have no bits beyond most, as a
// copy may not be wider than what it is a copy of.
func (t Tree) WriteWithin(name string, most fs.FileMode, fill func(io.Writer) error) error {
	tmp, err := t.writeTemp(name, most, fill)
	if err != nil {
		return err
	}
	return t.publish(tmp, name, func(r *os.Root) error {
		return r.Rename(filepath.FromSlash(tmp), filepath.FromSlash(name))
	})
}

// WriteNew is WriteFile for a name that must not exist yet: where it does,
// nothing changes and the error is fs.ErrExist, also against another writer at
// the same moment.
func (t Tree) WriteNew(name string, fill func(io.Writer) error) error {
	tmp, err := t.writeTemp(name, fs.ModePerm, fill)
	if err != nil {
		return err
	}
	return t.publish(tmp, name, func(r *os.Root) error {
		if _, err := r.Lstat(filepath.FromSlash(name)); err == nil {
			return fs.ErrExist
		}
		err := renameNew(t.Path(tmp), t.Path(name))
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
		// Two names for a moment; fsck tells a left-over one by its prefix.
		if err := r.Link(filepath.FromSlash(tmp), filepath.FromSlash(name)); err != nil {
			return err
		}
		return r.Remove(filepath.FromSlash(tmp))
	})
}

// publish runs put on the tree and makes the folder durable; a failed one takes the temporary file with it.
func (t Tree) publish(tmp, name string, put func(*os.Root) error) error {
	r, err := t.root(name)
	if err != nil {
		t.Remove(tmp) // what stood in the way may be gone already
		return err
	}
	defer r.Close()
	if err := put(r); err != nil {
		r.Remove(filepath.FromSlash(tmp))
		if errors.Is(err, fs.ErrExist) {
			return fs.ErrExist
		}
		return fmt.Errorf("put %q in place: %w", t.Path(name), err)
	}
	return syncIn(r, path.Dir(name))
}

// tempName is a new name beside name, which is cut where both would be over the
// 255 bytes that a file system gives a name.
func tempName(name string) string {
	base := strings.ToValidUTF8(path.Base(name), "_")
	most := 255 - len(TempPrefix) - 1 - len(rand.Text())
	for len(base) > most {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return path.Join(path.Dir(name), TempPrefix+base+"-"+rand.Text())
}

// writeTemp writes and fsyncs a temporary file beside name and returns its name.
func (t Tree) writeTemp(name string, most fs.FileMode, fill func(io.Writer) error) (_ string, err error) {
	perm := fs.FileMode(0o600)
	info, err := t.Lstat(name)
	switch {
	case err == nil:
		if err := t.checkRegular(name, info); err != nil {
			return "", err
		}
		perm = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	tmp := tempName(name)
	f, err := t.Create(tmp, os.O_WRONLY|os.O_EXCL)
	if err != nil {
		return "", err
	}
	made := tmp // a return clears the result
	defer func() {
		if err != nil {
			f.Close()
			t.Remove(made)
			if errors.As(err, new(*plumbing.Error)) {
				return // what fill had to read was wrong, not the writing
			}
			err = fmt.Errorf("write %q: %w", t.Path(name), err)
		}
	}()
	if err := fill(f); err != nil {
		return "", err
	}
	if err := f.Chmod(perm & most); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	return tmp, f.Close()
}

// Rename moves a file inside the tree over whatever regular file stands at to, and makes it durable.
func (t Tree) Rename(from, to string) error {
	if err := t.CheckFile(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r, err := t.root(to)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := t.checkFolders(r, path.Dir(from)); err != nil {
		return err
	}
	if err := r.Rename(filepath.FromSlash(from), filepath.FromSlash(to)); err != nil {
		return fmt.Errorf("rename %q: %w", t.Path(from), err)
	}
	return syncIn(r, path.Dir(to))
}

// SyncDir makes the entries of a folder durable.
func (t Tree) SyncDir(name string) error {
	r, err := t.root(path.Join(name, "x"))
	if err != nil {
		return err
	}
	defer r.Close()
	return syncIn(r, name)
}

// ReadFile reads a regular file of at most limit bytes; a longer one wraps plumbing.ErrInvalid.
func (t Tree) ReadFile(name string, limit int64) ([]byte, error) {
	f, err := t.Open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", t.Path(name), err)
	}
	if int64(len(b)) > limit {
		return nil, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("%q is larger than %d bytes", t.Path(name), limit), "")
	}
	return b, nil
}

func syncIn(r *os.Root, dir string) error {
	d, err := r.Open(filepath.FromSlash(dir))
	if err != nil {
		return fmt.Errorf("open folder to sync it: %w", err)
	}
	defer d.Close()
	return syncFolder(d)
}

func syncPath(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return nil // a folder that we cannot open was not changed by us
		}
		return fmt.Errorf("open folder to sync it: %w", err)
	}
	defer d.Close()
	return syncFolder(d)
}

// WriteCache replaces name by what fill writes, in one rename but without any
// fsync: for files that can be made again.
func (t Tree) WriteCache(name string, fill func(io.Writer) error) error {
	tmp := tempName(name)
	f, err := t.Create(tmp, os.O_WRONLY|os.O_EXCL)
	if err != nil {
		return err
	}
	err = fill(f)
	if e := f.Close(); err == nil {
		err = e
	}
	r, e := t.root(name)
	if e != nil {
		t.Remove(tmp)
		return e
	}
	defer r.Close()
	if err == nil {
		err = r.Rename(filepath.FromSlash(tmp), filepath.FromSlash(name))
	}
	if err != nil {
		r.Remove(filepath.FromSlash(tmp))
		return fmt.Errorf("write %q: %w", t.Path(name), err)
	}
	return nil
}
