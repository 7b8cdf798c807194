package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/gofrs/flock"

	"github.com/lecode/lecode/plumbing"
)

// Lock is an exclusive lock on a file of its own, held until Unlock or the end of the process.
type Lock struct {
	fl *flock.Flock
}

// TryLock takes the lock on name, which is made where it is missing, or
// fails at once with plumbing.ErrBusy naming the holder. holder is what the
// next one who finds it taken is told; it may not hold a newline.
func (t Tree) TryLock(name, holder string) (*Lock, error) {
	fl, err := t.prepareLock(name)
	if err != nil {
		return nil, err
	}
	ok, err := fl.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %q: %w", t.Path(name), err)
	}
	if !ok {
		return nil, t.busy(name)
	}
	if !t.current(fl, name) {
		fl.Unlock()
		return t.TryLock(name, holder)
	}
	return t.locked(fl, name, holder), nil
}

// current reports whether the file that was locked is still the one of the
// name: a project that is adopted takes its folder, locks and all, away.
func (t Tree) current(fl *flock.Flock, name string) bool {
	held, err := fl.Stat()
	if err != nil {
		return true // where the system does not say, as before
	}
	there, err := t.Lstat(name)
	return err == nil && os.SameFile(held, there)
}

// Lock waits for the lock on name until ctx ends; then it fails with
// plumbing.ErrBusy naming the holder. Waiters are served in the order in which
// the system wakes them, without polling.
func (t Tree) Lock(ctx context.Context, name, holder string) (*Lock, error) {
	l, err := t.TryLock(name, holder)
	if !errors.Is(err, plumbing.ErrBusy) {
		return l, err
	}
	fl, err := t.prepareLock(name)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- fl.Lock() }()
	select {
	case err := <-done:
		if err != nil {
			return nil, fmt.Errorf("lock %q: %w", t.Path(name), err)
		}
		if !t.current(fl, name) {
			fl.Unlock()
			return t.Lock(ctx, name, holder)
		}
		return t.locked(fl, name, holder), nil
	case <-ctx.Done():
		// A blocking lock cannot be called off: whoever gets it later gives it back.
		go func() {
			if <-done == nil {
				fl.Unlock()
			}
		}()
		return nil, t.busy(name)
	}
}

func (t Tree) prepareLock(name string) (*flock.Flock, error) {
	f, err := t.Create(name, os.O_RDWR)
	if err != nil {
		return nil, err
	}
	f.Close()
	return flock.New(t.Path(name), flock.SetFlag(os.O_RDWR|openFlags)), nil
}

// locked notes the holder for the next one who asks; that it could not be noted is no reason to fail.
func (t Tree) locked(fl *flock.Flock, name, holder string) *Lock {
	if f, err := t.Open(name, os.O_RDWR); err == nil {
		if f.Truncate(0) == nil {
			fmt.Fprintf(f, "%d %s\n", os.Getpid(), holder)
		}
		f.Close()
	}
	return &Lock{fl}
}

func (t Tree) busy(name string) error {
	who := "another process"
	if b, err := t.ReadFile(name, 4096); err == nil {
		if line, _, ok := strings.Cut(string(b), "\n"); ok {
			if pid, holder, ok := strings.Cut(line, " "); ok {
				who = fmt.Sprintf("%s (process %s)", holder, pid)
			}
		}
	}
	return plumbing.Fail(plumbing.ErrBusy, fmt.Sprintf("%q is held by %s", path.Base(name), who),
		"wait for it to end, or end it, and try again")
}

// Unlock gives the lock back. The lock file stays: removing it would let two processes lock two files of one name.
func (l *Lock) Unlock() error {
	return l.fl.Unlock()
}

// Locked reports whether some process holds the lock on name; a missing lock file means no.
func (t Tree) Locked(name string) (bool, error) {
	if err := t.CheckFile(name); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return false, err
	}
	fl := flock.New(t.Path(name), flock.SetFlag(os.O_RDONLY|openFlags))
	ok, err := fl.TryRLock()
	if err != nil {
		return false, fmt.Errorf("look at lock %q: %w", t.Path(name), err)
	}
	if ok {
		fl.Unlock()
	}
	return !ok, nil
}
