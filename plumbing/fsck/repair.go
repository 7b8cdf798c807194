package fsck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/session"
)

// idle is how long nothing may have been written to a temporary file before it
// counts as left over: imports and caches write theirs under no lock.
const idle = time.Minute

// Repair mends what costs nothing to mend, and hands each finding that it
// mended to mended: indexes that do not fit their log are removed, the next
// use makes them anew; left-over temporary files are removed once no writer
// can own them; torn tails are set aside; a cut-off write to the fact database
// is taken back. Nothing that a user said, wrote or forgot is changed. What is
// in use is left alone: a Check afterwards finds what is left.
func (c *Checker) Repair(ctx context.Context, mended func(Finding) error) error {
	var list []Finding
	err := c.Check(ctx, func(f Finding) error {
		list = append(list, f)
		return nil
	})
	if err != nil {
		return err
	}
	for _, f := range list {
		done, err := c.mend(ctx, f)
		if err != nil {
			return fmt.Errorf("repair %q: %w", f.File, err)
		}
		if !done {
			continue
		}
		if err := mended(f); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) mend(ctx context.Context, f Finding) (bool, error) {
	switch f.Code {
	case IndexStale, IndexDamaged, IndexOrphan:
		return removed(c.opt.Cache.Remove(f.name))
	case TemporaryFile:
		return c.removeLeftOver(f)
	case LogTorn:
		return c.setAside(ctx, f)
	case FactsJournal:
		_, err := c.opt.Facts.Generation() // a reader that finds it lets SQLite take it back
		return err == nil, left(err)
	}
	return false, nil
}

// removed is what an error of a removal means; a file that went meanwhile is as good.
func removed(err error) (bool, error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	return false, left(err)
}

// left passes on failures of the machine only: what is refused or in use stays
// as it is, and is found again.
func left(err error) error {
	for _, kind := range []error{plumbing.ErrRefused, plumbing.ErrBusy, plumbing.ErrCorrupt, plumbing.ErrNotFound, plumbing.ErrConflict} {
		if errors.Is(err, kind) {
			return nil
		}
	}
	return err
}

// removeLeftOver takes the lock of whoever may write there first, then looks
// at the file's age, for those who write under none; notes are never written so.
func (c *Checker) removeLeftOver(f Finding) (bool, error) {
	tree := c.tree(f.tree)
	name := c.lockOf(f)
	if name != "" {
		lock, err := c.opt.Config.TryLock(name, "lecode fsck")
		if err != nil {
			return false, left(err)
		}
		defer lock.Unlock()
	}
	info, err := tree.Lstat(f.name)
	if err != nil {
		return removed(err)
	}
	if !info.Mode().IsRegular() && !info.IsDir() || name != c.notesLock() && c.opt.Now().Sub(info.ModTime()) < idle {
		return false, nil
	}
	if info.IsDir() {
		return removed(note.RemoveCopy(tree, f.name))
	}
	return removed(tree.Remove(f.name))
}

// lockOf is the lock under which a temporary file is written, "" for none.
func (c *Checker) lockOf(f Finding) string {
	switch {
	case f.tree == inCache:
		return ""
	case path.Dir(f.name) == c.sessionDir():
		if id := owner(path.Base(f.name)); id != "" {
			return c.lockName(id)
		}
	case strings.HasPrefix(path.Base(f.name), file.TempPrefix+"facts.sqlite3-"):
		return c.factsLock()
	case c.ofNote(f.name):
		return c.notesLock()
	}
	return ""
}

// ofNote reports whether a temporary file was made for a note or its backup.
func (c *Checker) ofNote(name string) bool {
	base := strings.TrimPrefix(path.Base(name), file.TempPrefix)
	switch path.Dir(name) {
	case path.Join(c.memoryDir(), "notes"), path.Join(c.memoryDir(), "daily"):
		return true
	case c.memoryDir():
		// system.md is the override of the base prompt, written under the same lock.
		return strings.HasPrefix(base, note.Memory) || strings.HasPrefix(base, note.Scratchpad) || strings.HasPrefix(base, "system.md")
	}
	return false
}

// owner is the session that a temporary file in the sessions' folder was made
// for: .tmp-<id>.jsonl-<random> or .tmp-<id>.torn-<n>-<random>.
func owner(base string) string {
	rest := strings.TrimPrefix(base, file.TempPrefix)
	for _, mark := range []string{".jsonl-", ".torn-"} {
		if i := strings.LastIndex(rest, mark); i > 0 && session.CheckID(rest[:i]) == nil {
			return rest[:i]
		}
	}
	return ""
}

// setAside attaches the session, which sets its torn tail aside. A copy is
// never attached, and keeps its tail.
func (c *Checker) setAside(ctx context.Context, f Finding) (bool, error) {
	id := strings.TrimSuffix(path.Base(f.name), ".jsonl")
	w, err := c.opt.Repairs.Attach(ctx, id)
	if err != nil {
		return false, left(err)
	}
	return true, w.Close()
}
