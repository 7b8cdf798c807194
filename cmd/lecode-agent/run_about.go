package main

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/memory"
)

// known reports whether what an event would say was said already.
func (w *watcher) known(event agent.Event) bool {
	switch v := event.(type) {
	case agent.Asked:
		if !v.Allowed {
			w.denied = v.CallID
		}
	case agent.Called:
		return v.CallID == w.denied
	}
	return false
}

// about says what an agent does, in a line; "" where nothing is to be said.
func about(event agent.Event) string {
	switch v := event.(type) {
	case agent.Calling:
		return "· " + v.Summary
	case agent.Asked:
		if !v.Allowed {
			return fmt.Sprintf("· denied: %s: %s", v.Need.Summary, v.Why)
		}
	case agent.Called:
		if v.Result.IsError {
			return "· failed: " + v.Name
		}
	case agent.Compacting:
		return "· summing up the older exchanges: " + v.Why
	case agent.Learned:
		if n := len(v.Applied.Facts); n > 0 {
			return fmt.Sprintf("· learned %d facts; /memory facts lists them", n)
		}
	case agent.Stale:
		return "· something was forgotten meanwhile: the answer is dropped"
	case agent.Notice:
		return "· " + v.Text
	case agent.Phase:
		return fmt.Sprintf("· %s, phase %d of %d (%s)", v.Chain, v.Number, v.Of, v.Mode)
	}
	return ""
}

// oneLine is text as a line for a terminal.
func oneLine(text string) string { return strings.Join(strings.Fields(prompt.Show(text)), " ") }

// page shows a page for a person.
func (w *watcher) page(text string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.goOn()
	w.endLine()
	w.write(text)
	return w.broken
}

// style is how pages for people are written.
func (w *watcher) style() memory.Style {
	return memory.Style{Width: w.e.Columns(), Colour: w.e.Colour()}
}

// text shows the answer of a turn, unless it was streamed.
func (w *watcher) text(answer string) error {
	w.mu.Lock()
	shown := w.shown
	w.shown = false
	w.mu.Unlock()
	if shown || answer == "" {
		return w.page("")
	}
	return w.page(strings.TrimRight(prompt.Show(strings.ReplaceAll(answer, "\r\n", "\n")), "\n") + "\n")
}

// interrupted ends the line of an answer that ended early.
func (w *watcher) interrupted() { _ = w.page("") }
