package fact

import (
	"context"
	"path"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// DefaultLockWait is how long a write waits for other writers before it fails with plumbing.ErrBusy.
const DefaultLockWait = 30 * time.Second

// Validator judges evidence; source.Validator is one. It is called inside the
// transaction with that transaction's exclusions and must ask those, never
// the Store. Its own errors are passed on as they are.
type Validator interface {
	// Validate reports whether the records of ref are there, unchanged and visible for p.
	Validate(ctx context.Context, ex session.Exclusions, ref source.Ref, p session.Purpose) (source.Status, error)
	// Sync makes the file that holds ref durable, before a fact is derived from it.
	Sync(ctx context.Context, ref source.Ref) error
	// Evidence says what kind of words the records of a valid ref hold.
	Evidence(ctx context.Context, ref source.Ref) (source.Evidence, error)
}

// Options is what a Store works with.
type Options struct {
	Config    file.Tree        // <config_dir>
	Slug      string           // the project's, exactly (design section 3)
	Validator Validator        // needed by whatever takes or judges evidence
	Now       func() time.Time // stamps facts, revisions and forgets
	ReadOnly  bool             // every write is refused
	Enabled   bool             // memory.enabled (design section 6)
	LockWait  time.Duration    // longest wait for other writers; 0 is DefaultLockWait
	// Prepare, where set, runs before the project's memory folder is first
	// made, under no lock; the legacy Markdown is copied there (design section 3).
	Prepare func(ctx context.Context) error
}

// Store is one project's facts. It is safe for use by many goroutines and,
// on one database, by many processes. It satisfies session.Exclusions.
type Store struct {
	opt Options
	mu  sync.Mutex // guards the two handles, not the work on them
	ro  *handle    // opened by the first read
	rw  *handle    // opened by the first write
}

var (
	_ session.Exclusions = (*Store)(nil)
	_ session.Exclusions = View{}
)

// NewStore opens nothing and makes nothing. A missing database answers
// generation 0, no facts and nothing excluded; only the first write makes it.
func NewStore(opt Options) *Store {
	if opt.LockWait <= 0 {
		opt.LockWait = DefaultLockWait
	}
	return &Store{opt: opt}
}

// Close lets go of the database once the work in progress is done. The Store may be used again after it.
func (s *Store) Close() error {
	s.mu.Lock()
	ro, rw := s.ro, s.rw
	s.ro, s.rw = nil, nil
	s.mu.Unlock()
	err := ro.close()
	if e := rw.close(); err == nil {
		err = e
	}
	return err
}

// Path returns the absolute path of the database, whether it is there or not.
func (s *Store) Path() string { return s.opt.Config.Path(s.name()) }

func (s *Store) folder() string   { return path.Join("memory", s.opt.Slug) }
func (s *Store) name() string     { return path.Join(s.folder(), "facts.sqlite3") }
func (s *Store) lockName() string { return path.Join(s.folder(), "facts.lock") }
