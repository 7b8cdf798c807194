package slug

import (
	"os"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
)

// identity is what all checkouts of a repository share.
type identity struct {
	root, kind string
	// tree is where the main checkout really lies; empty where there is
	// none, or the git dir does not know it. It differs from root only for
	// a submodule inside a linked worktree.
	tree string
}

// maxDepth bounds submodules inside submodules; a loop of planted files ends here.
const maxDepth = 64

// identify finds a repository's root from its common dir.
func (f *finder) identify(common string) (identity, error) {
	if f.depth++; f.depth > maxDepth {
		return identity{}, fail(plumbing.ErrCorrupt, "the submodules around %q do not end", "", common)
	}
	defer func() { f.depth-- }()
	s, err := f.settings(common, common)
	if err != nil {
		return identity{}, err
	}
	named := filepath.Base(common) == ".git"
	if s.bare == yes || s.bare == unset && !named && s.workTree == nil {
		return identity{root: common, kind: KindBare}, nil
	}
	id := identity{root: common, kind: KindCheckout}
	switch {
	case s.workTree != nil:
		if id.tree, err = f.workTree(common, common, *s.workTree); err != nil {
			return identity{}, err
		}
		id.root = id.tree
	case named:
		id.tree = filepath.Dir(common)
		id.root = id.tree
	}
	return f.submodule(common, id)
}

// workTree resolves the core.worktree of git dir dir. A folder that is the
// checkout of another repository is refused: one root for two repositories
// would be one memory.
func (f *finder) workTree(common, dir, value string) (string, error) {
	config := filepath.Join(common, "config")
	tree, err := resolve(under(dir, value))
	switch {
	case absent(err) || value == "":
		return "", fail(plumbing.ErrCorrupt, "core.worktree in %q names %q, which does not exist",
			"make that folder, or set core.worktree right", config, value)
	case err != nil:
		return "", unreadable(value, err)
	}
	if info, err := os.Stat(tree); err == nil && !info.IsDir() {
		return "", fail(plumbing.ErrCorrupt, "core.worktree in %q names %q, which is not a folder",
			"set core.worktree right", config, value)
	}
	path := filepath.Join(tree, ".git")
	if !f.leadsTo(tree, path, common) {
		return "", fail(plumbing.ErrRefused, "core.worktree in %q names %q, which is the checkout of another repository",
			"set core.worktree right, or move that folder's .git away", config, tree)
	}
	return tree, nil
}

// leadsTo reports that the .git of a folder, if it has a usable one, leads to common.
func (f *finder) leadsTo(tree, path, common string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return true
	}
	var p *place
	if info.IsDir() {
		if dir, e := resolve(path); e == nil {
			p, err = f.gitDir(dir, "")
		}
	} else {
		p, err = f.throughFile(tree, path, "")
	}
	return err != nil || p == nil || p.common == common
}

// checkout returns the root of the checkout that the directory lies in; empty is none.
func (f *finder) checkout(p *place, id identity, via string) (string, error) {
	if tree := f.getenv("GIT_WORK_TREE"); tree != "" {
		return resolvePart(under(f.dir, tree)), nil
	}
	s, err := f.settings(p.common, p.dir)
	if err != nil {
		return "", err
	}
	shared := p.linked || p.given
	switch {
	case !shared && s.bare == yes:
		return "", nil
	case !shared && s.workTree != nil:
		return id.tree, nil
	case shared && s.perWorktree && s.workTree != nil && s.bare != yes:
		return f.workTree(p.common, p.dir, *s.workTree)
	case via == ViaGitDir:
		return f.dir, nil
	case p.holder != "":
		return p.holder, nil
	case p.linked:
		return backTree(p.dir)
	}
	return id.tree, nil // the directory lies inside the git dir
}

// resolvePart resolves the links of a path as far as it exists.
func resolvePart(path string) string {
	if real, err := resolve(path); err == nil {
		return real
	}
	path = filepath.Clean(path)
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolvePart(parent), filepath.Base(path))
}
