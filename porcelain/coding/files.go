package coding

import (
	"slices"
	"sync"
	"time"

	"github.com/lecode/lecode/porcelain/permission"
)

// Options says where the tools work. No field is read from the environment.
type Options struct {
	// Workspace is where the agent may work without being asked about the place;
	// its Home is what a leading ~ of a path stands for.
	Workspace permission.Workspace
	// Dir is the working directory that the agent starts in, absolute.
	Dir string
	// Env is the environment of what the shell starts, Shell its program, and
	// TempDir where output that is too long is kept.
	Env     []string
	Shell   string
	TempDir string
	Now     func() time.Time
}

// Toolbox is the tools of one agent and what they know of each other. Its
// methods, and the tools, may be used from several goroutines.
type Toolbox struct {
	o     Options
	shell shellState // bash.go and background.go

	mu    sync.Mutex
	dir   string           // the working directory, links resolved
	seen  map[string]sight // files as the model last saw them, by their resolved path
	todos []Todo
	names []digest // paths outside the workspace that Needs has named, by call

	// changing is held while a file is checked and replaced: of two calls at
	// once the second one checks what the first one wrote.
	changing sync.Mutex
}

// New makes the tools. Nothing is opened or started before a tool is called.
func New(o Options) *Toolbox {
	return &Toolbox{o: o, dir: o.Workspace.Abs(o.Workspace.Root, o.Dir), seen: map[string]sight{}}
}

// Close ends what still runs and removes what was kept for it.
func (t *Toolbox) Close() error { return t.closeShell() }

// Dir is the working directory, which relative paths are taken from; the shell may move it.
func (t *Toolbox) Dir() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dir
}

// moveTo changes the working directory: what the shell ended in.
func (t *Toolbox) moveTo(dir string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dir = dir
}

// Todos is the list as the model last wrote it, for whoever shows it.
func (t *Toolbox) Todos() []Todo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.todos)
}
