// Package script is a model that answers from a file of recorded responses,
// for tests and evaluation (design section 9).
//
// It knows the file and nothing else: no network, no clock. It waits only
// where a line says that the call hangs, and then until the context ends.
// Start with New; Line says what the file holds.
package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
)

// MaxFile is the most bytes that a script may have.
const MaxFile = 64 << 20

type model struct {
	file  string
	mu    sync.Mutex
	lines []Line
	used  []bool
}

// New reads the script spec.File, JSON Lines. A missing file wraps
// plumbing.ErrNotFound; a line that is wrong plumbing.ErrInvalid, naming it.
func New(spec provider.Spec) (provider.Model, error) {
	data, err := read(spec.File)
	if err != nil {
		return nil, err
	}
	m := &model{file: spec.File}
	for i, text := range bytes.Split(data, []byte("\n")) {
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		line, err := ReadLine(text)
		if err != nil {
			var p *plumbing.Error
			if errors.As(err, &p) {
				return nil, &plumbing.Error{Kind: p.Kind, Message: fmt.Sprintf("%q line %d: %s", spec.File, i+1, p.Message), Hint: p.Hint, Cause: err}
			}
			return nil, fmt.Errorf("read %q line %d: %w", spec.File, i+1, err)
		}
		if line.Response.Model == "" {
			line.Response.Model = spec.Model
		}
		m.lines = append(m.lines, line)
	}
	m.used = make([]bool, len(m.lines))
	return m, nil
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no script %q", path), "check the provider's command, which names the file")
	case err != nil:
		return nil, fmt.Errorf("read the script: %w", err)
	case !info.Mode().IsRegular() || info.Size() > MaxFile:
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the script %q is not a file of at most %d bytes", path, MaxFile), "")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the script: %w", err)
	}
	return data, nil
}

// Complete gives the first response that was not given yet and whose match
// the request holds. Where there is none the error (plumbing.ErrModel) says
// how many there were.
func (m *model) Complete(ctx context.Context, r provider.Request, on func(provider.Delta) error) (provider.Response, error) {
	if err := ctx.Err(); err != nil {
		return provider.Response{Finish: provider.FinishError}, fmt.Errorf("ask the script: %w", err)
	}
	line, err := m.next(r)
	if err != nil {
		return provider.Response{Finish: provider.FinishError}, err
	}
	if err := line.deliver(on); err != nil {
		line.Response.Finish = provider.FinishError
		return line.Response, fmt.Errorf("ask the script: %w", err)
	}
	if line.Hang {
		<-ctx.Done()
		line.Response.Finish = provider.FinishError
		return line.Response, fmt.Errorf("ask the script: %w", ctx.Err())
	}
	if line.Error != "" {
		line.Response.Finish = provider.FinishError
		return line.Response, plumbing.Fail(plumbing.ErrModel, "the script says: "+line.Error, "")
	}
	return line.Response, nil
}

func (m *model) next(r provider.Request) (Line, error) {
	text, err := canon.Marshal(r)
	if err != nil {
		return Line{}, err
	}
	words := r.System
	for _, msg := range r.Messages {
		for _, b := range msg.Content {
			words += "\n" + b.Text
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, l := range m.lines {
		if !m.used[i] && (bytes.Contains(text, []byte(l.Match)) || strings.Contains(words, l.Match)) {
			m.used[i] = true
			return l, nil
		}
	}
	return Line{}, plumbing.Fail(plumbing.ErrModel,
		fmt.Sprintf("the script %q has no response left for this request; it has %d in all", m.file, len(m.lines)),
		"add a line to it, or look at its \"match\" words")
}
