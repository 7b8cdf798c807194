package file

import (
	"io/fs"
	"syscall"
)

// Stamp tells one state of a file from another without reading it.
type Stamp struct{ Device, Inode, Size, Modified, Changed int64 }

// StampOf returns what the system says of an open file.
func StampOf(info fs.FileInfo) Stamp {
	s := Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Device, s.Inode, s.Changed = int64(st.Dev), int64(st.Ino), st.Ctimespec.Nano()
	}
	return s
}
