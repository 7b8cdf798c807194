package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
)

// editor returns what opens the user's editor on a file and waits for it:
// $VISUAL where the terminal is one that it can draw on, else $EDITOR, as Git
// chooses. With onStderr what it prints does not get among the objects on stdout.
func editor(e *cli.Env, onStderr bool) (func(path string) error, error) {
	name := e.Getenv("VISUAL")
	if dumb := e.Getenv("TERM") == "" || e.Getenv("TERM") == "dumb"; name == "" || dumb {
		name = e.Getenv("EDITOR")
	}
	if strings.TrimSpace(name) == "" {
		return nil, plumbing.Fail(plumbing.ErrInvalid, "no editor is set",
			"set EDITOR (or VISUAL, on a terminal that is not dumb), or write with `lecode note write MEMORY.md`")
	}
	return func(path string) error {
		cmd := editorCommand(name, path)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = e.Stdin, e.Stdout, e.Stderr
		if onStderr {
			cmd.Stdout = e.Stderr
		}
		// What the user interrupts is the editor, which has the terminal.
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
		if err := cmd.Run(); err != nil {
			return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
				Message: fmt.Sprintf("the editor %q failed: %v", name, err), Hint: "nothing was saved; check VISUAL and EDITOR"}
		}
		return nil
	}, nil
}

// editorCommand runs an editor that may be given with arguments, through the
// shell as Git does; the path goes in as an argument of its own.
func editorCommand(name, path string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		words := append(strings.Fields(name), path)
		return exec.Command(words[0], words[1:]...)
	}
	return exec.Command("sh", "-c", name+` "$@"`, name, path)
}
