package instruct

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// place is a folder that files are read from: a checkout, which nothing that is
// read may leave, or one of the user's own, whose links lead where the user wants.
type place struct {
	top   string // absolute
	bound bool   // links are followed only where they stay inside top
}

var (
	errOutside = errors.New("a link that leads out of the checkout")
	errKind    = errors.New("not a regular file")
)

// open opens a file, or where dir is set a folder, by its path below the
// place. Nothing blocks: what is neither is refused before it is opened. A name
// that is not there is fs.ErrNotExist; a link that leads nowhere is not.
func (p place) open(rel string, dir bool) (*os.File, fs.FileInfo, error) {
	path := filepath.Join(p.top, rel)
	if _, err := os.Lstat(path); err != nil {
		return nil, nil, plain(err)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, nil, fmt.Errorf("a link that cannot be followed: %s", plain(err)) // not fs.ErrNotExist
	}
	if !p.bound {
		seen, err := os.Stat(real)
		if err != nil {
			return nil, nil, plain(err)
		}
		return check(seen, dir, func() (*os.File, error) { return os.OpenFile(real, os.O_RDONLY|openFlags, 0) })
	}
	top, err := filepath.EvalSymlinks(p.top)
	if err != nil {
		return nil, nil, plain(err)
	}
	inside, err := filepath.Rel(top, real)
	if err != nil || !filepath.IsLocal(inside) {
		return nil, nil, errOutside
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil, nil, plain(err)
	}
	defer root.Close()
	seen, err := root.Lstat(inside)
	if err != nil {
		return nil, nil, plain(err)
	}
	return check(seen, dir, func() (*os.File, error) { return root.OpenFile(inside, os.O_RDONLY|openFlags, 0) })
}

// check opens what was seen to be of the right kind, and makes sure that it is the very one.
func check(seen fs.FileInfo, dir bool, open func() (*os.File, error)) (*os.File, fs.FileInfo, error) {
	if seen.IsDir() != dir || !dir && !seen.Mode().IsRegular() {
		return nil, nil, errKind
	}
	f, err := open()
	if err != nil {
		return nil, nil, plain(err)
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(seen, info) {
		err = errors.New("it is being replaced at this moment")
	}
	if err != nil {
		f.Close()
		return nil, nil, plain(err)
	}
	return f, info, nil
}

// plain is an error without the path, which the caller names.
func plain(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// head reads the beginning of a file: at most most bytes, whole characters.
// size is the file's.
func (p place) head(rel string, most int64) (b []byte, info fs.FileInfo, size int64, err error) {
	f, info, err := p.open(rel, false)
	if err != nil {
		return nil, nil, 0, err
	}
	defer f.Close()
	b, err = io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, nil, 0, plain(err)
	}
	size = max(info.Size(), int64(len(b)))
	if int64(len(b)) > most {
		b = wholeCharacters(b[:most])
	}
	if wrong := fault(b); wrong != "" {
		return nil, nil, size, errors.New(wrong)
	}
	return b, info, size, nil
}
