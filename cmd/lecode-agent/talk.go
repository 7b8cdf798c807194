package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/slash"
)

// talk is a conversation with the agent, a prompt at a time.
type talk struct {
	e      *cli.Env
	keys   *keyboard
	watch  *watcher
	person bool // somebody types: there is a prompt to type at
	shell  bool // lines that begin with ! are run
	wiring *wiring
	agent  *agent.Agent

	first  *said  // read already
	cancel func() // ends what runs
	code   int    // exit code of the last prompt
}

func newTalk(e *cli.Env) *talk {
	t := &talk{e: e, keys: newKeyboard(e), person: cli.IsTerminal(e.Stdin)}
	t.watch = newWatcher(e, false, true, func() { t.cancel() })
	return t
}

// ahead reads the first prompt.
func (t *talk) ahead(ctx context.Context) error {
	p, err := t.read(ctx)
	t.first = &p
	return err
}

// next is what is said next.
func (t *talk) next(ctx context.Context) (said, error) {
	if p := t.first; p != nil {
		t.first = nil
		return *p, nil
	}
	ctx, stop := t.e.Until(ctx, os.Interrupt)
	defer stop()
	return t.read(ctx)
}

// loop answers one prompt after the other.
func (t *talk) loop(ctx context.Context) error {
	for {
		p, err := t.next(ctx)
		if err != nil {
			return cli.StatusOr(ended(err), t.code)
		}
		quit, err := t.do(ctx, p)
		if broken := t.watch.failed(); broken != nil {
			return broken
		}
		switch {
		case err != nil:
			t.code = t.report(err)
		case !quit && !t.aside(p):
			t.code = 0
		}
		if quit {
			return cli.StatusOr(nil, t.code)
		}
	}
}

// aside: it is no prompt and no command, and the exit code is not about it.
func (t *talk) aside(p said) bool {
	return !p.whole && (strings.TrimSpace(p.text) == "" || t.shell && strings.HasPrefix(p.text, "!"))
}

// report says what went wrong; who interrupted knows it.
func (t *talk) report(err error) int {
	t.watch.interrupted()
	if errors.Is(err, context.Canceled) {
		return 130
	}
	return t.e.Report(err)
}

// do is one prompt, command or shell line, until it ends or is interrupted.
func (t *talk) do(ctx context.Context, p said) (quit bool, err error) {
	ctx, stop := t.e.Until(ctx, os.Interrupt)
	defer stop()
	ctx, t.cancel = context.WithCancel(ctx)
	defer t.cancel()
	text, isPrompt := slash.Prompt(p.text)
	switch {
	case strings.TrimSpace(p.text) == "":
		return false, nil
	case t.aside(p):
		return false, t.run(ctx, p.text[1:])
	case p.whole:
		return false, t.prompt(ctx, p.text)
	case isPrompt:
		return false, t.prompt(ctx, text)
	}
	return t.command(ctx, p.text)
}

func (t *talk) prompt(ctx context.Context, text string) error {
	r, err := t.agent.Prompt(ctx, agent.Input{Text: text})
	return t.outcome(r, err)
}

// outcome shows the last answer of a turn, or says what stopped it.
func (t *talk) outcome(r agent.Outcome, err error) error {
	if err != nil {
		return err
	}
	return t.watch.text(r.Text)
}

func (t *talk) command(ctx context.Context, line string) (quit bool, err error) {
	a, err := slash.Run(ctx, t.wiring.slash(t.agent), line)
	if err == nil {
		err = t.watch.answer(line, "", a)
	}
	if a.Outcome != nil {
		err = t.outcome(*a.Outcome, err)
	}
	if err == nil && a.No {
		err = &cli.StatusError{Code: 1}
	}
	return a.Quit, err
}
