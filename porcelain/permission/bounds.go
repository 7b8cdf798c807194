package permission

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// bounds is a workspace with its folders resolved, once for many paths.
type bounds struct {
	roots []string
	never []barred
}

// barred is a folder that is never inside.
type barred struct {
	paths []string    // as it is spelled, and where its links lead
	info  fs.FileInfo // nil: it does not exist yet
}

func (w Workspace) bounds() bounds {
	var b bounds
	for _, root := range append([]string{w.Root}, w.More...) {
		if real, ok := resolve(root); ok {
			b.roots = append(b.roots, real)
		}
	}
	for _, path := range w.Never {
		real, ok := resolve(path)
		if !ok {
			continue
		}
		n := barred{paths: []string{real}}
		if clean := filepath.Clean(path); clean != real {
			n.paths = append(n.paths, clean)
		}
		n.info, _ = os.Stat(real)
		b.never = append(b.never, n)
	}
	return b
}

// holds is Workspace.Inside.
func (b bounds) holds(path string) bool {
	real, ok := resolve(path)
	return ok && slices.ContainsFunc(b.roots, func(root string) bool { return within(root, real) }) && !b.bars(real)
}

// bars: a path without links is one of the folders of Never or in one.
func (b bounds) bars(real string) bool {
	return slices.ContainsFunc(b.never, func(n barred) bool {
		return withinFold(n.paths[0], real) || n.info != nil && isOrAbove(n.info, real)
	})
}

// below lists the folders of Never that are in the folder path, or are it: what
// changes that folder as a whole changes them.
func (b bounds) below(path string) []string {
	real, ok := resolve(path)
	if !ok || len(b.never) == 0 {
		return nil
	}
	info, err := os.Stat(real)
	var list []string
	for _, n := range b.never {
		if slices.ContainsFunc(n.paths, func(p string) bool { return withinFold(real, p) || err == nil && isOrAbove(info, p) }) {
			list = append(list, n.paths[0])
		}
	}
	return list
}

// withinFold takes upper and lower case for the same: where the file system does
// not, that is a question too many.
func withinFold(root, path string) bool {
	return within(strings.ToLower(root), strings.ToLower(path))
}

// isOrAbove: the folder is path or one above it, by whatever name it is reached.
func isOrAbove(folder fs.FileInfo, path string) bool {
	for {
		if info, err := os.Stat(path); err == nil && os.SameFile(folder, info) {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}
