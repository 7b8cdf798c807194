package slug

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// maxPath is how long a file that holds one path, or HEAD, may be, in bytes.
const maxPath = 64 << 10

// gitDir opens dir, whose links are resolved, if it is a git dir: HEAD, and in
// the common dir objects and refs. It is nil otherwise. common is
// GIT_COMMON_DIR, or empty.
func (f *finder) gitDir(dir, common string) (*place, error) {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, unreadable(dir, err)
	}
	p := &place{dir: dir}
	if err := f.share(p, common); err != nil || p.common == "" {
		return nil, err
	}
	for _, name := range []string{"objects", "refs"} {
		if _, err := os.Stat(filepath.Join(p.common, name)); absent(err) {
			return nil, nil
		} else if err != nil {
			return nil, unreadable(p.common, err)
		}
	}
	if ok, err := validHead(filepath.Join(dir, "HEAD"), head.Mode()); !ok {
		return nil, err
	}
	return p, nil
}

// share finds the common dir; it stays empty where the one that is named does not exist.
func (f *finder) share(p *place, common string) error {
	named, err := readPath(filepath.Join(p.dir, "commondir"))
	if err != nil && !absent(err) {
		return unreadable(filepath.Join(p.dir, "commondir"), err)
	}
	p.linked = err == nil
	p.given = common != ""
	switch {
	case p.given:
		named = under(f.dir, common)
	case p.linked:
		named = under(p.dir, named)
	default:
		p.common = p.dir
		return nil
	}
	if p.common, err = resolve(named); err != nil && !absent(err) {
		return unreadable(named, err)
	}
	return nil
}

// validHead reports whether a HEAD names a ref or an object, as Git asks of one.
func validHead(path string, mode fs.FileMode) (bool, error) {
	if mode&fs.ModeSymlink != 0 {
		target, err := os.Readlink(path)
		return strings.HasPrefix(filepath.ToSlash(target), "refs/"), err
	}
	data, err := readFile(path, maxPath)
	if errors.Is(err, errNoFile) {
		return false, nil
	}
	if err != nil {
		return false, unreadable(path, err)
	}
	if ref, ok := bytes.CutPrefix(data, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(ref, " \t\r\n"), []byte("refs/")), nil
	}
	return len(data) >= 40 && len(bytes.TrimLeft(data[:40], "0123456789abcdefABCDEF")) == 0, nil
}

// throughFile follows the .git file at path, which stands for the .git of folder d.
func (f *finder) throughFile(d, path, common string) (*place, error) {
	data, err := readFile(path, maxPath)
	if err != nil && !errors.Is(err, errNoFile) {
		return nil, unreadable(path, err)
	}
	target, ok := parseGitFile(data)
	if !ok {
		return nil, fail(plumbing.ErrCorrupt, `%q does not hold "gitdir: " and a path`, "repair or remove it", path)
	}
	dir, err := resolve(under(d, target))
	if err != nil && !absent(err) {
		return nil, unreadable(path, err)
	}
	var p *place
	if err == nil {
		if p, err = f.gitDir(dir, common); err != nil {
			return nil, err
		}
	}
	if p == nil {
		return nil, fail(plumbing.ErrCorrupt, "%q leads to %q, where no git dir is",
			"run `git worktree repair` in the main checkout, or remove the file", path, target)
	}
	p.holder, p.link = d, true
	return p, nil
}

// parseGitFile returns the path in a .git file.
func parseGitFile(data []byte) (string, bool) {
	path, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	path = bytes.TrimRight(path, "\r\n")
	if !ok || len(path) == 0 || bytes.IndexByte(path, 0) >= 0 {
		return "", false
	}
	return string(path), true
}

// readPath reads a file that holds one path.
func readPath(path string) (string, error) {
	data, err := readFile(path, maxPath)
	if err != nil {
		return "", err
	}
	data = bytes.TrimRight(data, "\r\n")
	if len(data) == 0 || bytes.IndexByte(data, 0) >= 0 {
		return "", fail(plumbing.ErrCorrupt, "%q does not hold a path", "run `git worktree repair` in the main checkout", path)
	}
	return string(data), nil
}

// errNoFile: it is no regular file, or too long.
var errNoFile = errors.New("not a file of the expected kind")

// readFile reads a whole regular file of at most max bytes, without blocking on anything else.
func readFile(path string, max int64) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > max {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNoFile}
	}
	return io.ReadAll(io.LimitReader(file, max))
}
