package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Log is a session opened for reading. It shows the log as it was when it was
// opened; a writer may go on meanwhile. It is for one goroutine.
type Log struct {
	s       *Store
	id      string
	f       *os.File
	size    int64 // of the log when opened
	x       *index
	head    Header
	foreign bool
	buf     []byte
}

// Open opens a session for reading: no such session is plumbing.ErrNotFound, a
// link or a header of another project plumbing.ErrRefused. A corrupt log opens
// and can be read up to where it breaks; see Corruption.
func (s *Store) Open(ctx context.Context, id string) (*Log, error) {
	return s.open(ctx, id, false)
}

func (s *Store) open(ctx context.Context, id string, foreign bool) (*Log, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	f, err := s.opt.Config.Open(s.logName(id), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(id)
	}
	if err != nil {
		return nil, fmt.Errorf("open session %q: %w", id, err)
	}
	l := &Log{s: s, id: id, f: f}
	if err := l.load(ctx); err != nil {
		l.Close()
		return nil, err
	}
	if err := l.checkHeader(foreign); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// load finds the index that holds for the file, or scans.
func (l *Log) load(ctx context.Context) error {
	deadline := time.NewTimer(indexWait)
	defer deadline.Stop()
	for {
		info, err := l.f.Stat()
		if err != nil {
			return fmt.Errorf("look at session %q: %w", l.id, err)
		}
		l.size = info.Size()
		if l.x = l.s.openIndex(l.id, file.StampOf(info), os.O_RDONLY); l.x != nil {
			return nil
		}
		// A live writer may be between its fsync and its index: look again before scanning.
		if held, err := l.s.opt.Config.Locked(l.s.lockName(l.id)); err != nil || !held {
			return l.scanWithin(ctx, info)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return l.scanWithin(ctx, info)
		case <-time.After(indexWait / 25):
		}
	}
}

// indexWait is how long a reader that finds a live writer waits for its index (design section 4).
const indexWait = 50 * time.Millisecond

// scan reads the whole log and replaces the index by what it finds.
func (l *Log) scan(info fs.FileInfo) error { return l.scanWithin(context.Background(), info) }

func (l *Log) scanWithin(ctx context.Context, info fs.FileInfo) error {
	r, stop := l.s.watched(ctx, l.id, l.f, info.Size())
	defer stop()
	found, err := scan(r, info.Size())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("scan session %q: %w", l.id, err)
	}
	h := header{stamp: file.StampOf(info), count: found.count, end: found.end,
		messages: found.messages, title: found.title, corrupt: found.corrupt}
	l.x.close()
	l.x = &index{header: h, r: memory(found.entries)}
	if again, err := l.f.Stat(); err == nil && file.StampOf(again) == h.stamp {
		l.s.writeIndex(l.id, h, found.entries)
	}
	return nil
}

// memory is entries that are read like a file.
type memory []byte

