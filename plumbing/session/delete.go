package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Delete removes a session with its torn files and its index, and keeps its
// lock file: taking that away would let two processes lock two files of one
// name. A session that is attached is plumbing.ErrBusy after Options.LockWait,
// one that is not there plumbing.ErrNotFound, a link or another project's log
// plumbing.ErrRefused. A corrupt one can be deleted.
//
// Facts that stand on it are not touched: they are orphaned, and hold again
// only if its exact records come back (seed, "Correction, forgetting, and recovery").
func (s *Store) Delete(ctx context.Context, id string) error {
	l, err := s.Open(ctx, id)
	if err != nil {
		return err
	}
	l.Close()
	return s.deleteHeld(ctx, id)
}

// deleteHeld takes the lock, and then looks again: while it was waited for the session may have gone.
func (s *Store) deleteHeld(ctx context.Context, id string) error {
	lock, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if err := s.exists(id); err != nil {
		return err
	}
	return s.remove(id)
}

// remove takes the log last: what a crash leaves in between is a session that can be deleted again.
func (s *Store) remove(id string) error {
	torn, err := s.tornFiles(id)
	if err != nil {
		return err
	}
	for _, name := range torn {
		if err := s.opt.Config.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete session %q: its torn file %q: %w", id, path.Base(name), err)
		}
	}
	// An index holds no words and is trusted only for the very file that it
	// describes, so a cache that cannot be written keeps no session alive.
	_ = s.opt.Cache.Remove(s.indexName(id))
	if err := s.opt.Config.Remove(s.logName(id)); err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return &plumbing.Error{Kind: plumbing.ErrRefused, Cause: err,
				Message: fmt.Sprintf("no permission to delete session %q", id), Hint: "check the permissions of its folder"}
		}
		return fmt.Errorf("delete session %q: %w", id, err)
	}
	return nil
}

// tornFiles lists <id>.torn-<n>. What only begins like that is another session's.
func (s *Store) tornFiles(id string) ([]string, error) {
	entries, err := s.opt.Config.ReadDir(s.dir())
	if err != nil {
		return nil, fmt.Errorf("list the torn files of session %q: %w", id, err)
	}
	var names []string
	for _, e := range entries {
		n, ok := strings.CutPrefix(e.Name(), id+".torn-")
		leftOver := strings.HasPrefix(e.Name(), file.TempPrefix+id+".jsonl-") // of an import that was killed
		if leftOver || ok && n != "" && strings.Trim(n, "0123456789") == "" {
			names = append(names, path.Join(s.dir(), e.Name()))
		}
	}
	return names, nil
}
