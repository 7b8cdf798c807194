package coding

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
)

// Caps of commands in the background.
const (
	maxJobs   = 8       // that run at once
	maxEnded  = 8       // that have ended and can still be read
	maxUntold = 32      // that have ended, also where nobody has asked for what did
	maxUnread = 1 << 20 // bytes of output that are kept of each
)

// background is a command that runs on. What it prints belongs to the generation
// that it was started in: a call of a later one does not get it (design section 12).
type background struct {
	id         string
	line       string
	generation int64
	stop       context.CancelFunc
	ended      chan struct{} // closed when over is set

	mu    sync.Mutex
	clean cleaner
	out   window
	read  int64         // how much of the output was read
	news  chan struct{} // closed, and made anew, when something has come
	over  bool
	how   string // it ended; "running" before
	told  bool   // the model knows that it has ended
	p     *process
}

// startBackground starts a command that ends when it does, when it is stopped,
// or with the toolbox; not with the call.
func (t *Toolbox) startBackground(c agent.Call, call bashCall, dir string) (agent.Result, error) {
	s := &t.shell
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.countRunning() >= maxJobs {
		return agent.Result{}, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%d commands run in the background, and that is the most", maxJobs), "end one with background_stop")
	}
	base, done, err := s.beginLocked()
	if err != nil {
		return agent.Result{}, err
	}
	ctx, stop := context.WithCancel(base)
	j := &background{id: fmt.Sprintf("b%d", s.last+1), line: call.line, generation: c.Generation, how: "running",
		stop: stop, ended: make(chan struct{}), news: make(chan struct{}), out: window{max: maxUnread}}
	j.p, err = t.start(call.line, dir, j.write)
	if err != nil {
		stop()
		done()
		return agent.Result{}, err
	}
	s.last++
	s.jobs = append(s.jobs, j)
	s.forgetEnded()
	go func() {
		defer done()
		defer stop()
		j.p.await(ctx.Done())
		j.finish()
	}()
	return agent.Result{Text: fmt.Sprintf("[%s runs in the background; background_read reads what it prints, and you are told when it ends]\n", j.id)}, nil
}

func (s *shellState) countRunning() int {
	n := 0
	for _, j := range s.jobs {
		if !closed(j.ended) {
			n++
		}
	}
	return n
}

// forgetEnded drops the oldest of those that have ended, first what the model
// knows of, so that what is kept is bounded.
func (s *shellState) forgetEnded() {
	ended := len(s.jobs) - s.countRunning()
	told := func(j *background) bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return j.told
	}
	s.jobs = slices.DeleteFunc(s.jobs, func(j *background) bool {
		drop := closed(j.ended) && (ended > maxUntold || ended > maxEnded && told(j))
		if drop {
			ended--
		}
		return drop
	})
}

func (j *background) write(b []byte) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.over {
		return
	}
	j.out.add(j.clean.clean(b))
	j.wake()
}

func (j *background) wake() {
	close(j.news)
	j.news = make(chan struct{})
}

// finish notes the end.
func (j *background) finish() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.out.add(j.clean.end())
	j.over, j.how = true, j.p.how()
	if j.p.left {
		j.how += "; what it left running was ended"
	}
	if j.p.alive {
		j.how += "; something that it started could not be ended and may still run"
	}
	close(j.ended)
	j.wake()
}

// Finished takes what ended in the background since it was last asked, but for
// what the model has ended itself, or has read to its end: that it knows. The
// text is at most 4 KiB: the command, how it ended, and its last lines.
func (t *Toolbox) Finished() []agent.Finished {
	t.shell.mu.Lock()
	jobs := slices.Clone(t.shell.jobs)
	t.shell.mu.Unlock()
	var all []agent.Finished
	for _, j := range jobs {
		if text := j.announce(); text != "" {
			all = append(all, agent.Finished{Text: text, Generation: j.generation})
		}
	}
	return all
}

// Caps of the text of Finished, in bytes.
const (
	maxAnnounced = 4 << 10
	maxLineShown = 512 // of the command
)

// announce is the text of Finished; "" where there is nothing to tell. The last
// lines stand behind "> ", so that none of them can be taken for anything else.
func (j *background) announce() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.over || j.told {
		return ""
	}
	j.told = true
	head := fmt.Sprintf("[background command %s has ended: %s]\n[command: %s]\n", j.id, j.how, j.shownLine())
	const label = "[its last lines:]\n"
	if lines := lastLines(j.out.last(), "> ", maxAnnounced-len(head)-len(label)); lines != "" {
		return head + label + lines
	}
	return head
}

// lastLines are the last lines of a text that fit into room bytes, each behind
// a prefix and with its newline; of a longer last one the end.
func lastLines(b []byte, prefix string, room int) string {
	text := strings.TrimRight(string(b), "\n")
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	first := len(lines)
	for left := room; first > 0 && left >= len(prefix)+len(lines[first-1])+1; first-- {
		left -= len(prefix) + len(lines[first-1]) + 1
	}
	if first == len(lines) {
		last := lines[first-1]
		return prefix + "…" + string(atLine([]byte(last[len(last)-room+len(prefix+"…\n"):]))) + "\n"
	}
	return prefix + strings.Join(lines[first:], "\n"+prefix) + "\n"
}

// shownLine is the command on one line, cut.
func (j *background) shownLine() string {
	line := strings.ReplaceAll(strings.TrimSpace(j.line), "\n", `\n`)
	text, used := prompt.ShowPart(line, maxLineShown)
	if used < len(line) {
		text += "…"
	}
	return text
}
