package tui

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/agent"
)

// frame is how long what happens is gathered before it is drawn.
const frame = time.Second / 50

// feed takes what happens elsewhere, in order, and hands it to the screen a
// frame at a time, so that an agent never waits for the terminal. Pieces of an
// answer are joined while they wait.
type feed struct {
	mu    sync.Mutex
	items []any
	wake  chan struct{} // holds one token while there are items
}

func newFeed() *feed { return &feed{wake: make(chan struct{}, 1)} }

// arrived is what came since the last frame.
type arrived []any

func (f *feed) put(item any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.items); n > 0 {
		if joined, ok := join(f.items[n-1], item); ok {
			f.items[n-1] = joined
			return
		}
	}
	f.items = append(f.items, item)
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// join makes one of two pieces of the same answer or output.
func join(a, b any) (any, bool) {
	switch a := a.(type) {
	case agent.Streamed:
		b, ok := b.(agent.Streamed)
		if ok && a.Child == b.Child && (a.Text == "") == (b.Text == "") {
			a.Text += b.Text
			a.Reasoning += b.Reasoning
			return a, true
		}
	case agent.Progressed:
		b, ok := b.(agent.Progressed)
		if ok && a.CallID == b.CallID && len(a.Text) < maxOutput {
			a.Text += b.Text
			return a, true
		}
	}
	return nil, false
}

// next waits for what comes, after the frame that is being shown.
func (f *feed) next(ctx context.Context, after time.Duration) tea.Cmd {
	return func() tea.Msg {
		if after > 0 {
			t := time.NewTimer(after)
			defer t.Stop()
			select {
			case <-t.C:
			case <-ctx.Done():
				return nil
			}
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil
		}
		return arrived(f.take())
	}
}

// take is what waits, which waits no more.
func (f *feed) take() []any {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	return items
}
