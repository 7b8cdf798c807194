//go:build unix

package coding

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait keeps the opening of a FIFO from waiting for a writer.
const noWait = syscall.O_NONBLOCK

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// keepOwner gives a new file the owner and group that the old one had, where they differ.
func keepOwner(f *os.File, old fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	was, ok := old.Sys().(*syscall.Stat_t)
	is, too := info.Sys().(*syscall.Stat_t)
	if !ok || !too || was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	if was.Uid == is.Uid {
		return f.Chown(-1, int(was.Gid))
	}
	return f.Chown(int(was.Uid), int(was.Gid))
}
