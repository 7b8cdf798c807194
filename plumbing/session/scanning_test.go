package session

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A scan is told from its beginning to its end, and ends where it is interrupted; an index needs none.
func TestScanning(t *testing.T) {
	w := newWorld(t)
	id := w.new()
	w.append(id, user("one"), assistant("two", 0))
	size := int64(len(w.read(id)))

	var told [][2]int64
	stopped := 0
	ctx, cancel := context.WithCancel(t.Context())
	opt := w.opt
	opt.Scanning = func(got string) (func(done, total int64), func()) {
		if got != id {
			t.Errorf("session %q", got)
		}
		return func(done, total int64) { told = append(told, [2]int64{done, total}) }, func() { stopped++ }
	}
	s := NewStore(opt)
	look := func() error {
		l, err := s.Open(ctx, id)
		if err == nil {
			err = l.Close()
		}
		return err
	}
	if err := look(); err != nil || len(told) != 0 {
		t.Errorf("with an index: %v, %v", told, err)
	}
	forget := func() {
		if err := os.RemoveAll(w.opt.Cache.Dir); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	if err := look(); err != nil || stopped != 1 {
		t.Errorf("stopped %d times, %v", stopped, err)
	}
	if d := cmp.Diff([][2]int64{{size, size}}, told); d != "" {
		t.Error(d)
	}
	forget()
	cancel()
	if err := look(); !errors.Is(err, context.Canceled) || stopped != 2 {
		t.Errorf("interrupted: stopped %d times, %v", stopped, err)
	}
}
