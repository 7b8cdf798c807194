package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Project is the project whose sessions a store holds. A log whose header
// names another root is refused.
type Project struct {
	Root, Slug string
	// Aliases lists the old roots that count as this project (design section
	// 3); asked only where a header names another root. May be nil.
	Aliases func() ([]string, error)
}

// Options is what a store needs from outside.
type Options struct {
	Config   file.Tree // <config_dir>
	Cache    file.Tree // <cache_dir>; all in it can be deleted at any time
	Project  Project
	Now      func() time.Time
	NewID    func() (string, error) // a new UUIDv7
	LockWait time.Duration          // how long Attach waits for a session that is held
	Holder   string                 // who holds the lock, for the next one who finds it taken
	Writer   string                 // the header's "writer"; empty means "plumbing"
	// Scanning is told that a session is read whole ("": one that is being
	// imported), and then how far that is, in bytes; stop is called at the end.
	// May be nil.
	Scanning func(id string) (step func(done, total int64), stop func())
}

// Store is the sessions of one project. It holds no open files.
type Store struct {
	opt    Options
	chains chains
}

// NewStore returns a store; it opens nothing and makes nothing.
func NewStore(opt Options) *Store {
	if opt.Writer == "" {
		opt.Writer = "plumbing"
	}
	return &Store{opt: opt}
}

func (s *Store) dir() string               { return path.Join("sessions", s.opt.Project.Slug) }
func (s *Store) logName(id string) string  { return path.Join(s.dir(), id+".jsonl") }
func (s *Store) lockName(id string) string { return path.Join(s.dir(), id+".lock") }

// Info describes a session for a list.
type Info struct {
	ID        string
	Created   string // time of the header; empty where it cannot be read
	Updated   string // time of the last record that has one
	Records   int64
	Messages  int64
	Bytes     int64
	TornBytes int64
	Title     *string
	Imported  *ImportedFrom
	Copy      bool
	Corrupt   *Corruption
	Foreign   bool // the header names another project
}

// New starts a session with a new ID. Its log is in place, header and all, before New returns.
func (s *Store) New(ctx context.Context) (Info, error) {
	id, err := s.opt.NewID()
	if err != nil {
		return Info{}, err
	}
	if err := CheckID(id); err != nil {
		return Info{}, err
	}
	line, err := s.header(id, nil)
	if err != nil {
		return Info{}, err
	}
	err = s.opt.Config.WriteNew(s.logName(id), func(w io.Writer) error {
		_, err := w.Write(append(line, '\n'))
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return Info{}, plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("session %q exists already", id), "try again")
	}
	if err != nil {
		return Info{}, fmt.Errorf("start a session: %w", err)
	}
	return s.Info(ctx, id)
}

// Info describes one session.
func (s *Store) Info(ctx context.Context, id string) (Info, error) {
	l, err := s.open(ctx, id, true)
	if err != nil {
		return Info{}, err
	}
	defer l.Close()
	return l.info()
}

// List describes every session in the project's folder, in the order of their
// IDs, which for sessions of lecode's own is that of their start. What cannot
// be read is listed with what is wrong, so that one damaged log hides no other.
func (s *Store) List(ctx context.Context) ([]Info, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	list := make([]Info, 0, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := s.Info(ctx, id)
		switch {
		case errors.Is(err, plumbing.ErrNotFound):
			continue // deleted meanwhile
		case errors.Is(err, plumbing.ErrRefused), errors.Is(err, plumbing.ErrCorrupt):
			info = Info{ID: id, Corrupt: &Corruption{Line: 1, Reason: err.Error()}}
		case err != nil:
			return nil, err
		}
		list = append(list, info)
	}
	return list, nil
}

// IDs lists the IDs in the project's folder, without opening a log.
func (s *Store) IDs() ([]string, error) {
	entries, err := s.opt.Config.ReadDir(s.dir())
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	ids := []string{}
	for _, e := range entries {
		id, isLog := strings.CutSuffix(e.Name(), ".jsonl")
		if isLog && CheckID(id) == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

func (l *Log) info() (Info, error) {
	i := Info{ID: l.id, Created: l.head.Time, Records: l.Last(), Messages: l.x.messages, Bytes: l.size,
		TornBytes: l.TornBytes(), Imported: l.head.Imported, Copy: IsCopy(l.id), Corrupt: l.x.corrupt,
		Foreign: l.foreign}
	if l.foreign || l.x.count == 0 {
		return i, nil
	}
	i.Updated = l.head.Time
	for seq := l.Last(); seq > max(0, l.Last()-64); seq-- { // a source without times has none at all
		line, err := l.Record(seq)
		if err != nil {
			return i, err
		}
		if t := gjson.GetBytes(line, "time"); t.Type == gjson.String {
			i.Updated = t.Str
			break
		}
	}
	if l.x.title > 0 {
		line, err := l.Record(l.x.title)
		if err != nil {
			return i, err
		}
		if t := gjson.GetBytes(line, "title"); t.Type == gjson.String {
			i.Title = &t.Str
		}
	}
	return i, nil
}

// exists reports a session that is not there as plumbing.ErrNotFound, and a link or pipe as plumbing.ErrRefused.
func (s *Store) exists(id string) error {
	err := s.opt.Config.CheckFile(s.logName(id))
	if errors.Is(err, fs.ErrNotExist) {
		return notFound(id)
	}
	return err
}

func notFound(id string) error {
	return plumbing.Fail(plumbing.ErrNotFound, fmt.Sprintf("no session %q in this project", id),
		"`lecode sessions` lists them")
}
