//go:build !linux && !darwin

package file

import "errors"

// renameNew: other systems publish a new file by a second name, see WriteNew.
func renameNew(from, to string) error { return errors.ErrUnsupported }
