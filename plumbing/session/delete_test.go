package session

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// names lists the project's session folder.
func (w *world) names() []string {
	w.t.Helper()
	entries, err := os.ReadDir(w.opt.Config.Path(w.dir()))
	if err != nil {
		w.t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestDeleteLeavesTheLockOnly(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	w.write(id, w.read(id)+"torn")
	w.append(id, user("b"))
	w.open(id)
	for _, name := range []string{"s1.torn-1x", "s1.torn-", "s10.torn-1", "s1.torn-1.jsonl"} { // not this session's
		if err := os.WriteFile(w.opt.Config.Path(w.dir()+"/"+name), []byte("kept"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := os.Stat(w.opt.Config.Path(w.lockName(id)))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"s1.lock", "s1.torn-", "s1.torn-1.jsonl", "s1.torn-1x", "s10.torn-1"}, w.names()); diff != "" {
		t.Error(diff)
	}
	if after, err := os.Stat(w.opt.Config.Path(w.lockName(id))); err != nil || !os.SameFile(lock, after) {
		t.Errorf("the lock file is another one: %v", err)
	}
	if _, err := os.Stat(w.opt.Cache.Path(w.indexName(id))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the index is still there: %v", err)
	}
	_, err = w.Open(context.Background(), id)
	wantKind(t, err, plumbing.ErrNotFound)
	wantKind(t, w.Delete(context.Background(), id), plumbing.ErrNotFound)
}

func TestDeleteRespectsTheLock(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	a, err := w.Attach(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	before := w.read(id)
	wantKind(t, w.Delete(context.Background(), id), plumbing.ErrBusy)
	if diff := cmp.Diff(before, w.read(id)); diff != "" {
		t.Error(diff)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(context.Background(), id); err != nil {
		t.Fatal(err)
	}
}

// TestWhoWaitedForTheLock: a session that was deleted while somebody waited for
// its lock is not there for him, and he makes no new one.
func TestWhoWaitedForTheLock(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("a"))
	if err := w.Delete(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	wantKind(t, w.deleteHeld(context.Background(), id), plumbing.ErrNotFound)
	_, err := w.attached(id)
	wantKind(t, err, plumbing.ErrNotFound)
	if diff := cmp.Diff([]string{"s1.lock"}, w.names()); diff != "" {
		t.Error(diff)
	}
	lock, err := w.opt.Config.TryLock(w.lockName(id), "the next")
	if err != nil {
		t.Fatalf("a delete that failed kept the lock: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestDeleteCorruptAndRefused(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.write(id, w.read(id)+"\x00\n")
	if err := w.Delete(context.Background(), id); err != nil {
		t.Errorf("a corrupt session: %v", err)
	}
	wantKind(t, w.Delete(context.Background(), "../x"), plumbing.ErrInvalid)
	wantKind(t, w.Delete(context.Background(), "nope"), plumbing.ErrNotFound)
	other := newWorld(t)
	other.opt.Project.Root = "/pot"
	theirs := other.read(other.new())
	w.write("s1", theirs)
	wantKind(t, w.Delete(context.Background(), "s1"), plumbing.ErrRefused)
	if diff := cmp.Diff(theirs, w.read("s1")); diff != "" {
		t.Error(diff)
	}
	if err := os.Symlink(w.path("s1"), w.path("linked")); err != nil {
		t.Fatal(err)
	}
	wantKind(t, w.Delete(context.Background(), "linked"), plumbing.ErrRefused)
	if diff := cmp.Diff([]string{"linked.jsonl", "s1.jsonl", "s1.lock"}, w.names()); diff != "" {
		t.Error(diff)
	}
}

// TestDeleteWithoutCache: a cache that cannot be written keeps no session alive.
func TestDeleteWithoutCache(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	if err := errors.Join(os.RemoveAll(w.opt.Cache.Dir), os.WriteFile(w.opt.Cache.Dir, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := w.Delete(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"s1.lock"}, w.names()); diff != "" {
		t.Error(diff)
	}
}
