package main

import (
	"context"
	"errors"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/slash"
)

// end prints what a run came to: the last answer, or with --json the result,
// which is there after a failure too. The error is that of stdout.
func (w *watcher) end(r ran, err error) error {
	if w.json {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.print(resultObject(r, err))
		return w.broken
	}
	if err != nil {
		w.interrupted()
		return w.failed()
	}
	return w.text(r.Text)
}

func resultObject(r ran, err error) object.Result {
	return object.Result{Answer: r.Text, Calls: r.Calls, Denied: r.Denied, Finish: given(string(r.Finish)), Outcome: outcome(r, err),
		Requests: r.Requests, SessionID: given(r.session), Stopped: given(r.Stopped), Type: "result", Usage: object.TotalsOf(r.Usage)}
}

// outcome is a run in a word.
func outcome(r ran, err error) string {
	var st *cli.StatusError
	switch {
	case r.Stopped != "":
		return "stopped"
	case err == nil:
		return "done"
	case errors.Is(err, plumbing.ErrPaused):
		return "paused"
	case errors.As(err, &st) && st.Code == 130, errors.Is(err, context.Canceled):
		return "interrupted"
	}
	return "failed"
}

// answer prints what a slash command says: its page, or objects.
func (w *watcher) answer(line, session string, a slash.Answer) error {
	for _, warning := range a.Warnings {
		w.e.Note("%s", warning)
	}
	if !w.json {
		return w.page(a.Print(w.style()))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, o := range answerObjects(a.Value, session, w.e.Now()()) {
		w.print(o)
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.Fields(line)[0], "/"), "\n")
	w.print(object.Command{Name: name, No: a.No, Text: a.Print(memory.Style{Width: 80}), Type: "command"})
	return w.broken
}
