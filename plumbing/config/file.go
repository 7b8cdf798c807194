package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"github.com/lecode/lecode/plumbing"
)

// MaxFile is how long a config.toml may be, in bytes.
const MaxFile = 256 << 10

// readFile reads a config.toml, through links, without blocking on what is not a file.
func readFile(path string) (data []byte, found bool, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, false, danglingLink(path)
	}
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, false, notAFile(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	defer f.Close()
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = notAFile(path)
	}
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(f, MaxFile+1))
	}
	if err != nil {
		return nil, false, unreadable(path, err)
	}
	if len(data) > MaxFile {
		return nil, false, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("%q is longer than %d bytes", path, MaxFile), "make it shorter")
	}
	return data, true, nil
}

// danglingLink refuses a link to nothing: what it should set may be that memory is off.
func danglingLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return plumbing.Fail(plumbing.ErrNotFound, quote(path)+" is a link to a file that does not exist", "make that file, or remove the link")
	}
	return nil
}

func notAFile(path string) error {
	return plumbing.Fail(plumbing.ErrRefused, quote(path)+" is not a regular file", "move it away")
}

func unreadable(path string, err error) error {
	var known *plumbing.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, fs.ErrPermission):
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: "no permission to read " + quote(path), Hint: "check the permissions of that path and of the folders above it"}
	case errors.Is(err, syscall.ELOOP):
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: quote(path) + " is a link that leads round in a circle", Hint: "remove it"}
	}
	return fmt.Errorf("read %q: %w", path, err)
}

func quote(s string) string { return strconv.Quote(s) }
