//go:build unix

package instruct

import "syscall"

// openFlags: a FIFO or device that took a file's place does not block.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
