package coding

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// How far is looked for a file that may have been meant, and how many are named.
const (
	maxLooked  = 20_000 // names
	maxOffered = 3
)

// alike adds to a file's not being there which ones are: of a name like it in
// its folder, else of the same name elsewhere in the workspace.
func (t *Toolbox) alike(ctx context.Context, p place, err error) error {
	if !errors.Is(err, plumbing.ErrNotFound) || p.outside || p.root == "" {
		return err
	}
	offered := p.siblings()
	if len(offered) == 0 {
		p.bars = t.o.Workspace.Barring(p.root)
		offered = p.namesakes(ctx)
	}
	if len(offered) == 0 {
		return err
	}
	for i, name := range offered {
		offered[i] = shown(t.spelled(name))
	}
	return &plumbing.Error{Kind: plumbing.ErrNotFound, Message: err.Error(), Hint: "there is " + strings.Join(offered, ", "), Cause: err}
}

// spelled is an absolute path from the working directory, where it is below that.
func (t *Toolbox) spelled(path string) string {
	rel, err := filepath.Rel(t.Dir(), path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}

// siblings are the names in the folder that are like the one that is not there.
func (p place) siblings() []string {
	r, name, err := p.in()
	if err != nil {
		return nil
	}
	defer r.Close()
	f, err := r.Open(filepath.Dir(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxLooked)
	var like []string
	for _, e := range entries {
		if len(like) < maxOffered && near(e.Name(), filepath.Base(p.real)) {
			like = append(like, filepath.Join(filepath.Dir(p.real), e.Name()))
		}
	}
	return like
}

// namesakes are the files of that name elsewhere.
func (p place) namesakes(ctx context.Context) []string {
	top := place{given: ".", real: p.root, root: p.root, bars: p.bars}
	w, err := top.walk()
	if err != nil {
		return nil
	}
	defer w.r.Close()
	var same []string
	looked := 0
	_ = w.run(ctx, func(name string, _ fs.DirEntry) error {
		if path.Base(name) == filepath.Base(p.real) {
			same = append(same, filepath.Join(p.root, filepath.FromSlash(name)))
		}
		if looked++; looked > maxLooked || len(same) == maxOffered {
			return fs.SkipAll
		}
		return nil
	})
	return same
}

// near reports whether one name may have been meant by the other: but for case,
// for the ending, or for two letters.
func near(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b || stem(a) == stem(b) {
		return true
	}
	most := 2
	if len(b) < 5 {
		most = 1
	}
	return distance(a, b, most) <= most
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// distance counts the letters to put in, take out or change; above most it may say most+1.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most || len(a) > 255 {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
