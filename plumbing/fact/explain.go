package fact

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lecode/lecode/plumbing"
)

// errNone: there is no database. Readers turn it into an empty answer.
var errNone = errors.New("there is no fact database")

// sqliteCode returns SQLite's extended result code in err, 0 where there is none.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// explain gives a failure of SQLite the kind that callers look for; what
// already has a kind passes through. op says what was being done.
func (s *Store) explain(op string, err error) error {
	var kind *plumbing.Error
	code := sqliteCode(err)
	switch {
	case code == 0, errors.As(err, &kind):
		return err
	case code == sqlite3.SQLITE_IOERR_SHORT_READ:
		return s.corrupt("it ends too early", err)
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return &plumbing.Error{Kind: plumbing.ErrBusy, Cause: err,
			Message: fmt.Sprintf("%q is locked by another process", s.Path()),
			Hint:    "wait for it to end, or end it, and try again"}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return s.corrupt("SQLite cannot read it", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: fmt.Sprintf("no permission for %q or its folder", s.Path()),
			Hint:    "check the permissions of the file and of its folder, or choose another directory with --config-dir or LECODE_CONFIG_DIR"}
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w", op, &fs.PathError{Op: "write", Path: s.Path(), Err: syscall.ENOSPC})
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%s: %w (%w)", op, &fs.PathError{Op: "access", Path: s.Path(), Err: syscall.EIO}, err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%s: %w", op, context.Canceled)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// corrupt says that the database is not one that may be used. Nothing is ever
// answered from it: an exclusion must not vanish with the file that holds it.
func (s *Store) corrupt(why string, cause error) error {
	return &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: cause,
		Message: fmt.Sprintf("%q is not a fact database that this lecode can use: %s", s.Path(), why),
		Hint:    "it was left as it is; put back a good copy, or move it away, which also loses what was forgotten"}
}

func notFound(id string) error {
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("there is no fact %s", id), "`lecode facts` lists them")
}

func wasForgotten(kind error, id string) error {
	return plumbing.Fail(kind, fmt.Sprintf("fact %s was forgotten", id), "its evidence cannot be used again; new words can")
}
