package slug

import (
	"path/filepath"
	"strings"
)

// super is the repository that a submodule belongs to.
type super struct {
	identity
	linked bool   // the submodule lies in a linked worktree of it
	tree   string // the checkout of it that the submodule lies in; empty where it is not known
}

// submodule makes the identity of a repository that of a submodule if it is
// one. Inside a linked worktree its root is the same path in the main
// checkout, or under the root that stands for it.
func (f *finder) submodule(common string, id identity) (identity, error) {
	s, err := f.absorbed(common)
	if s == nil && err == nil && id.tree != "" && id.tree == filepath.Dir(common) {
		s = f.inPlace(id.tree)
	}
	if s == nil || err != nil {
		return id, err
	}
	id.kind = KindSubmodule
	moved := s.linked || s.identity.tree != "" && s.identity.tree != s.root
	if !moved || id.tree == "" || s.tree == "" || !above(s.tree, id.tree) {
		return id, nil
	}
	id.root = filepath.Join(s.root, strings.TrimPrefix(id.tree, s.tree))
	return id, nil
}

// absorbed finds the git dir under whose modules folder common lies, as Git
// keeps submodules; nil where there is none. The text of the path proves
// nothing: only a folder that is a git dir counts.
func (f *finder) absorbed(common string) (*super, error) {
	for d := filepath.Dir(common); d != filepath.Dir(d); d = filepath.Dir(d) {
		if filepath.Base(d) != "modules" {
			continue
		}
		p, err := f.gitDir(filepath.Dir(d), "")
		if err != nil {
			return nil, err
		}
		if p != nil && f.believe(p) == nil {
			return f.super(p)
		}
	}
	return nil, nil
}

// inPlace finds the repository whose .gitmodules names the checkout at tree,
// a submodule with its git dir inside it; nil where there is none. What is
// wrong with a repository further up is not this one's concern.
func (f *finder) inPlace(tree string) *super {
	parent := filepath.Dir(tree)
	if parent == tree || parent == f.ceiling(tree) {
		return nil
	}
	p, err := f.walk(parent, "")
	if err != nil || p == nil || p.holder == "" {
		return nil
	}
	s, err := f.super(p)
	if err != nil || !above(s.tree, tree) {
		return nil
	}
	rel := filepath.ToSlash(strings.TrimPrefix(tree, s.tree))
	if !f.names(filepath.Join(s.tree, ".gitmodules"), strings.TrimPrefix(rel, "/")) {
		return nil
	}
	return s
}

func (f *finder) super(p *place) (*super, error) {
	id, err := f.identify(p.common)
	if err != nil {
		return nil, err
	}
	s := &super{identity: id, linked: p.linked, tree: id.tree}
	switch {
	case p.linked:
		s.tree, err = backTree(p.dir)
	case s.tree == "":
		s.tree = p.holder
	}
	return s, err
}