func (m memory) ReadAt(p []byte, at int64) (int, error) {
	if at >= int64(len(m)) {
		return 0, io.EOF
	}
	n := copy(p, m[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// checkHeader refuses another project's log, a newer one and one under a wrong name.
func (l *Log) checkHeader(foreign bool) error {
	if l.x.count == 0 {
		return nil // corrupt from the first line on
	}
	line, err := l.Record(0)
	if err != nil {
		return err
	}
	l.head = parseHeader(line)
	switch {
	case l.head.Version != Version:
		return plumbing.Fail(plumbing.ErrCorrupt,
			fmt.Sprintf("session %q has version %d; this lecode reads version %d", l.id, l.head.Version, Version),
			"use the lecode that wrote it")
	case l.head.ID != l.id:
		return plumbing.Fail(plumbing.ErrCorrupt, fmt.Sprintf("the log of session %q names itself otherwise in its header", l.id),
			"it was renamed or copied; give it its own name back")
	}
	return l.checkRoot(foreign)
}

// checkRoot refuses a header that names another project, or marks it where foreign ones are let in.
func (l *Log) checkRoot(foreign bool) error {
	p := l.s.opt.Project
	if l.head.Root == p.Root {
		return nil
	}
	if p.Aliases != nil {
		roots, err := p.Aliases()
		if err != nil || slices.Contains(roots, l.head.Root) {
			return err
		}
	}
	l.foreign = true
	if foreign {
		return nil
	}
	return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("session %q belongs to another project, %q", l.id, l.head.Root),
		"ask from that project's directory; if it was moved, `lecode slug --adopt` takes its memory along")
}

// buffers keeps small read buffers between logs: new memory costs more than the read itself.
var buffers sync.Pool

// Close gives the files back.
func (l *Log) Close() error {
	l.x.close()
	if c := cap(l.buf); c > 0 && c <= 2*readChunk {
		b := l.buf
		l.buf = nil
		buffers.Put(&b)
	}
	return l.f.Close()
}

// Beside is the same log with a buffer of its own, for whoever reads in the
// middle of a reading; closing either closes both.
func (l *Log) Beside() *Log {
	twin, x := *l, *l.x
	twin.buf, x.block = nil, nil
	twin.x = &x
	return &twin
}

// ID is the session's ID.
func (l *Log) ID() string { return l.id }

// Header is the first line; zero where the log is corrupt from there on.
func (l *Log) Header() Header { return l.head }

// Last is the seq of the last good record; 0 for none.
func (l *Log) Last() int64 { return max(l.x.count-1, 0) }

// Corruption says where the log breaks; nil where it does not.
func (l *Log) Corruption() *Corruption { return l.x.corrupt }

// TornBytes counts the bytes behind the last newline, which are no record; 0 in a corrupt log.
func (l *Log) TornBytes() int64 {
	if l.x.corrupt != nil {
		return 0
	}
	return l.size - l.x.end
}

// Sync makes what was read durable, before something is derived from it.
func (l *Log) Sync() error {
	if err := l.f.Sync(); err != nil {
		return fmt.Errorf("sync session %q: %w", l.id, err)
	}
	return nil
}

// Entry is the index entry of a record, with its size but without its bytes.
// A seq past the end is plumbing.ErrNotFound.
func (l *Log) Entry(seq int64) (Entry, error) {
	if seq < 0 || seq >= l.x.count {
		return Entry{}, plumbing.Fail(plumbing.ErrNotFound,
			fmt.Sprintf("session %q has no record %d; it ends at %d", l.id, seq, l.Last()), "")
	}
	e, err := l.sized(seq)
	if errors.Is(err, errIndex) && l.x.f != nil {
		if err := l.rescan(); err != nil {
			return Entry{}, err
		}
		return l.Entry(seq)
	}
	return e, err
}

func (l *Log) sized(seq int64) (Entry, error) {
	e, err := l.x.at(seq)
	if err != nil {
		return e, err
	}
	end := l.x.end
	if seq+1 < l.x.count {
		next, err := l.x.at(seq + 1)
		if err != nil {
			return e, err
		}
		end = next.Offset
	}
	if e.Size = end - e.Offset - 1; e.Size < 0 {
		return e, fmt.Errorf("entry %d: %w", seq, errIndex)
	}
	return e, nil
}

// rescan replaces an index that turned out not to hold.
func (l *Log) rescan() error {
	info, err := l.f.Stat()
	if err != nil {
		return fmt.Errorf("look at session %q: %w", l.id, err)
	}
	l.size = info.Size()
	return l.scan(info)
}

// Record returns the stored bytes of one record without the newline, in a slice of their own.
func (l *Log) Record(seq int64) ([]byte, error) {
	for e, err := range l.Records(seq, seq) {
		if err != nil {
			return nil, err
		}
		return slices.Clone(e.Raw), nil
	}
	return nil, plumbing.Fail(plumbing.ErrNotFound,
		fmt.Sprintf("session %q has no record %d; it ends at %d", l.id, seq, l.Last()), "")
}

// Records yields the records from..to inclusive with their bytes, as far as
// there are any; the bytes hold until the next step. It reads what it yields
// and no more, at most 128 KiB or one record at a time.
func (l *Log) Records(from, to int64) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		to := min(to, l.x.count-1)
		for seq := max(from, 0); seq <= to; {
			run, err := l.run(seq, to)
			if err == nil {
				err = l.read(run)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			for _, e := range run {
				at := e.Offset - run[0].Offset
				e.Raw = l.buf[at : at+e.Size : at+e.Size]
				if !yield(e, nil) {
					return
				}
			}
			seq += int64(len(run))
		}
	}
}

// readChunk is less than chunk: a source is read once, and what stays in the
// processor's cache between reading and hashing costs less than a system call.
const readChunk = 128 << 10

// run is the entries from seq on that are read at once.
func (l *Log) run(seq, to int64) ([]Entry, error) {
	run := make([]Entry, 0, min(to-seq+1, 64))
	size := int64(0)
	for ; seq <= to; seq++ {
		e, err := l.Entry(seq)
		if err != nil {
			return nil, err
		}
		if size += e.Size + 1; len(run) > 0 && size > readChunk {
			break
		}
		run = append(run, e)
	}
	return run, nil
}

// read fills buf with the bytes of a run and checks that the index still cuts it into lines.
func (l *Log) read(run []Entry) error {
	last := run[len(run)-1]
	size := last.Offset + last.Size + 1 - run[0].Offset
	if l.buf == nil {
		if b, ok := buffers.Get().(*[]byte); ok {
			l.buf = *b
		}
	}
	if int64(cap(l.buf)) < size {
		l.buf = make([]byte, max(size, min(2*int64(cap(l.buf)), readChunk)))
	}
	l.buf = l.buf[:size]
	if _, err := l.f.ReadAt(l.buf, run[0].Offset); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read session %q: %w", l.id, err)
	}
	for _, e := range run {
		if l.buf[e.Offset-run[0].Offset+e.Size] != '\n' {
			return (&Corruption{e.Seq + 1, e.Offset, "the line changed while it was being read"}).Err(l.id)
		}
	}
	return nil
}
