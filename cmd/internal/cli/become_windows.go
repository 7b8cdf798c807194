package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// become runs a child with the same streams and ends with its exit code;
// an interrupt reaches both, and the child decides.
func become(path string, args []string) error {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return &StatusError{Code: exit.ExitCode()}
	}
	if err != nil {
		return fmt.Errorf("run %q: %w", path, err)
	}
	return nil
}
