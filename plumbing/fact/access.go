package fact

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// query is a read transaction: what it reads is of one moment.
type query struct {
	ctx context.Context // never done: statements are short, and a watcher for each would cost more
	s   *Store
	db  runner
	rel relations
}

// runner is a connection or a transaction.
type runner interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// read runs fn on the database as it is now. It takes no lock of ours, makes
// no file and works where nothing can be written. A missing database is errNone.
func (s *Store) read(ctx context.Context, fn func(*query) error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the fact database: %w", err)
	}
	ctx = context.WithoutCancel(ctx)
	err := s.readOnce(ctx, fn)
	if sqliteCode(err) == sqlite3.SQLITE_READONLY_ROLLBACK {
		// A writer was cut off. What it left half done has to be undone
		// before anyone can read, and only a writer can.
		if err := s.rollBack(ctx); err != nil {
			return err
		}
		err = s.readOnce(ctx, fn)
	}
	return s.explain("read the fact database", err)
}

func (s *Store) readOnce(ctx context.Context, fn func(*query) error) error {
	h, done, err := s.handleFor(false)
	if err != nil {
		return err
	}
	defer done()
	c, err := h.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer end(ctx, c)
	l, err := s.look(ctx, h, c)
	if err != nil {
		return err
	}
	return fn(&query{ctx, s, c, l.rel})
}

// end ends a read transaction; a connection where that fails is not used again.
func end(ctx context.Context, c *sql.Conn) {
	if _, err := c.ExecContext(ctx, "ROLLBACK"); err != nil {
		c.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// rollBack lets SQLite undo a cut-off transaction, which it does at a writer's first read.
func (s *Store) rollBack(ctx context.Context) error {
	h, done, err := s.handleFor(true)
	if err == nil {
		defer done()
		var n int
		err = h.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
	}
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_READONLY {
		return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
			Message: fmt.Sprintf("a write to %q was cut off and has to be undone first, which needs permission to write it", s.Path()),
			Hint:    "make the file and its folder writable, or read it once as a user who can write"}
	}
	return s.explain("undo a cut-off write", err)
}

// txn is a write transaction, under facts.lock and BEGIN IMMEDIATE.
type txn struct {
	query
	now   time.Time
	ex    *exclusions
	dirty bool // something was written
}

// write runs fn in a write transaction and commits what it wrote; an error
// from fn, or an end of ctx before the commit, leaves everything as it was.
// With create a missing database is made, otherwise it is errNone.
func (s *Store) write(ctx context.Context, create bool, fn func(*txn) error) error {
	if s.opt.ReadOnly {
		return plumbing.Fail(plumbing.ErrRefused, "this process may only read: facts are not changed",
			"a command started by a model runs with LECODE_READONLY; use the memory tools, which ask")
	}
	lock, err := s.lock(ctx, create)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if create {
		if err := s.create(); err != nil {
			return err
		}
	}
	// Looked at read-only first: opening for writing may change a file, and
	// one that is not ours stays untouched.
	if err := s.settle(ctx); err != nil {
		return err
	}
	return s.explain("write the fact database", s.writeOnce(ctx, fn))
}

// settle looks at the database read-only, and closes the reader where it is in
// WAL mode: the way back to a rollback journal (design section 6) needs to be
// alone with the file.
func (s *Store) settle(ctx context.Context) error {
	var mode string
	err := s.read(ctx, func(q *query) error {
		return q.db.QueryRowContext(q.ctx, "PRAGMA journal_mode").Scan(&mode)
	})
	if err == nil && mode == "wal" {
		s.mu.Lock()
		ro := s.ro
		s.ro = nil
		s.mu.Unlock()
		err = ro.close()
	}
	return err
}

func (s *Store) writeOnce(ctx context.Context, fn func(*txn) error) error {
	h, done, err := s.handleFor(true)
	if err != nil {
		return err
	}
	defer done()
	// Once begun it ends by commit or rollback here, not by a context on a goroutine of its own.
	inner := context.WithoutCancel(ctx)
	tx, err := h.db.BeginTx(inner, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	l, err := s.look(inner, h, tx)
	if err != nil {
		return err
	}
	t := &txn{query: query{inner, s, tx, currentRelations()}, now: s.opt.Now()}
	t.ex = &exclusions{q: &t.query}
	if l.older {
		if err := t.migrate(l); err != nil {
			return err
		}
	}
	if err := fn(t); err != nil || !t.dirty {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write the fact database: %w", err)
	}
	return tx.Commit()
}

// lock waits for the other writers; SQLite's own waiting is unfair (design
// section 6). Without create a missing database is errNone and nothing is made.
func (s *Store) lock(ctx context.Context, create bool) (*file.Lock, error) {
	_, err := s.checkFiles()
	if err != nil && !(create && errors.Is(err, errNone)) {
		return nil, err
	}
	if err != nil {
		if err := s.prepare(ctx); err != nil {
			return nil, err
		}
	}
	wait, cancel := context.WithTimeout(ctx, s.opt.LockWait)
	defer cancel()
	lock, err := s.opt.Config.Lock(wait, s.lockName(), "lecode facts")
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return nil, fmt.Errorf("wait for the fact database: %w", ctx.Err())
	}
	return lock, err
}

// exec runs one statement of a write transaction.
func (t *txn) exec(statement string, args ...any) error {
	t.dirty = true
	_, err := t.db.ExecContext(t.ctx, statement, args...)
	return err
}
