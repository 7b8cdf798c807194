package slug

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
)

// believe refuses a git dir that something planted could have named: one that
// says it belongs to a repository which does not hold it, and one that a .git
// file or link leads to but which does not point back (design section 3).
func (f *finder) believe(p *place) error {
	if p.linked && !p.given && !sameDir(filepath.Dir(p.dir), filepath.Join(p.common, "worktrees")) {
		return fail(plumbing.ErrRefused, "%q says that it belongs to %q, which does not hold it",
			"remove its commondir file, or run `git worktree repair` in the main checkout", p.dir, p.common)
	}
	if p.holder == "" || !p.link {
		return nil
	}
	ok, err := f.pointsBack(p)
	if err == nil && !ok {
		err = fail(plumbing.ErrRefused, "%q leads to %q, which does not point back to it", repairHint(p),
			filepath.Join(p.holder, ".git"), p.dir)
	}
	return err
}

func repairHint(p *place) string {
	if p.linked {
		return fmt.Sprintf("if it is a worktree that was moved, run `git worktree repair %s` in the main checkout", quote(p.holder))
	}
	return fmt.Sprintf("if it belongs there, run `git --git-dir=%s config core.worktree %s` "+
		"(`git worktree repair` is for linked worktrees)", quote(p.dir), quote(p.holder))
}

// pointsBack reports whether a git dir names the .git that led to it. One that
// cannot name any, as --separate-git-dir makes it, is believed.
func (f *finder) pointsBack(p *place) (bool, error) {
	if p.linked {
		back, err := backPointer(p.dir)
		return filepath.Base(back) == ".git" && sameDir(filepath.Dir(back), p.holder), err
	}
	s, err := f.settings(p.dir, p.dir)
	if err != nil {
		return false, err
	}
	if s.workTree != nil {
		return sameDir(under(p.dir, *s.workTree), p.holder), nil
	}
	return s.bare != yes && filepath.Base(p.dir) != ".git", nil
}

// backPointer is the .git that a linked worktree's git dir belongs to, as its
// gitdir file has it; empty where there is none.
func backPointer(dir string) (string, error) {
	path := filepath.Join(dir, "gitdir")
	back, err := readPath(path)
	if absent(err) {
		return "", nil
	}
	if err != nil {
		return "", unreadable(path, err)
	}
	return under(dir, back), nil
}

// backTree is the checkout that a linked worktree's git dir belongs to; empty where it is not known.
func backTree(dir string) (string, error) {
	back, err := backPointer(dir)
	if back == "" || err != nil {
		return "", err
	}
	return resolvePart(filepath.Dir(back)), nil
}

// sameDir reports whether two paths are one existing folder.
func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && x.IsDir() && os.SameFile(x, y)
}
