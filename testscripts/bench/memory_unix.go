//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory in KiB that a process occupied; false where the system does not tell.
func peak(s *os.ProcessState) (int64, bool) {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) / 1024, true
	}
	return int64(usage.Maxrss), true
}
