package slug

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"github.com/lecode/lecode/plumbing"
)

// fail returns an error for a person; every %q of message takes one of args.
func fail(kind error, message, hint string, args ...any) error {
	return plumbing.Fail(kind, fmt.Sprintf(message, args...), hint)
}

func quote(s string) string { return strconv.Quote(s) }

// unreadable says that something that is there could not be read.
func unreadable(path string, err error) error {
	var known *plumbing.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrPermission):
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: "no permission to read " + quote(path), Hint: "check the permissions of that path and of the folders above it"}
	case absent(err):
		return &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: err,
			Message: quote(path) + " went away while it was read", Hint: "try again"}
	}
	return fmt.Errorf("read %q: %w", path, err)
}
