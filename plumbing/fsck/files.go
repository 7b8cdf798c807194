package fsck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/adopt"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
)

// files looks at every name in the project's folders: what kind of thing it is
// and who may read it. It opens notes only.
func (c *Checker) files(ctx context.Context, found report) error {
	for _, top := range []struct {
		tree treeKind
		name string
	}{
		{inConfig, "."}, {inConfig, "memory"}, {inConfig, "sessions"}, {inConfig, "usage"},
		{inCache, "."}, {inCache, "index"}, {inCache, "search"},
	} {
		if err := c.folder(top.tree, top.name, found); err != nil {
			return err
		}
	}
	for _, dir := range []struct {
		tree treeKind
		name string
	}{
		{inConfig, c.memoryDir()}, {inConfig, c.sessionDir()},
		{inCache, c.indexDir()}, {inCache, path.Join("search", c.opt.Project.Slug)},
	} {
		if err := c.walk(ctx, dir.tree, dir.name, found); err != nil {
			return err
		}
	}
	return c.plain(inConfig, path.Join("usage", c.opt.Project.Slug+".jsonl"), found)
}

func (c *Checker) tree(kind treeKind) file.Tree {
	if kind == inCache {
		return c.opt.Cache
	}
	return c.opt.Config
}

// folder looks at one folder itself; a missing one is fine.
func (c *Checker) folder(tree treeKind, name string, found report) error {
	var info fs.FileInfo
	var err error
	if name == "." { // links above the tree, and to it, are the user's own
		info, err = os.Stat(c.tree(tree).Dir)
	} else {
		info, err = c.tree(tree).Lstat(name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return c.orFail(tree, name, err, found)
	case !info.IsDir():
		return found(c.finding(NotPlain, tree, name, "not a directory of lecode's own but "+what(info)+": move it away"))
	case (name == "." || name == "memory") && tree == inConfig:
		if err := c.temporaries(tree, name, found); err != nil {
			return err
		}
	}
	return c.bits(tree, name, info, 0o077, found)
}

// temporaries finds left-over temporary files, and copies of legacy notes, in
// a folder whose other files are not the project's.
func (c *Checker) temporaries(tree treeKind, dir string, found report) error {
	list, err := c.tree(tree).ReadDir(dir)
	if err != nil {
		return c.orFail(tree, dir, err, found)
	}
	for _, e := range list {
		isCopy := strings.HasPrefix(e.Name(), note.CopyPrefix) && e.IsDir()
		if isCopy || strings.HasPrefix(e.Name(), file.TempPrefix) && e.Type().IsRegular() {
			if err := found(c.leftOver(tree, path.Join(dir, e.Name()))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *Checker) leftOver(tree treeKind, name string) Finding {
	return c.finding(TemporaryFile, tree, name,
		"a write was cut off, or still runs: `lecode fsck --repair` removes it once its writer is gone")
}

// walk looks at a folder and all that is in it.
func (c *Checker) walk(ctx context.Context, tree treeKind, dir string, found report) error {
	if err := c.folder(tree, dir, found); err != nil {
		return err
	}
	if info, err := c.tree(tree).Lstat(dir); err != nil || !info.IsDir() {
		return nil // told by folder, or not there
	}
	list, err := c.tree(tree).ReadDir(dir)
	if err != nil {
		return c.orFail(tree, dir, err, found)
	}
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		if e.IsDir() && c.mayHold(tree, name) {
			err = c.walk(ctx, tree, name, found)
		} else {
			err = c.entry(tree, name, found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mayHold reports whether a folder may stand there.
func (c *Checker) mayHold(tree treeKind, name string) bool {
	return tree == inConfig && (name == path.Join(c.memoryDir(), "notes") || name == path.Join(c.memoryDir(), "daily"))
}

func (c *Checker) entry(tree treeKind, name string, found report) error {
	base := path.Base(name)
	if tree == inConfig && base == "config.toml" {
		return nil // the user's own, and may be a link
	}
	if err := c.plain(tree, name, found); err != nil {
		return err
	}
	info, err := c.tree(tree).Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	switch {
	case strings.HasPrefix(base, file.TempPrefix):
		return found(c.leftOver(tree, name))
	case tree == inConfig && path.Dir(name) == c.sessionDir() && strings.HasSuffix(base, ".lock"):
		if session.CheckID(strings.TrimSuffix(base, ".lock")) != nil {
			return found(c.finding(LockStray, tree, name, "a lock whose name is no session's: remove it"))
		}
	case tree == inConfig && name == path.Join(c.memoryDir(), "aliases"):
		return c.aliases(name, found)
	case tree == inConfig && strings.HasSuffix(base, ".md"):
		return c.note(name, found)
	}
	return nil
}

// aliases finds a file of old roots that cannot be believed.
func (c *Checker) aliases(name string, found report) error {
	_, err := adopt.Aliases(c.opt.Config, c.opt.Project.Slug)
	if err == nil {
		return nil
	}
	if errors.Is(err, plumbing.ErrCorrupt) || errors.Is(err, plumbing.ErrInvalid) {
		return found(c.finding(AliasesDamaged, inConfig, name, err.Error()+": sessions of the old roots are not read until it is mended"))
	}
	return c.orFail(inConfig, name, err, found)
}

// plain finds what is no plain file with one name, and what others may use.
func (c *Checker) plain(tree treeKind, name string, found report) error {
	info, err := c.tree(tree).Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return c.orFail(tree, name, err, found)
	case !info.Mode().IsRegular() || file.Names(info) > 1:
		return found(c.finding(NotPlain, tree, name, "not a plain file of lecode's own but "+what(info)+": move it away"))
	}
	return c.bits(tree, name, info, 0o077, found)
}

func (c *Checker) bits(tree treeKind, name string, info fs.FileInfo, wide fs.FileMode, found report) error {
	if runtime.GOOS == "windows" || info.Mode().Perm()&wide == 0 {
		return nil
	}
	return found(c.finding(Permissions, tree, name, fmt.Sprintf("others may use it: its permissions are %#o; take them away with chmod go=", info.Mode().Perm())))
}

// what names a thing that should not be there.
func what(info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case !m.IsRegular():
		return "a device"
	case file.Names(info) > 1:
		return "a hard link to a file that has other names"
	}
	return "a file"
}

// note finds a Markdown file that cannot be shown, at the first byte where that is so.
func (c *Checker) note(name string, found report) error {
	f, err := c.opt.Config.Open(name, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return nil // what it is was told by plain
	}
	defer f.Close()
	line, offset, err := badText(f)
	if err != nil {
		return fmt.Errorf("read %q: %w", c.opt.Config.Path(name), err)
	}
	if line == 0 {
		return nil
	}
	return found(c.finding(NoteNotText, inConfig, name, "not UTF-8 text, so it is left out of prompts: save it as UTF-8").at(line, offset))
}

// badText returns where a file stops being UTF-8 text; line 0 for nowhere.
func badText(r io.Reader) (line, offset int64, err error) {
	buf := make([]byte, 64<<10)
	held, lines, at := 0, int64(1), int64(0)
	for {
		n, err := r.Read(buf[held:])
		b := buf[:held+n]
		for len(b) > 0 {
			c, size := utf8.DecodeRune(b)
			if c == utf8.RuneError && size == 1 && !utf8.FullRune(b) && err == nil {
				break
			}
			if c == 0 || c == utf8.RuneError && size == 1 {
				return lines, at, nil
			}
			if c == '\n' {
				lines++
			}
			b, at = b[size:], at+int64(size)
		}
		held = copy(buf, bytes.Clone(b))
		if errors.Is(err, io.EOF) {
			return 0, 0, nil
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

// orFail turns an error about a file into a finding where it is one about what stands there.
func (c *Checker) orFail(tree treeKind, name string, err error, found report) error {
	if f, ok := c.refusal(tree, name, err); ok {
		return found(f)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("look at %q: %w", c.tree(tree).Path(name), err)
}
