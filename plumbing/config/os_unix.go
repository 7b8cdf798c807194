//go:build unix

package config

import "syscall"

// openFlags: a FIFO or device does not block.
const openFlags = syscall.O_NONBLOCK | syscall.O_CLOEXEC
