// Package slug says which project a directory belongs to (design section 3):
// the main Git checkout's root, shared by nested directories and linked
// worktrees, and the slug under which the project's memory is kept.
//
// It knows the layout of Git's directories and reads Git's configuration with
// go-git; it runs nothing of the repository, and Git itself only to read a
// configuration file that go-git's decoder cannot read. It must not know
// lecode's own files. It does not check who owns a repository, and it does
// not stop at the border of a file system.
//
// Start with Find.
package slug

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// The kinds of project.
const (
	KindCheckout  = "checkout"  // a Git repository with a main checkout, or a separate git dir
	KindSubmodule = "submodule" // a Git submodule
	KindBare      = "bare"      // a bare Git repository
	KindDirectory = "directory" // outside Git
)

// How the repository was found.
const (
	ViaWalk   = "walk"    // by walking up from the directory
	ViaGitDir = "GIT_DIR" // named by the environment
)

// Project is a project's identity. Memory goes by Root, and by Slug, which is
// made from Root alone; instructions and the paths of facts go by Checkout.
type Project struct {
	// Checkout is the root of the checkout that the directory lies in, nil
	// in a bare repository and in a separate git dir, which know of none.
	// Outside Git it is the directory.
	Checkout *string `json:"checkout"`
	// Kind is one of the Kind constants. It belongs to the project: a
	// worktree of a bare repository is of kind bare.
	Kind string `json:"kind"`
	// Root is the main checkout's root, the bare repository's or the
	// separate git dir's folder, or outside Git the directory: absolute,
	// links resolved. Of a submodule inside a linked worktree it is the
	// same path in the main checkout, whether that exists or not.
	Root string `json:"root"`
	// Slug is Of(Root).
	Slug string `json:"slug"`
	// Via is ViaWalk or ViaGitDir.
	Via string `json:"via"`
}

// Options is what Find looks at.
type Options struct {
	// Dir is the directory to ask from; a relative or empty one counts from
	// the process's working directory.
	Dir string
	// Getenv gives GIT_DIR, GIT_WORK_TREE, GIT_COMMON_DIR and
	// GIT_CEILING_DIRECTORIES, which count as Git has it, and PATH, where
	// git is looked for. An empty value counts as unset. May be nil.
	Getenv func(string) string
}

// Find returns the project that a directory belongs to. Its errors wrap
// plumbing.ErrNotFound where the directory or GIT_DIR is not there,
// ErrInvalid where the directory is none or its path is not UTF-8, ErrCorrupt
// where a .git is there but cannot be used, and ErrRefused where permission
// is missing or a .git leads to a git dir that does not point back: then the
// memory of another project would be taken.
func Find(ctx context.Context, opts Options) (Project, error) {
	dir, err := startDir(opts.Dir)
	if err != nil {
		return Project{}, err
	}
	getenv := opts.Getenv
	if getenv == nil {
		getenv = func(string) string { return "" }
	}
	f := &finder{ctx: ctx, getenv: getenv, dir: dir, configs: map[string]settings{}}
	p, via, err := f.place()
	if err != nil {
		return Project{}, err
	}
	if p == nil {
		return project(identity{root: dir, kind: KindDirectory}, dir, ViaWalk)
	}
	id, err := f.identify(p.common)
	if err != nil {
		return Project{}, err
	}
	checkout, err := f.checkout(p, id, via)
	if err != nil {
		return Project{}, err
	}
	return project(id, checkout, via)
}

// project puts the answer together; an empty checkout is none.
func project(id identity, checkout, via string) (Project, error) {
	for _, path := range []string{id.root, checkout} {
		if !utf8.ValidString(path) {
			return Project{}, fail(plumbing.ErrInvalid, "the path %q is not UTF-8", "rename the directory", path)
		}
	}
	p := Project{Kind: id.kind, Root: id.root, Slug: Of(id.root), Via: via}
	if checkout != "" {
		p.Checkout = &checkout
	}
	return p, nil
}

// maxName is how many bytes of the root's name a slug keeps.
const maxName = 40

// Of returns the slug of a root: the root's name in [A-Za-z0-9._-], at most 40
// bytes and never begun by "-" or ".", then "-" and the first 12 hex digits of
// the SHA-256 of the root's bytes.
func Of(root string) string {
	name := filepath.Base(root)
	var b strings.Builder
	for _, r := range name { // a byte that is no UTF-8 counts as one character
		if !plain(r) {
			r = '-'
		}
		if b.Len() == 0 && (r == '-' || r == '.') {
			continue
		}
		if b.WriteRune(r); b.Len() == maxName {
			break
		}
	}
	if b.Len() == 0 {
		b.WriteString("project")
	}
	sum := sha256.Sum256([]byte(root))
	return b.String() + "-" + hex.EncodeToString(sum[:6])
}

func plain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
		r == '.' || r == '_' || r == '-'
}
