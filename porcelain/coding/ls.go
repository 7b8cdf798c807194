package coding

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
)

// What ls prints at most.
const (
	maxEntries = 1000
	maxDepth   = 10
)

// lsJob is ls: {depth?,path?}.
type lsJob struct {
	path  string
	depth int64
}

func takeLs(a tool.Arguments) job {
	j := lsJob{depth: 1}
	takeFrom(a, "depth", &j.depth, 1)
	j.path = textOr(a, "path", ".")
	return j
}

func (j lsJob) where() (string, bool) { return j.path, true }

func (j lsJob) need(_ context.Context, t *Toolbox, p place) (string, string, error) {
	return "ls " + p.named(t), "", nil
}

func (j lsJob) run(ctx context.Context, t *Toolbox, p place) (agent.Result, error) {
	w, err := t.folder(ctx, p)
	if err != nil {
		return agent.Result{}, err
	}
	defer w.r.Close()
	l := listing{w: w, depth: int(min(j.depth, maxDepth))}
	if err := l.folder(ctx, w.start, w.above(), 1); err != nil {
		return agent.Result{}, p.explain(err)
	}
	if l.entries == 0 && w.blocked == 0 {
		l.b.WriteString("[the folder is empty]\n")
	}
	if l.more > 0 {
		fmt.Fprintf(&l.b, "[%s more; list a folder of it alone]\n", counted(l.more, "name"))
	}
	return agent.Result{Text: l.b.String() + w.remarks(false)}, nil
}

// listing is a folder as it is printed. All that a folder holds is named; what a
// walk leaves out is not looked into.
type listing struct {
	w       *walk
	b       strings.Builder
	depth   int
	entries int
	more    int
}

func (l *listing) folder(ctx context.Context, dir string, sets []ignores, level int) error {
	entries, err := l.w.list(ctx, dir)
	if err != nil {
		return err
	}
	sets = l.w.ignores(sets, dir, entries)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if l.entries == maxEntries || l.b.Len() > maxGrep {
			l.more++
			continue
		}
		l.entries++
		closed := e.IsDir() && level < l.depth && (skipped(e.Name()) || ignored(sets, name, true))
		l.print(name, e, level, closed)
		if e.IsDir() && level < l.depth && !closed {
			if err := l.folder(ctx, name, sets, level+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *listing) print(name string, e fs.DirEntry, level int, closed bool) {
	l.b.WriteString(strings.Repeat("  ", level-1) + shown(e.Name()))
	switch info, err := e.Info(); {
	case e.IsDir():
		l.b.WriteString("/")
		if closed {
			l.b.WriteString(" (not listed)")
		}
	case e.Type()&fs.ModeSymlink != 0:
		target, _ := l.w.r.Readlink(filepath.FromSlash(name))
		l.b.WriteString(" -> " + shown(target))
	case !e.Type().IsRegular():
		l.b.WriteString(" (" + kindOf(e.Type()) + ")")
	case err == nil:
		fmt.Fprintf(&l.b, " %d", info.Size())
		if info.Mode()&0o111 != 0 && os.PathSeparator == '/' {
			l.b.WriteString("*")
		}
	}
	l.b.WriteString("\n")
}
