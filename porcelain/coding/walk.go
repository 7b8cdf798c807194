package coding

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// walk goes through the files of a folder by name, without following a link and
// without what .gitignore leaves out; the folder that it starts in is gone
// through whatever is said of it. visit gets each folder's entries one by one,
// with their path from there, before what is in them; fs.SkipDir keeps it out of
// a folder, fs.SkipAll ends it.
type walk struct {
	r       *os.Root // what the walk is rooted in
	start   string   // the folder that it starts in, from there
	visit   func(name string, e fs.DirEntry) error
	left    int64 // entries that were left out because .gitignore, or their name, says so
	blocked int64 // folders that could not be listed, or must not
	bars    func(path string) bool
}

// skipped are folders that are never looked into unless they are named: what
// version control keeps, and what installers fill.
func skipped(name string) bool {
	return slices.Contains([]string{".git", ".hg", ".jj", ".svn", "node_modules", "__pycache__", ".venv"}, name)
}

// walk opens a folder for a walk; whoever gets it closes r.
func (p place) walk() (*walk, error) {
	r, name, err := p.in()
	if err != nil {
		return nil, err
	}
	return &walk{r: r, start: filepath.ToSlash(name), bars: p.bars}, nil
}

func (w *walk) run(ctx context.Context, visit func(string, fs.DirEntry) error) error {
	w.visit = visit
	err := w.folder(ctx, w.start, w.above())
	if errors.Is(err, fs.SkipAll) {
		return nil
	}
	return err
}

// above reads what is ignored by the folders above the start, from the top of the repository down.
func (w *walk) above() []ignores {
	var up []string
	for dir := w.start; dir != "."; {
		if _, err := w.r.Lstat(filepath.FromSlash(path.Join(dir, ".git"))); err == nil {
			break
		}
		dir = path.Dir(dir)
		up = append(up, dir)
	}
	slices.Reverse(up)
	var sets []ignores
	for i, dir := range up {
		if i == 0 {
			sets = w.with(sets, dir, path.Join(dir, ".git/info/exclude"))
		}
		sets = w.with(sets, dir, path.Join(dir, ".gitignore"))
	}
	return sets
}

// with adds what a file says is ignored, where there is one.
func (w *walk) with(sets []ignores, dir, name string) []ignores {
	const most = 1 << 20
	local := filepath.FromSlash(name)
	info, err := w.r.Lstat(local)
	if err != nil || !info.Mode().IsRegular() {
		return sets
	}
	f, err := w.r.OpenFile(local, os.O_RDONLY|noWait, 0)
	if err != nil {
		return sets
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return sets
	}
	b, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return sets
	}
	return append(slices.Clip(sets), readIgnores(dir, string(b)))
}

// folder visits what is in a folder.
func (w *walk) folder(ctx context.Context, dir string, sets []ignores) error {
	entries, err := w.list(ctx, dir)
	if err != nil {
		return err
	}
	sets = w.ignores(sets, dir, entries)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if e.IsDir() && skipped(e.Name()) || ignored(sets, name, e.IsDir()) {
			w.left++
			continue
		}
		err := w.visit(w.from(name), e)
		if err == nil && e.IsDir() {
			err = w.folder(ctx, name, sets)
		}
		if err != nil && !errors.Is(err, fs.SkipDir) {
			return err
		}
	}
	return nil
}

// ignores adds what the folder itself says is ignored in it.
func (w *walk) ignores(sets []ignores, dir string, entries []fs.DirEntry) []ignores {
	for _, e := range entries {
		switch {
		case e.Name() == ".git" && e.IsDir() && dir == w.start:
			sets = w.with(sets, dir, path.Join(dir, ".git/info/exclude"))
		case e.Name() == ".gitignore":
			sets = w.with(sets, dir, path.Join(dir, ".gitignore"))
		}
	}
	return sets
}

// list reads a folder, by name. One that may not be listed, or has gone, counts as blocked.
func (w *walk) list(ctx context.Context, dir string) ([]fs.DirEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.bars != nil && w.bars(filepath.Join(w.r.Name(), filepath.FromSlash(dir))) {
		w.blocked++
		return nil, nil
	}
	f, err := w.r.OpenFile(filepath.FromSlash(dir), os.O_RDONLY|noWait, 0)
	if err != nil {
		w.blocked++
		return nil, nil
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	if err != nil {
		w.blocked++
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// from is a path from the start.
func (w *walk) from(name string) string {
	if w.start == "." {
		return name
	}
	return strings.TrimPrefix(name, w.start+"/")
}

// open opens a regular file that was visited; neither file nor error where it is none, or has gone.
func (w *walk) open(name string) (*os.File, fs.FileInfo) {
	f, err := w.r.OpenFile(filepath.Join(filepath.FromSlash(w.start), filepath.FromSlash(name)), os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, nil
	}
	return f, info
}
