package coding

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Times that the end of a command may take.
const (
	settleTime = 500 * time.Millisecond // for what the shell left behind to end by itself
	termTime   = 2 * time.Second        // from TERM to KILL
	killTime   = time.Second            // from KILL to where it is given up
	pollTime   = 20 * time.Millisecond
)

// errLimit is why a command was ended at its time limit.
var errLimit = errors.New("the time limit")

// process is a shell that runs a command line, and all that it started.
type process struct {
	cmd     *exec.Cmd
	tree    tree
	out     *os.File
	exited  chan struct{} // closed when the shell has ended
	drained chan struct{} // closed when nobody holds its output any more, or it is not read any more
	left    bool          // something was left running when the shell had ended
	alive   bool          // something could not be ended
	release func()        // the guard need not end it any more
}

// newMark is one that no other command has.
func newMark() string { return rand.Text() }

// startProcess starts a shell apart from the agent's terminal and group, without
// input; write gets what it and its children print, in order, from one goroutine.
func startProcess(cmd *exec.Cmd, mark string, write func([]byte)) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	apart(cmd)
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	p := &process{cmd: cmd, tree: treeOf(cmd, mark), out: r, exited: make(chan struct{}), drained: make(chan struct{}), release: func() {}}
	go p.drain(write)
	go func() {
		defer close(p.exited)
		_ = cmd.Wait() // how it ended stands in cmd.ProcessState
	}()
	return p, nil
}

func (p *process) drain(write func([]byte)) {
	defer close(p.drained)
	buf := make([]byte, 32<<10)
	for {
		n, err := p.out.Read(buf)
		if n > 0 {
			write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// awaitLimited waits for the end, at most so long. It says why it was ended: nil
// where it ended by itself, errLimit, or what ended ctx or base.
func (p *process) awaitLimited(ctx, base context.Context, limit time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer time.AfterFunc(limit, func() { cancel(errLimit) }).Stop()
	defer context.AfterFunc(base, func() { cancel(errClosed()) })()
	if p.await(ctx.Done()) {
		return context.Cause(ctx)
	}
	return nil
}

// await waits for the end of the shell, or ends it when stop is closed, and sees
// to it that nothing is left of what it started.
func (p *process) await(stop <-chan struct{}) (stopped bool) {
	defer p.close()
	select {
	case <-p.exited:
		if p.goneWithin(settleTime, stop) {
			return false
		}
		p.left = true
	case <-stop:
		stopped = true
	}
	// What has left the group is ended too where the command was stopped, or where it still holds the output.
	strays := stopped || !closed(p.drained)
	p.tree.end(false, strays)
	if !p.goneWithin(termTime, nil) || strays {
		p.tree.end(true, strays)
		p.alive = !p.goneWithin(killTime, nil)
	}
	return stopped
}

// gone reports whether the shell has ended, and nothing holds its output or stands in its group.
func (p *process) gone() bool { return closed(p.exited) && closed(p.drained) && !p.tree.alive() }

// goneWithin waits until it is gone, at most so long and until stop is closed.
func (p *process) goneWithin(d time.Duration, stop <-chan struct{}) bool {
	limit := time.NewTimer(d)
	defer limit.Stop()
	poll := time.NewTicker(pollTime) // nobody is told when a grandchild ends
	defer poll.Stop()
	exited, drained := p.exited, p.drained
	for !p.gone() {
		select {
		case <-exited:
			exited = nil
		case <-drained:
			drained = nil
		case <-poll.C:
		case <-stop:
			return p.gone()
		case <-limit.C:
			return p.gone()
		}
	}
	return true
}

// close stops reading: whoever still holds the other end is told when it writes.
func (p *process) close() {
	p.out.Close()
	p.tree.close()
	p.release()
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// how says how the shell ended.
func (p *process) how() string {
	switch {
	case !closed(p.exited):
		return "still running"
	case p.cmd.ProcessState.ExitCode() < 0:
		return p.cmd.ProcessState.String() // such as "signal: killed"
	}
	return fmt.Sprintf("exit code %d", p.cmd.ProcessState.ExitCode())
}

func (p *process) failed() bool { return !closed(p.exited) || !p.cmd.ProcessState.Success() }

// notes say how a foreground command ended; nothing where all is well.
func (p *process) notes(why error, limit int64) []string {
	var all []string
	switch {
	case why == errLimit:
		all = append(all, fmt.Sprintf("[ended at the time limit of %d s; timeout_seconds sets another, and background runs it on]", limit))
	case why != nil:
		all = append(all, "[interrupted]")
	case p.failed():
		all = append(all, "["+p.how()+"]")
	}
	if p.left {
		all = append(all, "[what it left running was ended; background keeps a command running]")
	}
	if p.alive {
		all = append(all, "[something that it started could not be ended and may still run]")
	}
	return all
}
