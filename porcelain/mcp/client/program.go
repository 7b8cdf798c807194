package client

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
)

const (
	exitWait = 500 * time.Millisecond // for a program whose pipes are closed to end by itself
	maxTail  = 4 << 10                // bytes of stderr that are kept
)

// program is a server's process, with its process group.
type program struct {
	cmd    *exec.Cmd
	tree   tree
	in     *os.File // its stdin
	out    *os.File // its stdout
	exited chan struct{}
	once   sync.Once
}

// startProgram starts a server without a shell, in a process group of its own.
func startProgram(set config.Server, o Options, stderr *tail) (*program, error) {
	env := environment(set, o)
	path, err := find(set.Command[0], o.Dir, env)
	if err != nil {
		return nil, plumbing.Fail(plumbing.ErrNotFound, "its command is not on the PATH", "name it with its folder in config.toml")
	}
	cmd := exec.Command(path, set.Command[1:]...)
	cmd.Args[0], cmd.Dir, cmd.Env = set.Command[0], o.Dir, env
	var ends []*os.File
	closeAll := func(files []*os.File) {
		for _, f := range files {
			f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ends)
			return nil, err
		}
		ends = append(ends, r, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[3], ends[5]
	apart(cmd)
	err = cmd.Start()
	closeAll([]*os.File{ends[0], ends[3], ends[5]})
	if err != nil {
		closeAll([]*os.File{ends[1], ends[2], ends[4]})
		return nil, fmt.Errorf("its command cannot be started: %w", bare(err))
	}
	p := &program{cmd: cmd, tree: treeOf(cmd), in: ends[1], out: ends[2], exited: make(chan struct{})}
	go func() {
		defer ends[4].Close()
		_, _ = io.Copy(stderr, ends[4])
	}()
	go func() {
		_ = cmd.Wait() // how it ended stands in cmd.ProcessState
		p.tree.kill()  // what it left behind
		ends[4].Close()
		close(p.exited)
	}()
	return p, nil
}

// kill ends the program and its process group, and waits for that: its stdin is
// closed first, which tells a server to end.
func (p *program) kill() {
	p.once.Do(func() {
		p.in.Close()
		p.exits()
		p.tree.kill()
		p.out.Close()
	})
	<-p.exited
}

// exits waits a little for the program to end.
func (p *program) exits() bool {
	late := time.NewTimer(exitWait)
	defer late.Stop()
	select {
	case <-p.exited:
		return true
	case <-late.C:
		return false
	}
}

// how says how it ended, when its output has.
func (p *program) how() string {
	if !p.exits() {
		return "it has closed its output"
	}
	return "it has ended (" + p.cmd.ProcessState.String() + ")"
}

// environment is that of a program; the guard of design section 7 is last and so stands.
func environment(set config.Server, o Options) []string {
	env := slices.Clone(o.Env)
	for _, name := range slices.Sorted(maps.Keys(set.Env)) {
		env = append(env, name+"="+set.Env[name])
	}
	return append(env, "LECODE_READONLY=1")
}

// find is the program of a command, as it is for hooks: a name without a folder
// is looked for in the PATH of its environment, absolute folders only; a relative
// path counts from dir.
func find(name, dir string, env []string) (string, error) {
	switch {
	case filepath.IsAbs(name):
		return name, nil
	case filepath.Base(name) != name:
		return filepath.Join(dir, name), nil
	}
	path := ""
	for _, variable := range env {
		key, value, _ := strings.Cut(variable, "=")
		if key == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(key, "PATH") {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

// bare is an error of the system without the paths.
func bare(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-maxTail):]...)
	if over := len(t.b) - maxTail; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.b), "�")
}
