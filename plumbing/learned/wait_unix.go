//go:build unix

package learned

import "syscall"

// noWait keeps the opening of a FIFO from waiting for a writer.
const noWait = syscall.O_NONBLOCK
