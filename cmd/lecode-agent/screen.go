package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui"
)

// hasScreen reports whether the agent can be shown on a screen: a person types
// and looks, at a terminal that can do more than write lines.
func hasScreen(e *cli.Env) bool {
	term := e.Getenv("TERM")
	return cli.IsTerminal(e.Stdin) && cli.IsTerminal(e.Stdout) && term != "dumb" && (term != "" || runtime.GOOS == "windows")
}

// screen shows the agent on the terminal until the person leaves.
func (c *agentCommand) screen(ctx context.Context, e *cli.Env) error {
	// A key never sends it; who sends it otherwise, as the terminal does to a
	// program that was given it, does not mean the screen.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGQUIT) // ctrl+\ for a program that has the terminal
	defer signal.Stop(interrupts)
	stderr := e.Stderr
	defer func() { e.Stderr = stderr }()
	return tui.Run(ctx, tui.Options{In: os.Stdin, Out: os.Stdout, Env: os.Environ(), Colour: e.Colour(), Now: e.Now(),
		Open: func(ctx context.Context, ask permission.Asker, on func(agent.Event)) (*tui.Session, error) {
			e.Stderr = notices(on) // nothing else may write to the terminal
			return c.openScreen(ctx, e, ask, on)
		}})
}

// notices shows lines that are meant for stderr.
type notices func(agent.Event)

func (n notices) Write(p []byte) (int, error) {
	if text := strings.TrimSpace(string(p)); text != "" {
		n(agent.Notice{Text: strings.TrimPrefix(text, "lecode: agent: ")})
	}
	return len(p), nil
}

// openScreen makes the agent ready, as the line mode does.
func (c *agentCommand) openScreen(ctx context.Context, e *cli.Env, ask permission.Asker, on func(agent.Event)) (*tui.Session, error) {
	d, err := wire(e, ask, on)
	if err != nil {
		return nil, err
	}
	o, err := d.options(ctx, choice{c.Session, c.Continue, c.Model, c.Mode})
	if err != nil {
		d.close()
		return nil, err
	}
	a, err := d.open(ctx, o)
	if err != nil {
		d.close()
		return nil, err
	}
	return d.onScreen(a), nil
}

// whereKept says where a permission was written.
func whereKept(path, line string) string {
	return fmt.Sprintf("%s in %s", prompt.Show(line), prompt.Show(path))
}
