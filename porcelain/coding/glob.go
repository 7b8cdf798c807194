package coding

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// maxFiles is how many files glob names.
const maxFiles = 200

// globJob is glob: {path?,pattern}.
type globJob struct{ path, pattern string }

func takeGlob(a tool.Arguments) job {
	return globJob{path: textOr(a, "path", "."), pattern: a.Text("pattern")}
}

// textOr takes a string that may be left out.
func textOr(a tool.Arguments, name, other string) string {
	if s := a.TextIf(name); s != nil {
		return *s
	}
	return other
}

func (j globJob) where() (string, bool) { return j.path, true }

func (j globJob) need(_ context.Context, t *Toolbox, p place) (string, string, error) {
	_, err := glob(j.pattern)
	return fmt.Sprintf("glob %s in %s", shown(j.pattern), p.named(t)), "", err
}

// glob is a pattern as a function of a path from the folder that is searched.
func glob(pattern string) (func(name string) bool, error) {
	const most, braces = 1000, 8 // alternatives multiply
	fail := func(what, hint string) (func(string) bool, error) {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the pattern %.80q %s", pattern, what), hint)
	}
	plain := strings.TrimPrefix(filepath.ToSlash(pattern), "./")
	switch {
	case plain == "" || len(plain) > most || strings.Count(plain, "{") > braces:
		return fail("is empty or too long", "give one such as **/*.go")
	case path.IsAbs(plain) || filepath.IsAbs(pattern) || slices.Contains(strings.Split(plain, "/"), ".."):
		return fail("leaves the folder that is searched", "give the folder as path")
	case !doublestar.ValidatePattern(plain):
		return fail("is not well formed", "* ? [a-z] {a,b} and ** are known; a backslash before one takes it as it is")
	}
	if !strings.Contains(plain, "/") {
		return func(name string) bool { return doublestar.MatchUnvalidated(plain, path.Base(name)) }, nil
	}
	return func(name string) bool { return doublestar.MatchUnvalidated(plain, name) }, nil
}

type found struct {
	name string
	at   time.Time
}

func (j globJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	match, err := glob(j.pattern)
	if err != nil {
		return agent.Result{}, err
	}
	w, err := t.folder(ctx, p)
	if err != nil {
		return agent.Result{}, err
	}
	defer w.r.Close()
	var all []found
	err = w.run(ctx, func(name string, e fs.DirEntry) error {
		if e.IsDir() || !match(name) {
			return nil
		}
		if info, err := e.Info(); err == nil {
			all = append(all, found{name, info.ModTime()})
		}
		return nil
	})
	if err != nil {
		return agent.Result{}, p.explain(err)
	}
	return agent.Result{Text: list(j.path, all) + w.remarks(len(all) == 0)}, nil
}

// list prints the newest first; of the same time by name.
func list(folder string, all []found) string {
	slices.SortFunc(all, func(a, b found) int {
		if n := b.at.Compare(a.at); n != 0 {
			return n
		}
		return strings.Compare(a.name, b.name)
	})
	var b strings.Builder
	for _, f := range all[:min(len(all), maxFiles)] {
		b.WriteString(shown(joined(folder, f.name)) + "\n")
	}
	if len(all) > maxFiles {
		fmt.Fprintf(&b, "[the newest %d of %d files; narrow the pattern for the others]\n", maxFiles, len(all))
	}
	if len(all) == 0 {
		b.WriteString("No files.\n")
	}
	return b.String()
}

// joined is a path from the folder that a call named, as another call can give it.
func joined(folder, name string) string {
	return path.Join(filepath.ToSlash(folder), name)
}

// folder begins a walk in a place that has to be a folder.
func (t *Toolbox) folder(ctx context.Context, p place) (*walk, error) {
	info, err := p.stat()
	if err != nil {
		return nil, t.alike(ctx, p, err)
	}
	if !info.IsDir() {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is %s, not a folder", p.given, kindOf(info.Mode())), "give the folder that it is in")
	}
	return p.walk()
}

// remarks says what a walk did not look at; what was ignored, only where nothing was found.
func (w *walk) remarks(nothing bool) string {
	s := ""
	if nothing && w.left > 0 {
		s += fmt.Sprintf("[%s of .gitignore and the like left out; name a folder as path to look there all the same]\n", counted(w.left, "name"))
	}
	if w.blocked > 0 {
		s += fmt.Sprintf("[%s could not be listed]\n", counted(w.blocked, "folder"))
	}
	return s
}
