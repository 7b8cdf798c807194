package coding

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"github.com/lecode/lecode/plumbing"
)

// maxSpills is how many files with long output are kept at once; the oldest go first.
const maxSpills = 16

// newFile makes a file in the private folder, which is made when it is needed,
// and again if somebody has cleaned it away.
func (t *Toolbox) newFile(prefix string) (*os.File, error) {
	s := &t.shell
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.o.TempDir == "" {
		return nil, plumbing.Fail(plumbing.ErrRefused, "there is no folder for temporary files", "tell the user")
	}
	if s.temp != "" {
		f, err := os.CreateTemp(s.temp, prefix)
		if !errors.Is(err, fs.ErrNotExist) {
			return f, unusable(err)
		}
	}
	s.releaseTemp()
	sweep(t.o.TempDir)
	if err := s.makeTemp(t.o.TempDir); err != nil {
		return nil, unusable(err)
	}
	f, err := os.CreateTemp(s.temp, prefix)
	return f, unusable(err)
}

// makeTemp makes the private folder, and holds the lock that says it is in use.
func (s *shellState) makeTemp(top string) error {
	dir, err := os.MkdirTemp(top, fmt.Sprintf("%s%d-", tempPrefix, os.Getpid()))
	if err != nil {
		return err
	}
	owner := flock.New(filepath.Join(dir, ownerName))
	held, err := owner.TryLock()
	if err == nil && !held {
		err = plumbing.ErrBusy
	}
	if err != nil {
		owner.Close()
		os.RemoveAll(dir)
		return err
	}
	s.temp, s.owner, s.spills = dir, owner, nil
	return nil
}

// releaseTemp gives the folder up.
func (s *shellState) releaseTemp() {
	if s.owner != nil {
		s.owner.Close()
	}
	s.temp, s.owner, s.spills = "", nil, nil
}

func unusable(err error) error {
	if err == nil {
		return nil
	}
	return &plumbing.Error{Kind: plumbing.ErrRefused, Message: "the folder for temporary files cannot be written", Hint: "tell the user", Cause: err}
}

// newSpill makes a file for long output.
func (t *Toolbox) newSpill() (*os.File, error) {
	f, err := t.newFile("output-")
	if err != nil {
		return nil, err
	}
	s := &t.shell
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.spills) == maxSpills {
		os.Remove(s.spills[0])
		s.spills = slices.Delete(s.spills, 0, 1)
	}
	s.spills = append(s.spills, f.Name())
	return f, nil
}

func (s *shellState) removeTemp() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.temp == "" {
		return nil
	}
	dir := s.temp
	s.releaseTemp()
	return os.RemoveAll(dir)
}
