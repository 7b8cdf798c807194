package main

import (
	"context"
	"sync"

	"github.com/lecode/lecode/cmd/internal/cli"
)

// keyboard reads stdin a line at a time. A read that nobody waits for any more
// keeps its line for the next one, so that an interrupt loses none.
type keyboard struct {
	mu      sync.Mutex
	lines   *cli.Lines
	came    chan typed
	reading bool
}

type typed struct {
	line string
	err  error
}

func newKeyboard(e *cli.Env) *keyboard {
	return &keyboard{lines: e.Lines(), came: make(chan typed, 1)}
}

// next waits for a line; io.EOF is the end of the input.
func (k *keyboard) next(ctx context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.reading {
		k.reading = true
		go func() {
			line, err := k.lines.Next()
			k.came <- typed{string(line), err}
		}()
	}
	select {
	case t := <-k.came:
		k.reading = false
		return t.line, t.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
