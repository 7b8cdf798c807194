//go:build unix

package client

import (
	"os/exec"
	"syscall"
)

// apart gives the program a session of its own: a process group that is ended
// whole, and no terminal to ask on.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// tree is a process group.
type tree struct{ pid int }

func treeOf(cmd *exec.Cmd) tree { return tree{cmd.Process.Pid} }

func (t tree) kill() { _ = syscall.Kill(-t.pid, syscall.SIGKILL) } // gone is gone
