package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Writer is a session attached for writing: it alone appends to the log until
// Close. After a failed write or fsync it is dead; attach anew.
type Writer struct {
	log      *Log
	lock     *file.Lock
	lastUser int64 // seq of the last message of origin user
	lastMsg  int64 // seq of the last message
	dead     error
}

// LineError says which of the lines given to Append is bad.
type LineError struct {
	Index int // from 0
	Err   error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Index+1, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Attach takes the session's lock, waiting Options.LockWait for it
// (plumbing.ErrBusy names the holder), and sets a torn tail aside. A corrupt
// session is plumbing.ErrCorrupt, a copy plumbing.ErrRefused.
func (s *Store) Attach(ctx context.Context, id string) (*Writer, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	if err := s.exists(id); err != nil {
		return nil, err
	}
	if IsCopy(id) {
		return nil, plumbing.Fail(plumbing.ErrRefused,
			fmt.Sprintf("session %q is a copy: to read, cite and search, never appended to", id),
			"begin a new session from it with /handoff")
	}
	lock, err := s.lock(ctx, id)
	if err != nil {
		return nil, err
	}
	w, err := s.attached(id)
	if err != nil {
		lock.Unlock()
		return nil, err
	}
	w.lock = lock
	return w, nil
}

func (s *Store) lock(ctx context.Context, id string) (*file.Lock, error) {
	wait, stop := context.WithTimeout(ctx, s.opt.LockWait)
	defer stop()
	lock, err := s.opt.Config.Lock(wait, s.lockName(id), s.opt.Holder)
	if errors.Is(err, plumbing.ErrBusy) {
		var e *plumbing.Error
		if errors.As(err, &e) {
			return nil, plumbing.Fail(plumbing.ErrBusy, fmt.Sprintf("session %q is in use: %s", id, e.Message), e.Hint)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("attach session %q: %w", id, err)
	}
	return lock, nil
}

// attached opens the log for writing, once the lock is held.
func (s *Store) attached(id string) (*Writer, error) {
	f, err := s.opt.Config.Open(s.logName(id), os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(id)
	}
	if err != nil {
		return nil, fmt.Errorf("open session %q: %w", id, err)
	}
	w := &Writer{log: &Log{s: s, id: id, f: f}}
	if err := w.prepare(); err != nil {
		w.log.Close()
		return nil, err
	}
	return w, nil
}

func (w *Writer) prepare() error {
	l := w.log
	info, err := l.f.Stat()
	if err != nil {
		return fmt.Errorf("look at session %q: %w", l.id, err)
	}
	l.size = info.Size()
	if l.x = l.s.openIndex(l.id, file.StampOf(info), os.O_RDWR); l.x == nil {
		if err := l.scan(info); err != nil {
			return err
		}
	}
	if c := l.Corruption(); c != nil {
		return c.Err(l.id)
	}
	if err := l.checkHeader(false); err != nil {
		return err
	}
	if err := w.findLast(); err != nil {
		return err
	}
	if l.TornBytes() > 0 {
		return w.setTornAside()
	}
	return nil
}

// findLast looks for the last messages, from the end.
func (w *Writer) findLast() error {
	for seq := w.log.Last(); seq > 0; seq-- {
		e, err := w.log.Entry(seq)
		if err != nil {
			return err
		}
		if !e.Message() {
			continue
		}
		if w.lastMsg == 0 {
			w.lastMsg = seq
		}
		if e.Typed() {
			w.lastUser = seq
			return nil
		}
	}
	return nil
}

// Err is why the writer takes no more records; nil while it does.
func (w *Writer) Err() error { return w.dead }

// Close gives the lock back.
func (w *Writer) Close() error {
	err := w.log.Close()
	if e := w.lock.Unlock(); err == nil {
		err = e
	}
	return err
}

// Log is the session as the writer sees it, its own appends included.
func (w *Writer) Log() *Log { return w.log }

// Append stores lines, one record each, with one fsync, and returns their
// seqs. generation is the project's; a record may not carry a greater one.
// The lines before the first bad one are stored also where the error is a
// *LineError for that one, which wraps plumbing.ErrInvalid or, for a seq that
// is not the next or a message after an undo that is not the user's,
// plumbing.ErrConflict.
func (w *Writer) Append(ctx context.Context, lines [][]byte, generation int64) ([]int64, error) {
	if w.dead != nil {
		return nil, w.dead
	}
	afterUndo, err := w.afterUndo()
	if err != nil {
		return nil, err
	}
	b := batch{next: w.log.x.count}
	for i, line := range lines {
		if err := w.take(&b, line, generation, &afterUndo); err != nil {
			seqs, e := w.commit(&b)
			if e != nil {
				return seqs, e
			}
			return seqs, &LineError{i, err}
		}
	}
	return w.commit(&b)
}

// take adds one line to the batch.
func (w *Writer) take(b *batch, line []byte, generation int64, afterUndo *bool) error {
	in, err := checkIncoming(line, generation)
	if err != nil {
		return err
	}
	if in.hasSeq && in.seq != b.next {
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("the record has seq %d, the next one is %d", in.seq, b.next),
			"leave \"seq\" out, or read the log again")
	}
	if in.typ == TypeMessage && *afterUndo && in.origin != OriginUser {
		return plumbing.Fail(plumbing.ErrConflict, "after an undo the next message must be the user's",
			"append a user message first, or redo")
	}
	stored, err := in.complete(b.next, stamp(w.log.s.opt.Now()))
	if err != nil {
		return err
	}
	b.add(stored)
	if in.typ == TypeMessage {
		*afterUndo = false
	}
	return nil
}

// afterUndo reports whether an undo that was not redone is later than the last message.
func (w *Writer) afterUndo() (bool, error) {
	last := w.log.Last()
	if last == w.lastMsg {
		return false, nil
	}
	v, err := w.log.undone()
	if err != nil {
		return false, err
	}
	for _, u := range v.undone {
		if u.undo > w.lastMsg {
			return true, nil
		}
	}
	return false, nil
}

// AppendEvent stores one event that a command of its own has made: a canonical
// object without seq and time. It returns the event as stored.
func (w *Writer) AppendEvent(ctx context.Context, object []byte) (Event, error) {
	if w.dead != nil {
		return Event{}, w.dead
	}
	in := incoming{line: object}
	seq := w.log.x.count
	line, err := in.complete(seq, stamp(w.log.s.opt.Now()))
	if err != nil {
		return Event{}, err
	}
	b := batch{next: seq}
	b.add(line)
	if _, err := w.commit(&b); err != nil {
		return Event{}, err
	}
	return Event{Seq: seq, Record: line}, nil
}

// Event is an event as it was stored.
type Event struct {
	Seq    int64
	Record []byte
}
