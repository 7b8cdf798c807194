//go:build unix

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// become replaces this process: streams, signals and the exit code are the new program's.
func become(path string, args []string) error {
	err := syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return fmt.Errorf("run %q: %w", path, err)
}
