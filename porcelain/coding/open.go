package coding

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/lecode/lecode/plumbing"
)

// in opens the folder that a place is reached from: the one of the workspace,
// so that no link that is put there meanwhile leads out, or outside of it the
// nearest that exists. name is the rest of the way.
func (p place) in() (r *os.Root, name string, err error) {
	base := p.root
	if base == "" {
		base = p.real
		for info, err := os.Lstat(base); err != nil || !info.IsDir(); info, err = os.Lstat(base) {
			up := filepath.Dir(base)
			if up == base {
				break
			}
			base = up
		}
	}
	name, err = filepath.Rel(base, p.real)
	if err != nil {
		return nil, "", p.explain(err)
	}
	r, err = os.OpenRoot(base)
	if err != nil {
		return nil, "", p.explain(err)
	}
	return r, name, nil
}

// stat describes what is at a place. What is missing wraps plumbing.ErrNotFound.
func (p place) stat() (fs.FileInfo, error) {
	r, name, err := p.in()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.Lstat(name)
	if err != nil {
		return nil, p.explain(err)
	}
	return info, nil
}

// open opens a regular file for reading, and waits for nothing: a FIFO or a
// device is refused before it is opened, and once more after.
func (p place) open() (*os.File, fs.FileInfo, error) {
	r, name, err := p.in()
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	return p.openIn(r, name)
}

func (p place) openIn(r *os.Root, name string) (*os.File, fs.FileInfo, error) {
	info, err := r.Lstat(name)
	if err == nil {
		err = p.regular(info)
	}
	if err != nil {
		return nil, nil, p.explain(err)
	}
	f, err := r.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil, p.explain(err)
	}
	if info, err = f.Stat(); err == nil {
		err = p.regular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, p.explain(err)
	}
	return f, info, nil
}

// maxWhole is the most bytes of a file that is held whole: what is edited or overwritten.
const maxWhole = 16 << 20

// bytes reads a whole regular file of at most maxWhole bytes.
func (p place) bytes(r *os.Root, name string) ([]byte, fs.FileInfo, error) {
	f, info, err := p.openIn(r, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxWhole+1))
	if err != nil {
		return nil, nil, p.explain(err)
	}
	if len(b) > maxWhole {
		return nil, nil, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is larger than %d bytes", p.given, maxWhole),
			"change it with a program")
	}
	return b, info, nil
}

// regular refuses what is no regular file.
func (p place) regular(info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	if info.IsDir() {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is a folder", p.given), "ls lists it")
	}
	return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is %s", p.given, kindOf(info.Mode())), "only regular files are read and written")
}

// kindOf names what a file that is not regular is.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m.IsRegular():
		return "a file"
	case m&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a thing of its own kind"
}

// explain gives an error of the system its kind and its way out.
func (p place) explain(err error) error {
	fail := func(kind error, what, hint string) error {
		return &plumbing.Error{Kind: kind, Message: fmt.Sprintf("%q %s", p.given, what), Hint: hint, Cause: err}
	}
	switch {
	case errors.As(err, new(*plumbing.Error)):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fail(plumbing.ErrNotFound, "does not exist", "glob and ls find files")
	case errors.Is(err, syscall.ENOTDIR):
		return fail(plumbing.ErrNotFound, "does not exist: a file stands where it has a folder", "glob and ls find files")
	case errors.Is(err, fs.ErrPermission):
		return fail(plumbing.ErrRefused, "may not be used: the system gives no permission", "tell the user")
	case errors.Is(err, syscall.EROFS):
		return fail(plumbing.ErrRefused, "is on a file system that is read-only", "tell the user")
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fail(plumbing.ErrInvalid, "is too long a name", "give a shorter one")
	case errors.Is(err, syscall.ELOOP):
		return fail(plumbing.ErrRefused, "leads through links in a circle", "give the path that is meant")
	}
	return fmt.Errorf("use %q: %w", p.given, err)
}

// digest tells whether a file is as the model last saw it.
type digest [sha256.Size]byte

func digestOf(b []byte) digest { return sha256.Sum256(b) }

// sight is a file as the model last saw it, and how often it has changed it.
type sight struct {
	digest
	changes int
}

// changed notes what the model has made of a file.
func (t *Toolbox) changed(p place, d digest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen[p.real] = sight{d, t.seen[p.real].changes + 1}
}

// look begins a reading of a file; saw notes what was read. Where a change of
// the model's own came between, what was read may be older, and is not noted:
// the next change of the file would be refused for it.
func (t *Toolbox) look(p place) (saw func(digest)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	changes := t.seen[p.real].changes
	return func(d digest) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.seen[p.real].changes == changes {
			t.seen[p.real] = sight{d, changes}
		}
	}
}

// current checks that a file is as the model last saw it: what somebody has
// written since is not overwritten (issue 7, "Coding tools").
func (t *Toolbox) current(p place, b []byte) error {
	t.mu.Lock()
	was, ok := t.seen[p.real]
	t.mu.Unlock()
	switch {
	case !ok:
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("%q is there and was not read yet", p.given), "read it first")
	case was.digest != digestOf(b):
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("%q has changed since it was read", p.given), "read it again, and decide anew")
	}
	return nil
}
