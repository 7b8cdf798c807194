package coding

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/agent"
)

// judged is where a call would run, as Needs has said: paths in its line are
// judged from there, so that it runs there though another call has moved since.
type judged struct {
	call digest
	dir  string
}

func (t *Toolbox) judge(c agent.Call, dir string) {
	s := &t.shell
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.judged) == maxNamed {
		s.judged = slices.Delete(s.judged, 0, 1)
	}
	s.judged = append(s.judged, judged{signature(c, ""), dir})
}

// judgedDir is where a call runs: where Needs has judged it, or else where the toolbox is.
func (t *Toolbox) judgedDir(c agent.Call) (string, error) {
	s, call := &t.shell, signature(c, "")
	s.mu.Lock()
	i := len(s.judged) - 1
	for i >= 0 && s.judged[i].call != call {
		i--
	}
	if i < 0 {
		s.mu.Unlock()
		return t.here()
	}
	dir := s.judged[i].dir
	s.judged = slices.Delete(s.judged, i, i+1)
	s.mu.Unlock()
	return dir, t.checkDir(dir)
}

// here is the working directory. Where it is gone, it is set back, and the
// error says so: whoever called must judge the command anew.
func (t *Toolbox) here() (string, error) {
	dir := t.Dir()
	return dir, t.checkDir(dir)
}

func (t *Toolbox) checkDir(dir string) error {
	if t.isDir(dir) {
		return nil
	}
	root := t.o.Workspace.Abs(t.o.Workspace.Root, t.o.Workspace.Root)
	if dir == root || !t.isDir(root) {
		return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("the workspace %q is gone", root), "tell the user")
	}
	t.moveTo(root)
	return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("the working directory %q is gone, and is %q again", dir, root), "make the call again, with paths from there")
}

// isDir reports whether dir, whose links were resolved once, is still that folder.
func (t *Toolbox) isDir(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && t.o.Workspace.Abs(dir, dir) == dir
}

// saved is the file in which a shell says where it ended. It stays open, so that
// whatever is put in its place is not read.
type saved struct {
	*os.File
	path string
}

// unsaid is what the file holds until then.
const unsaid = "?"

func (t *Toolbox) newSaved() (saved, error) {
	f, err := t.newFile("dir-")
	if err != nil {
		return saved{}, err
	}
	if _, err := f.WriteString(unsaid); err != nil {
		f.Close()
		return saved{}, fmt.Errorf("write a temporary file: %w", err)
	}
	return saved{f, filepath.ToSlash(f.Name())}, nil
}

// read is what the shell has said; unsaid where it has not, or cannot be read.
func (s saved) read() string {
	b := make([]byte, maxPath+2)
	n, err := s.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return unsaid
	}
	return string(b[:n])
}

func (s saved) remove() {
	s.Close()
	os.Remove(s.Name())
}

// follow moves the toolbox to where a command ended, and says what came of it; ""
// where nothing changes. Children start where the agent is, each time: the agent
// would else find itself elsewhere when they are done.
func (t *Toolbox) follow(c agent.Call, from, said string) string {
	to := strings.TrimSuffix(strings.TrimSuffix(said, "\n"), "\r")
	if said == unsaid || to != "" && !filepath.IsAbs(to) {
		return ""
	}
	real := t.o.Workspace.Abs(from, to)
	info, err := os.Stat(real)
	back := "; the working directory is " + shown(from) + " as before]"
	switch {
	case to == "" || errors.Is(err, fs.ErrNotExist):
		return "[the folder that it ended in is gone" + back
	case real == from:
		return ""
	case err != nil || !info.IsDir():
		return "[it ended in " + shown(real) + ", which cannot be used" + back
	case !t.o.Workspace.Inside(real):
		return "[it ended in " + shown(real) + ", outside the workspace" + back
	case c.Child:
		return "[it ended in " + shown(real) + ", which is not kept for a child" + back
	}
	t.moveTo(real)
	return "[the working directory is now " + shown(real) + "]"
}
