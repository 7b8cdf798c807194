package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/permission"
)

// askShown is how much of a call's detail, such as a diff, stands in the question, in lines.
const askShown = 40

// asker asks whoever sits at the terminal; nil where stdin or stderr is none,
// and then what has to be asked for is denied (design section 12).
func (w *watcher) asker(k *keyboard) permission.Asker {
	if !cli.IsTerminal(w.e.Stdin) || !cli.IsTerminal(w.e.Stderr) {
		return nil
	}
	return w.asking(k)
}

func (w *watcher) asking(k *keyboard) permission.Asker {
	return func(ctx context.Context, n permission.Need, v permission.Verdict) (permission.Answer, error) {
		_ = w.page("") // the question begins on a line of its own
		fmt.Fprint(w.e.Stderr, questionOf(n, v))
		_, _, keeps := permission.Keep(n)
		choices := "allow once / session / deny [o/s/d]? "
		if keeps {
			choices = "allow once / session / always / deny [o/s/a/d]? "
		}
		for {
			fmt.Fprint(w.e.Stderr, choices)
			line, err := k.next(ctx)
			if errors.Is(err, io.EOF) {
				fmt.Fprintln(w.e.Stderr)
				return permission.Refuse, nil
			}
			if err != nil {
				return permission.Refuse, err
			}
			if a, ok := answerOf(line); ok && (keeps || a != permission.Always) {
				return a, w.kept(ctx, a, n)
			}
		}
	}
}

// kept writes what is always allowed where the next agent finds it. Where that
// fails it is said, and the call is allowed as for this agent.
func (w *watcher) kept(ctx context.Context, a permission.Answer, n permission.Need) error {
	if a != permission.Always || w.keep == nil {
		return nil
	}
	where, err := w.keep(ctx, n)
	if err != nil {
		w.e.Note("it is allowed until the end only: %v", err)
		return nil
	}
	w.e.Note("kept: %s", where)
	return nil
}

// questionOf is what is asked: the exact command or file, and why it is asked for.
func questionOf(n permission.Need, v permission.Verdict) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)", oneLine(n.Tool), n.Class)
	if v.Why != "" {
		fmt.Fprintf(&b, ": %s", oneLine(v.Why))
	}
	b.WriteString("\n" + indented(n.Summary, math.MaxInt))
	for _, path := range n.Outside {
		b.WriteString("  outside the workspace: " + oneLine(path) + "\n")
	}
	if n.Detail != "" {
		b.WriteString(indented(n.Detail, askShown))
	}
	return b.String()
}

// indented shows a text line by line, the first ones.
func indented(text string, most int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimRight(prompt.Show(strings.ReplaceAll(text, "\r\n", "\n")), "\n"), "\n")
	for i, line := range lines {
		if i == most {
			fmt.Fprintf(&b, "  … %d more lines\n", len(lines)-most)
			break
		}
		b.WriteString("  " + line + "\n")
	}
	return b.String()
}

// answerOf reads a letter or a word.
func answerOf(line string) (permission.Answer, bool) {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "o", "once", "y", "yes":
		return permission.Once, true
	case "s", "session":
		return permission.Session, true
	case "a", "always":
		return permission.Always, true
	case "d", "deny", "n", "no":
		return permission.Refuse, true
	}
	return "", false
}
