package coding

import (
	"context"
	"io/fs"
	"strings"
)

// Files names the files below the folder that the tools started in, by path
// from there, at most so many: what a person may mean by a name. What .gitignore
// leaves out, what installers fill, hidden folders other than .github, what lies
// behind a link and what may not be read are left out, as grep does it but for
// the hidden. It is not an error that some folder cannot be listed.
func (t *Toolbox) Files(ctx context.Context, most int) ([]string, error) {
	p, err := t.place(t.o.Workspace.Abs(t.o.Workspace.Root, t.o.Dir))
	if err != nil {
		return nil, err
	}
	w, err := p.walk()
	if err != nil {
		return nil, err
	}
	defer w.r.Close()
	var list []string
	err = w.run(ctx, func(name string, e fs.DirEntry) error {
		switch {
		case len(list) == most:
			return fs.SkipAll
		case e.IsDir() && strings.HasPrefix(e.Name(), ".") && e.Name() != ".github":
			return fs.SkipDir
		case e.Type().IsRegular():
			list = append(list, name)
		}
		return nil
	})
	return list, err
}
