package file

import (
	"errors"

	"golang.org/x/sys/unix"
)

// renameNew renames without replacing: fs.ErrExist where to exists, and
// errors.ErrUnsupported where the file system cannot tell.
func renameNew(from, to string) error {
	err := unix.RenamexNp(from, to, unix.RENAME_EXCL)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return errors.ErrUnsupported
	}
	return err
}
