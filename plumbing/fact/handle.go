package fact

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"modernc.org/sqlite"
)

// handle is one connection to the database file as it was when it was opened.
type handle struct {
	db   *sql.DB
	info fs.FileInfo    // of the file that was opened
	uses sync.WaitGroup // work in progress; close waits for it

	mu    sync.Mutex
	known *layout // what the last transaction on it found
}

func (h *handle) close() error {
	if h == nil {
		return nil
	}
	h.uses.Wait()
	return h.db.Close()
}

// pragmas are set through the DSN, so that no connection can lack one (design
// section 6). temp_store keeps texts out of temporary files.
func pragmas() []string {
	return []string{"busy_timeout(5000)", "foreign_keys(ON)", "secure_delete(ON)",
		"synchronous(EXTRA)", "temp_store(MEMORY)", "trusted_schema(OFF)"}
}

// dsn names the file for SQLite. No mode ever makes it: create.go does, whole.
// A reader cannot change the journal mode, so it does not try.
func dsn(path string, write bool) string {
	q := "?mode=ro"
	if write {
		q = "?mode=rw&_txlock=immediate&_pragma=journal_mode(DELETE)"
	}
	for _, p := range pragmas() {
		q += "&_pragma=" + p
	}
	path = filepath.ToSlash(path)
	if runtime.GOOS == "windows" {
		path = "/" + path
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + q
}

// handleFor returns the open reader or writer, opened anew where the file was
// replaced. The caller calls done when its work is done. A missing file is errNone.
func (s *Store) handleFor(write bool) (h *handle, done func(), err error) {
	info, err := s.checkFiles()
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	slot := &s.ro
	if write {
		slot = &s.rw
	}
	if h = *slot; h == nil || !os.SameFile(h.info, info) {
		*slot = nil
		go h.close()
		if h, err = s.open(info, write); err != nil {
			return nil, nil, err
		}
		*slot = h
	}
	h.uses.Add(1)
	return h, h.uses.Done, nil
}

// checkFiles refuses what may not stand where the database or SQLite's own
// files beside it lie, and returns the database's file info. A missing
// database is errNone, an empty one corrupt: create.go never leaves one.
func (s *Store) checkFiles() (fs.FileInfo, error) {
	const name = "facts.sqlite3"
	list, err := s.opt.Config.CheckFiles(s.folder(), name, name+"-journal", name+"-wal", name+"-shm")
	if err != nil {
		return nil, err
	}
	switch info := list[0]; {
	case info == nil:
		return nil, errNone
	case info.Size() == 0:
		return nil, s.corrupt("it is empty", nil)
	default:
		return info, nil
	}
}

func (s *Store) open(info fs.FileInfo, write bool) (*handle, error) {
	// The path is resolved up to the tree, so that SQLite has no link left to follow.
	dir, err := filepath.EvalSymlinks(s.opt.Config.Dir)
	if err != nil {
		return nil, fmt.Errorf("open the fact database: %w", err)
	}
	path := filepath.Join(dir, filepath.FromSlash(s.name()))
	c, err := sqlite.NewConnector(dsn(path, write))
	if err != nil {
		return nil, fmt.Errorf("open the fact database: %w", err)
	}
	h := &handle{db: sql.OpenDB(c), info: info}
	h.db.SetMaxOpenConns(1)
	if err := s.sameFile(h, path); err != nil {
		h.db.Close()
		return nil, err
	}
	return h, nil
}

// sameFile makes sure that SQLite opened the name that was checked, not where
// a link led that was put there in between: SQLite tells the path behind links.
func (s *Store) sameFile(h *handle, path string) error {
	var seq int
	var name, opened string
	err := h.db.QueryRowContext(context.Background(), "PRAGMA database_list").Scan(&seq, &name, &opened)
	if err != nil {
		return s.explain("open the fact database", err)
	}
	if runtime.GOOS != "windows" && opened != path {
		if err := s.opt.Config.CheckFile(s.name()); err != nil {
			return err
		}
		return s.corrupt("SQLite opened another file in its place", nil)
	}
	return nil
}
