package cli

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"github.com/lecode/lecode/plumbing"
)

// Exit is one row of the table of exit codes (design section 7).
type Exit struct {
	Code    int
	Name    string // what LECODE_ERRORS=json gives as "code"
	Meaning string
}

// Exits is the only table of exit codes: `lecode help exit-codes`, each command's help and a test come from it.
var Exits = []Exit{
	{0, "done", "done"},
	{1, "no", "the answer is no: nothing found, nothing to do, not valid"},
	{2, "bad_input", "bad usage or input; nothing was done with it"},
	{3, "not_found", "what was named does not exist"},
	{4, "conflict", "what the caller saw has changed: seq, revision, generation or evidence"},
	{5, "refused", "not allowed: permission, exclusion, foreign project, link, disabled; or the system refused (disk full, read-only, I/O error)"},
	{6, "corrupt", "stored bytes are not what lecode wrote"},
	{7, "busy", "another process holds the lock"},
	{8, "model", "the model failed or its answer was rejected"},
	{9, "paused", "does not fit; the run is paused"},
	{70, "defect", "a defect in lecode"},
	{130, "interrupted", "interrupted"},
}

const (
	exitDone        = 0
	exitBadInput    = 2
	exitRefused     = 5
	exitDefect      = 70
	exitInterrupted = 130
)

// exitOf maps an error to its row. Failures of the machine are refusals: the
// system would not do what was asked, and lecode is not at fault.
func exitOf(err error) Exit {
	var st *StatusError
	var told *plumbing.Error
	switch {
	case err == nil:
		return byCode(exitDone)
	case errors.As(err, &st):
		return byCode(st.Code)
	case errors.Is(err, context.Canceled):
		return byCode(exitInterrupted)
	case errors.As(err, &told):
		err = told.Kind // what it came from may be of another kind
	}
	for _, k := range []struct {
		kind error
		code int
	}{
		{plumbing.ErrNo, 1}, {plumbing.ErrInvalid, 2}, {plumbing.ErrNotFound, 3}, {plumbing.ErrConflict, 4},
		{plumbing.ErrRefused, 5}, {plumbing.ErrCorrupt, 6}, {plumbing.ErrBusy, 7},
		{plumbing.ErrModel, 8}, {plumbing.ErrPaused, 9},
	} {
		if errors.Is(err, k.kind) {
			return byCode(k.code)
		}
	}
	if machine(err) {
		return byCode(exitRefused)
	}
	return byCode(exitDefect)
}

// machine reports whether the operating system is where err came from.
func machine(err error) bool {
	var path *fs.PathError
	var errno syscall.Errno
	return errors.As(err, &path) || errors.As(err, &errno)
}

func byCode(code int) Exit {
	for _, e := range Exits {
		if e.Code == code {
			return e
		}
	}
	return Exit{Code: code, Name: "other"}
}

// StatusError ends a command with a code of its own after its answer was
// printed: the answer was an object, so nothing more is said on stderr.
type StatusError struct{ Code int }

func (e *StatusError) Error() string { return byCode(e.Code).Meaning }

// StatusOr is err, or where there is none the exit code as a StatusError; nil for 0.
func StatusOr(err error, code int) error {
	if err != nil || code == exitDone {
		return err
	}
	return &StatusError{Code: code}
}
