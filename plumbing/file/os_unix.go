//go:build unix

package file

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// openFlags: a link is not followed, and a FIFO or device does not block.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

func links(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

func isReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }

func syncFolder(d *os.File) error {
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) {
		return fmt.Errorf("sync folder %q: %w", d.Name(), err)
	}
	return nil
}
