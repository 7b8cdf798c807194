package coding

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// Limits of the time that a foreground command may take, in seconds.
const (
	defaultLimit = 120
	maxLimit     = 600
)

// maxDescription is the most bytes of a description that a person is shown.
const maxDescription = 200

// shellState is what the shell's tools know. Its zero value is ready.
type shellState struct {
	second time.Duration // what a second of a limit is; 0: a second. Tests shorten it.
	guard  guard         // ends the commands where this process cannot

	mu      sync.Mutex
	closed  bool
	base    context.Context // ends when the toolbox is closed
	end     context.CancelFunc
	running sync.WaitGroup // commands, foreground and background
	temp    string         // the private folder; "" until it is needed
	owner   *flock.Flock   // held while temp is in use
	spills  []string       // files with long output, oldest first
	judged  []judged       // where the commands that Needs has seen would run
	jobs    []*background  // by their number
	last    int            // the number of the newest
}

// shellTools lists the tools of the shell. Children get bash alone: what runs in
// the background is announced to a session, and they have none.
func (t *Toolbox) shellTools() []agent.Tool {
	return []agent.Tool{
		{Tool: told("bash"), Class: permission.Network, Child: true, Needs: t.needBash, Run: t.runBash},
		{Tool: told("background_read"), Class: permission.Read, Needs: t.needBackground, Run: t.readBackground},
		{Tool: told("background_stop"), Class: permission.Read, Needs: t.needBackground, Run: t.stopBackground},
		{Tool: told("background_list"), Class: permission.Read, Needs: needList, Run: t.listBackground},
	}
}

// bashCall is the arguments of bash.
type bashCall struct {
	line        string
	description string
	limit       int64 // seconds
	background  bool
}

func takeBash(c agent.Call) (bashCall, error) {
	a, err := tool.ReadArguments("bash", c.Arguments)
	if err != nil {
		return bashCall{}, err
	}
	b := bashCall{line: a.Text("command"), background: a.Yes("background"), limit: defaultLimit}
	if d := a.TextIf("description"); d != nil {
		b.description = *d
	}
	if n := a.NumberIf("timeout_seconds"); n != nil {
		b.limit = *n
		if *n < 1 || *n > maxLimit {
			a.Fault("timeout_seconds", fmt.Sprintf("is not from 1 to %d", maxLimit))
		} else if b.background {
			a.Fault("timeout_seconds", "does not go with background, which has no time limit")
		}
	}
	if err := a.Err(); err != nil {
		return bashCall{}, err
	}
	if b.background && c.Child {
		return bashCall{}, noBackground()
	}
	return b, checkLine(b.line)
}

func noBackground() error {
	return plumbing.Fail(plumbing.ErrRefused, "a child has no background commands", "run it in the foreground, with a time limit")
}

// needBash says what a command line would do, as permission.Line has it, where it would run now.
func (t *Toolbox) needBash(_ context.Context, c agent.Call) (permission.Need, error) {
	b, err := takeBash(c)
	if err != nil {
		return permission.Need{}, err
	}
	dir, err := t.here()
	if err != nil {
		return permission.Need{}, err
	}
	p, err := permission.Line(b.line, t.o.Workspace, dir)
	if err != nil {
		return permission.Need{}, err
	}
	t.judge(c, dir)
	return permission.Need{Tool: "bash", Class: p.Class, Summary: b.line, Detail: b.detail(dir),
		Commands: p.Commands, Outside: p.Outside, Why: p.Why}, nil
}

// detail is more of a call for a person: where it would run, and what the model says that it is for.
func (b bashCall) detail(dir string) string {
	text := "in " + dir
	if b.background {
		text += ", in the background"
	}
	if b.description != "" {
		said, used := prompt.ShowPart(b.description, maxDescription)
		if used < len(b.description) {
			said += "…"
		}
		text += "\nthe model says: " + said
	}
	return text
}

// runBash runs a command line. At the time limit, and when ctx ends, all that it
// started is ended; the call returns also where something cannot be.
func (t *Toolbox) runBash(ctx context.Context, c agent.Call) (agent.Result, error) {
	b, err := takeBash(c)
	if err != nil {
		return agent.Result{}, err
	}
	dir, err := t.judgedDir(c)
	if err != nil {
		return agent.Result{}, err
	}
	if b.background {
		return t.startBackground(c, b, dir)
	}
	return t.foreground(ctx, c, b, dir)
}

func (t *Toolbox) foreground(ctx context.Context, c agent.Call, b bashCall, dir string) (agent.Result, error) {
	if err := ctx.Err(); err != nil {
		return agent.Result{}, err
	}
	base, done, err := t.shell.begin()
	if err != nil {
		return agent.Result{}, err
	}
	defer done()
	saved, err := t.newSaved()
	if err != nil {
		return agent.Result{}, err
	}
	defer saved.remove()
	out := &output{progress: c.Progress, open: t.newSpill}
	p, err := t.start(keeping(b.line, saved.path), dir, out.write)
	if err != nil {
		return agent.Result{}, err
	}
	why := p.awaitLimited(ctx, base, time.Duration(b.limit)*t.shell.secondOr())
	r := out.result()
	r.add(p.notes(why, b.limit)...)
	r.add(t.follow(c, dir, saved.read()))
	if why == nil || why == errLimit {
		return agent.Result{Text: r.text(), IsError: why != nil || p.failed()}, nil
	}
	return agent.Result{Text: r.text(), IsError: true}, why
}

// begin says that a command begins: base ends when the toolbox is closed, which
// waits for done. Afterwards it wraps plumbing.ErrRefused.
func (s *shellState) begin() (base context.Context, done func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.beginLocked()
}

func (s *shellState) beginLocked() (base context.Context, done func(), err error) {
	if s.closed {
		return nil, nil, errClosed()
	}
	if s.base == nil {
		s.base, s.end = context.WithCancel(context.Background())
	}
	s.running.Add(1)
	return s.base, s.running.Done, nil
}

func errClosed() error {
	return plumbing.Fail(plumbing.ErrRefused, "the agent is ending, and runs no commands", "")
}

// secondOr is what a second of a limit is.
func (s *shellState) secondOr() time.Duration {
	if s.second == 0 {
		return time.Second
	}
	return s.second
}

// closeShell ends all commands, waits for them and removes what was kept of their output.
func (t *Toolbox) closeShell() error {
	s := &t.shell
	s.mu.Lock()
	s.closed = true
	if s.end != nil {
		s.end()
	}
	s.mu.Unlock()
	s.running.Wait()
	s.guard.close()
	return s.removeTemp()
}
