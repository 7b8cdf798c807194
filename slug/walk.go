package slug

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/lecode/lecode/plumbing"
)

// finder is one Find at work.
type finder struct {
	ctx     context.Context
	getenv  func(string) string
	dir     string              // the directory asked from, links resolved
	configs map[string]settings // read so far, by file
	depth   int                 // of identify inside identify
}

// startDir returns the directory to ask from, absolute and with its links resolved.
func startDir(dir string) (string, error) {
	if strings.ContainsRune(dir, 0) {
		return "", fail(plumbing.ErrInvalid, "the path %q holds a NUL", "name a directory", dir)
	}
	abs := dir
	if !filepath.IsAbs(dir) {
		wd, err := os.Getwd()
		if err != nil {
			return "", &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err,
				Message: "the working directory no longer exists", Hint: "change to one that does, or use -C DIR"}
		}
		abs = under(wd, dir)
	}
	real, err := resolve(abs)
	switch {
	case err == nil:
		return real, checkDir(real)
	case absent(err):
		return "", &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err,
			Message: "the directory " + quote(abs) + " does not exist", Hint: "change to one that does, or use -C DIR"}
	}
	return "", unreadable(abs, err)
}

func checkDir(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(path, err)
	}
	if !info.IsDir() {
		return fail(plumbing.ErrInvalid, "%q is not a directory", "name a directory", path)
	}
	return nil
}

// place is a git dir and the way to it.
type place struct {
	dir    string // the git dir, links resolved
	common string // what it shares with the other worktrees, links resolved; dir itself where it shares nothing
	linked bool   // it is a linked worktree's: a commondir file names what it shares
	given  bool   // GIT_COMMON_DIR names common
	holder string // the folder whose .git leads here; empty where the git dir itself was met
	link   bool   // that .git is a file or a link, which must be believed before it is followed
}

// place finds the git dir as Git does; nil is outside Git.
func (f *finder) place() (*place, string, error) {
	if name := f.getenv("GIT_DIR"); name != "" {
		p, err := f.named(under(f.dir, name))
		return p, ViaGitDir, err
	}
	p, err := f.walk(f.dir, f.getenv("GIT_COMMON_DIR"))
	return p, ViaWalk, err
}

// under reads a path from a folder. It is not cleaned: ".." after a link is the link's target's parent.
func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return dir + string(filepath.Separator) + filepath.FromSlash(path)
}

// named opens the git dir that GIT_DIR names: a folder, or a file that leads to one.
func (f *finder) named(path string) (*place, error) {
	common := f.getenv("GIT_COMMON_DIR")
	dir, err := resolve(path)
	if absent(err) {
		return nil, fail(plumbing.ErrNotFound, "GIT_DIR names %q, which does not exist", "set it to a git dir, or unset it", path)
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, unreadable(path, err)
	}
	var p *place
	if info.IsDir() {
		p, err = f.gitDir(dir, common)
	} else {
		p, err = f.throughFile(filepath.Dir(dir), dir, common)
	}
	if err == nil && p == nil {
		err = fail(plumbing.ErrCorrupt, "GIT_DIR names %q, which is not a git dir", "set it to a git dir, or unset it", path)
	}
	if err != nil {
		return nil, err
	}
	return p, f.believe(p)
}

// walk goes up from a folder to the first that holds a .git or is a git dir,
// up to but not into a ceiling; nil is outside Git.
func (f *finder) walk(from, common string) (*place, error) {
	stop := f.ceiling(from)
	for d := from; ; {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		p, err := f.dotGit(d, common)
		if p == nil && err == nil {
			p, err = f.gitDir(d, common)
		}
		if err == nil && p != nil {
			err = f.believe(p)
		}
		if p != nil || err != nil {
			return p, err
		}
		parent := filepath.Dir(d)
		if parent == d || parent == stop {
			return nil, nil
		}
		d = parent
	}
}

// ceiling returns the longest entry of GIT_CEILING_DIRECTORIES above a folder;
// the folder itself does not count. After an empty entry links are not resolved.
func (f *finder) ceiling(from string) string {
	longest, raw := "", false
	for _, dir := range filepath.SplitList(f.getenv("GIT_CEILING_DIRECTORIES")) {
		if dir == "" {
			raw = true
		}
		if !filepath.IsAbs(dir) {
			continue
		}
		dir = filepath.Clean(dir)
		if !raw {
			var err error
			if dir, err = resolve(dir); err != nil {
				continue
			}
		}
		if len(dir) > len(longest) && above(dir, from) {
			longest = dir
		}
	}
	return longest
}

// above reports whether dir is a folder that path lies in; both are clean.
func above(dir, path string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && rest != "" && (os.IsPathSeparator(rest[0]) || os.IsPathSeparator(dir[len(dir)-1]))
}

// dotGit looks at the .git of a folder; nil where there is none, or an empty
// folder, which Git skips too. One that is there and cannot be used is an
// error: to go on upwards would fork the project's memory.
func (f *finder) dotGit(d, common string) (*place, error) {
	path := filepath.Join(d, ".git")
	info, err := os.Lstat(path)
	if absent(err) {
		return nil, nil
	}
	link := err == nil && info.Mode()&fs.ModeSymlink != 0
	if link {
		info, err = os.Stat(path)
	}
	switch {
	case link && absent(err):
		return nil, fail(plumbing.ErrCorrupt, "%q is a link to nothing", "repair or remove it", path)
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return f.dotGitFolder(d, path, common, link)
	case info.Mode().IsRegular():
		return f.throughFile(d, path, common)
	}
	return nil, fail(plumbing.ErrCorrupt, "%q is neither a folder nor a file", "remove it", path)
}

func (f *finder) dotGitFolder(d, path, common string, link bool) (*place, error) {
	dir := path
	if link {
		var err error
		if dir, err = resolve(path); err != nil {
			return nil, unreadable(path, err)
		}
	}
	p, err := f.gitDir(dir, common)
	if err != nil {
		return nil, err
	}
	if p == nil {
		if empty, err := isEmpty(dir); empty || err != nil {
			return nil, err
		}
		return nil, fail(plumbing.ErrCorrupt, "%q is not a git dir that Git can use",
			"repair it (git says what is wrong), or move it away", path)
	}
	p.holder, p.link = d, link
	return p, nil
}

func isEmpty(dir string) (bool, error) {
	d, err := os.Open(dir)
	if err != nil {
		return false, unreadable(dir, err)
	}
	defer d.Close()
	names, _ := d.Readdirnames(1)
	return len(names) == 0, nil
}

// resolve resolves the links of a path that exists.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		// A loop of links fails without saying so in a way that can be told apart.
		if _, e := os.Stat(path); e != nil {
			err = e
		}
	}
	return real, err
}

// absent reports that there is nothing at a path: it is missing, or goes
// through a file or round a loop of links, or is too long to be one.
func absent(err error) bool {
	for _, kind := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
