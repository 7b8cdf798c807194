package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
)

// watcher shows what an agent does: as objects on stdout, or for a person. It
// is the only one that writes to stdout while a turn runs.
type watcher struct {
	e      *cli.Env
	json   bool
	stream bool                                                             // stdout is a terminal: text is shown as it comes
	told   bool                                                             // what is done is said on stderr
	cancel func()                                                           // ends the turn where nobody reads stdout any more
	keep   func(context.Context, permission.Need) (where string, err error) // writes what is always allowed into config.toml

	mu     sync.Mutex
	held   string // streamed text behind the last space: what belongs together may come in parts
	middle bool   // the last line on stdout is not ended
	shown  bool   // the latest answer was streamed
	denied string // the call that was denied last: that it failed need not be said
	rest   func() // takes away the line that says what is waited for; nil: none
	broken error  // of a write to stdout
}

func newWatcher(e *cli.Env, asJSON, verbose bool, cancel func()) *watcher {
	return &watcher{e: e, json: asJSON, cancel: cancel, stream: !asJSON && cli.IsTerminal(e.Stdout),
		told: verbose || cli.IsTerminal(e.Stderr)}
}

// on gets the agent's events.
func (w *watcher) on(event agent.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.goOn()
	defer w.wait(event)
	if w.json {
		if o := eventObject(event); o != nil {
			w.print(o)
		}
		return
	}
	switch v := event.(type) {
	case agent.Streamed:
		if w.stream && v.Child == "" {
			w.streamed(v.Text)
		}
	case agent.Answered:
		if v.Child == "" {
			w.endLine()
			w.shown = w.stream && v.Response.Text() != ""
		}
	default:
		if w.known(event) {
			return
		}
		if n, ok := event.(agent.Notice); ok && !w.told {
			w.e.Note("%s", oneLine(n.Text)) // a warning is due on stderr, whatever that is
		} else if line := about(event); line != "" && w.told {
			w.endLine()
			fmt.Fprintln(w.e.Stderr, oneLine(line))
		}
	}
}

// wait shows that a summary, and what follows from it, takes its time.
func (w *watcher) wait(event agent.Event) {
	switch event.(type) {
	case agent.Compacting:
		_, w.rest = w.e.Progress("summing up the older exchanges")
	case agent.Compacted:
		_, w.rest = w.e.Progress("learning from what was summed up")
	}
}

// goOn takes the line of wait away.
func (w *watcher) goOn() {
	if w.rest != nil {
		w.rest()
		w.rest = nil
	}
}

// streamed shows text up to its last space.
func (w *watcher) streamed(text string) {
	w.held += text
	if i := strings.LastIndexAny(w.held, " \n"); i >= 0 {
		w.write(prompt.Show(strings.ReplaceAll(w.held[:i+1], "\r\n", "\n")))
		w.held = w.held[i+1:]
	}
}

// endLine shows what was held back, and ends the line.
func (w *watcher) endLine() {
	if w.held != "" {
		w.write(prompt.Show(w.held))
		w.held = ""
	}
	if w.middle {
		w.write("\n")
	}
}

// write writes to stdout; once nobody reads it, the turn is ended.
func (w *watcher) write(text string) {
	if w.broken != nil || text == "" {
		return
	}
	_, err := io.WriteString(w.e.Stdout, text)
	w.middle = !strings.HasSuffix(text, "\n")
	w.wrote(err)
}

func (w *watcher) print(o any) {
	if w.broken == nil {
		w.wrote(w.e.Print(o))
	}
}

func (w *watcher) wrote(err error) {
	if err != nil {
		w.broken = err
		w.cancel()
	}
}

// failed is why stdout could not be written.
func (w *watcher) failed() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.broken
}
