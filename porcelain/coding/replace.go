package coding

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// target is a file that is about to be written: what it holds now.
type target struct {
	p     place
	r     *os.Root
	name  string      // from r
	bytes []byte      // what it holds
	info  fs.FileInfo // nil: there is no such file yet
}

// aim opens what is to be written, and refuses what must not be: a way that a
// link leads out of the workspace, a file with other names, and what is no
// regular file. Whoever gets it closes r.
func (p place) aim() (_ *target, err error) {
	if p.led {
		return nil, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q leads through a link to %q, outside the workspace", p.given, p.real),
			"give that path itself, so that the user is asked for it")
	}
	o := &target{p: p}
	if o.r, o.name, err = p.in(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			o.r.Close()
		}
	}()
	info, err := o.r.Lstat(o.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, nil
	case err != nil:
		return nil, p.explain(err)
	}
	if err := p.regular(info); err != nil {
		return nil, err
	}
	if info.Mode()&0o222 == 0 {
		return nil, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is read-only", p.given), "it may be made by a program; change its permissions first if it is meant")
	}
	if names(info) > 1 {
		return nil, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q has %d names, and would lose the others", p.given, names(info)),
			"it is a hard link; change it with a program if that is meant")
	}
	o.bytes, o.info, err = p.bytes(o.r, o.name)
	return o, err
}

// replace writes the file whole or not at all: beside it, and then in its place.
// Folders that are missing are made. The bits, owner and group that it had are
// kept; a new file has those that the system gives one.
func (o *target) replace(b []byte) error {
	if err := o.r.MkdirAll(filepath.Dir(o.name), 0o777); err != nil {
		return o.p.explain(err)
	}
	name := filepath.Join(filepath.Dir(o.name), file.TempPrefix+rand.Text())
	f, err := o.r.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return o.p.explain(err)
	}
	err = o.fill(f, b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = o.put(name)
	}
	if err != nil {
		o.r.Remove(name)
		return o.p.explain(err)
	}
	return nil
}

// fill writes the temporary file.
func (o *target) fill(f *os.File, b []byte) error {
	if o.info != nil {
		if err := keepOwner(f, o.info); err != nil {
			return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err, Message: fmt.Sprintf("%q belongs to somebody else, which it would not after", o.p.given),
				Hint: "tell the user"}
		}
		const bits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
		if err := f.Chmod(o.info.Mode() & bits); err != nil {
			return err
		}
	}
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

// put gives the temporary file its name. A file that has come since is not replaced.
func (o *target) put(temp string) error {
	info, err := o.r.Lstat(o.name)
	changed := err == nil && (o.info == nil || !os.SameFile(info, o.info) || info.ModTime() != o.info.ModTime() || info.Size() != o.info.Size())
	if changed || o.info != nil && errors.Is(err, fs.ErrNotExist) {
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("%q was written at this very moment", o.p.given), "read it again, and decide anew")
	}
	return o.r.Rename(temp, o.name)
}
