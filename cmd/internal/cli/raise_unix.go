//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// raiseInterrupt does to this process what an interrupt does where nobody catches it.
func raiseInterrupt() {
	signal.Reset(os.Interrupt)
	_ = syscall.Kill(syscall.Getpid(), syscall.SIGINT)
}
