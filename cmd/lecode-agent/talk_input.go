package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// said is what was typed: a line, or lines that are one prompt.
type said struct {
	text  string
	whole bool // it stood between lines of """, so that it is a prompt whatever it begins with
}

// read reads the next prompt: a line, one that goes on after each \ at its end,
// or what stands between two lines of """. A block or line that the input ends
// within counts.
func (t *talk) read(ctx context.Context) (said, error) {
	line, err := t.line(ctx, "> ")
	if err != nil {
		return said{}, err
	}
	if strings.TrimSpace(line) == `"""` {
		return t.block(ctx)
	}
	var b strings.Builder
	for strings.HasSuffix(line, `\`) {
		b.WriteString(strings.TrimSuffix(line, `\`) + "\n")
		if line, err = t.line(ctx, "… "); errors.Is(err, io.EOF) {
			return said{text: strings.TrimSuffix(b.String(), "\n")}, nil
		} else if err != nil {
			return said{}, err
		}
	}
	return said{text: b.String() + line}, nil
}

func (t *talk) block(ctx context.Context) (said, error) {
	var lines []string
	for {
		line, err := t.line(ctx, "… ")
		if err != nil && !errors.Is(err, io.EOF) {
			return said{}, err
		}
		if err != nil || strings.TrimSpace(line) == `"""` {
			return said{strings.Join(lines, "\n"), true}, nil
		}
		lines = append(lines, line)
	}
}

// line reads one line; a person is shown where to type.
func (t *talk) line(ctx context.Context, at string) (string, error) {
	if t.person {
		fmt.Fprint(t.e.Stderr, at)
	}
	line, err := t.keys.next(ctx)
	if err != nil && t.person {
		fmt.Fprintln(t.e.Stderr)
	}
	return line, err
}

// shellLine is a line as a program that the person's own shell would run, with the person's own rights.
func shellLine(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/c", line)
	}
	return exec.CommandContext(ctx, "/bin/sh", "-c", line)
}

// run has the shell run a line for the person: with the person's own rights, so
// that nothing is asked, and out of sight of the agent.
func (t *talk) run(ctx context.Context, line string) error {
	cmd := shellLine(ctx, line)
	cmd.Stdout, cmd.Stderr = t.e.Stdout, t.e.Stderr
	if t.person {
		cmd.Stdin = os.Stdin
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // as the terminal does
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.e.Note("%v", exit)
		return ctx.Err()
	}
	return err
}
