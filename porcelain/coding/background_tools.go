package coding

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// maxWait is how long a reading waits at most, in seconds.
const maxWait = 60

// backgroundCall is the arguments of background_read and background_stop.
type backgroundCall struct {
	id   string
	wait int64 // seconds
}

func takeBackground(c agent.Call) (backgroundCall, error) {
	a, err := tool.ReadArguments(c.Name, c.Arguments)
	if err != nil {
		return backgroundCall{}, err
	}
	b := backgroundCall{id: a.Text("id")}
	if c.Name == "background_read" {
		if n := a.NumberIf("wait_seconds"); n != nil {
			b.wait = *n
			if *n < 0 || *n > maxWait {
				a.Fault("wait_seconds", fmt.Sprintf("is not from 0 to %d", maxWait))
			}
		}
	}
	return b, a.Err()
}

// needBackground: reading is reading, and ending is too, since it ends nothing
// but what this agent has started, which somebody has allowed.
func (t *Toolbox) needBackground(_ context.Context, c agent.Call) (permission.Need, error) {
	b, err := takeBackground(c)
	if err != nil {
		return permission.Need{}, err
	}
	j, err := t.job(c, b.id)
	if err != nil {
		return permission.Need{}, err
	}
	n := permission.Need{Tool: c.Name, Class: permission.Read, Summary: j.id + ": " + j.line}
	if c.Name == "background_stop" {
		n.Why = "it ends only what was started here"
	}
	return n, nil
}

// job finds a command; children have none.
func (t *Toolbox) job(c agent.Call, id string) (*background, error) {
	if c.Child {
		return nil, noBackground()
	}
	t.shell.mu.Lock()
	defer t.shell.mu.Unlock()
	i := slices.IndexFunc(t.shell.jobs, func(j *background) bool { return j.id == id })
	if i < 0 {
		return nil, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no background command %.20q", id), "background_list lists them")
	}
	return t.shell.jobs[i], nil
}

// readBackground gives what has come since the last reading, and the state.
func (t *Toolbox) readBackground(ctx context.Context, c agent.Call) (agent.Result, error) {
	b, err := takeBackground(c)
	if err != nil {
		return agent.Result{}, err
	}
	j, err := t.job(c, b.id)
	if err != nil {
		return agent.Result{}, err
	}
	if err := j.current(c.Generation); err != nil {
		return agent.Result{}, err
	}
	if err := j.wait(ctx, time.Duration(b.wait)*t.shell.secondOr()); err != nil {
		return agent.Result{}, err
	}
	return agent.Result{Text: j.unread()}, nil
}

// current rejects a call of a later generation than the command's, and drops
// the output: it may hold what was forgotten since (design section 12).
func (j *background) current(generation int64) error {
	if generation <= j.generation {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out.empty()
	j.clean.line, j.read = nil, j.out.end()
	return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("the output of %s is older than the last forget, and was dropped", j.id), "start the command again, and end this one with background_stop")
}

// wait waits for output or the end, at most so long.
func (j *background) wait(ctx context.Context, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		j.mu.Lock()
		ready, news := j.over || j.read < j.out.end() || len(j.clean.line) > 0, j.news
		j.mu.Unlock()
		if ready || limit == 0 {
			return nil
		}
		select {
		case <-news:
		case <-timer.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// unread takes what was not read yet. A line that has not ended is given as it
// stands: it may be a question, or all that there will be.
func (j *background) unread() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out.add(j.clean.rest())
	b, lost := j.out.from(j.read)
	j.read = j.out.end()
	r := result{}
	if lost > 0 {
		whole := atLine(b)
		lost, b = lost+int64(len(b)-len(whole)), whole
		r.add(fmt.Sprintf("[%d bytes that came before this were not kept: more than %d KiB came since the last read]", lost, maxUnread>>10))
	}
	r.add(capped(b))
	r.add(j.clean.notes()...)
	j.clean.replaced, j.clean.controls, j.clean.over = 0, 0, false
	r.add(j.state())
	if j.over {
		j.told = true
		j.out.empty()
	}
	return r.text()
}

func (j *background) state() string {
	if !j.over {
		return fmt.Sprintf("[%s is running]", j.id)
	}
	return fmt.Sprintf("[%s has ended: %s]", j.id, j.how)
}

// stopBackground ends a command and waits for that.
func (t *Toolbox) stopBackground(ctx context.Context, c agent.Call) (agent.Result, error) {
	b, err := takeBackground(c)
	if err != nil {
		return agent.Result{}, err
	}
	j, err := t.job(c, b.id)
	if err != nil {
		return agent.Result{}, err
	}
	j.mu.Lock()
	j.told = true
	j.mu.Unlock()
	j.stop()
	select {
	case <-j.ended:
	case <-ctx.Done():
		return agent.Result{}, ctx.Err()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return agent.Result{Text: j.state() + "\n"}, nil
}

func needList(_ context.Context, c agent.Call) (permission.Need, error) {
	return permission.Need{Tool: c.Name, Class: permission.Read, Summary: c.Name}, takeList(c)
}

func takeList(c agent.Call) error {
	a, err := tool.ReadArguments(c.Name, c.Arguments)
	if err != nil {
		return err
	}
	if c.Child {
		return noBackground()
	}
	return a.Err()
}

// listBackground lists the commands; of those older than the last forget not what they are.
func (t *Toolbox) listBackground(_ context.Context, c agent.Call) (agent.Result, error) {
	if err := takeList(c); err != nil {
		return agent.Result{}, err
	}
	t.shell.mu.Lock()
	jobs := slices.Clone(t.shell.jobs)
	t.shell.mu.Unlock()
	var lines strings.Builder
	for _, j := range jobs {
		j.mu.Lock()
		what := j.shownLine()
		if c.Generation > j.generation {
			what = "[older than the last forget]"
		}
		fmt.Fprintf(&lines, "%s (%s): %s\n", j.id, j.how, what)
		j.mu.Unlock()
	}
	if lines.Len() == 0 {
		return agent.Result{Text: "[no background commands]\n"}, nil
	}
	return agent.Result{Text: lines.String()}, nil
}
