//go:build unix

package exec

import (
	"os/exec"
	"syscall"
)

var errPipe error = syscall.EPIPE

// group makes the program the head of a process group, which is killed whole.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
