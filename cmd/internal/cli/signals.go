package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// Until ends with the first of these signals; the next one then does what it
// does to a process that knows nothing of it. stop gives them back. SIGHUP is
// left alone where whoever started the program has it ignored, as nohup does,
// and does nothing more until stop: a terminal that goes away sends it twice,
// itself and through its shell.
func (e *Env) Until(parent context.Context, signals ...os.Signal) (ctx context.Context, stop func()) {
	again := make(chan os.Signal, 1)
	if slices.Contains(signals, os.Signal(syscall.SIGHUP)) {
		if signal.Ignored(syscall.SIGHUP) {
			signals = slices.DeleteFunc(slices.Clone(signals), func(s os.Signal) bool { return s == syscall.SIGHUP })
		} else {
			signal.Notify(again, syscall.SIGHUP)
		}
	}
	if len(signals) == 0 { // to NotifyContext none are all
		return context.WithCancel(parent)
	}
	ctx, back := signal.NotifyContext(parent, signals...)
	context.AfterFunc(ctx, back)
	stop = func() {
		back()
		signal.Stop(again)
	}
	if slices.Contains(signals, os.Interrupt) {
		stop = e.catches(stop)
	}
	return ctx, stop
}

// catches notes that somebody deals with an interrupt until stop is called.
func (e *Env) catches(stop func()) func() {
	e.catching.Add(1)
	return sync.OnceFunc(func() {
		e.catching.Add(-1)
		stop()
	})
}

// OutliveReaders makes a reader of stdout that goes away an error of the next
// write (syscall.EPIPE), where otherwise it is the end of the process: for
// commands that have something to bring to an end. Programs that are started
// do not inherit it.
func (e *Env) OutliveReaders() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}
