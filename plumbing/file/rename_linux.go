package file

import (
	"errors"

	"golang.org/x/sys/unix"
)

// renameNew renames without replacing: fs.ErrExist where to exists, and
// errors.ErrUnsupported where the file system cannot tell.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported
	}
	return err
}
