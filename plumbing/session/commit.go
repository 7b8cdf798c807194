package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// batch is lines that share one fsync.
type batch struct {
	next  int64 // seq of the next line
	seqs  []int64
	sizes []int64
	bytes []byte
}

func (b *batch) add(line []byte) {
	b.bytes = append(append(b.bytes, line...), '\n')
	b.sizes = append(b.sizes, int64(len(line)))
	b.seqs = append(b.seqs, b.next)
	b.next++
}

// commit writes and fsyncs a batch; only then does it count. A failure cuts
// the log back to what was acknowledged and ends the writer: after a failed
// fsync nobody can say what a second one on that descriptor proves.
func (w *Writer) commit(b *batch) ([]int64, error) {
	if len(b.seqs) == 0 {
		return []int64{}, nil
	}
	l := w.log
	start := l.x.end
	before, err := w.untouched()
	if err != nil {
		w.dead = err
		return nil, err
	}
	_, err = l.f.WriteAt(b.bytes, start)
	if err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		w.dead = fmt.Errorf("append to session %q: %w", l.id, err)
		if e := l.f.Truncate(start); e != nil {
			w.dead = fmt.Errorf("%w; and cut it back: %w", w.dead, e)
		}
		l.f.Close()
		return nil, w.dead
	}
	l.size = start + int64(len(b.bytes))
	w.extend(b, start)
	l.s.chains.moved(l.id, before, w.log.x.stamp)
	return b.seqs, nil
}

// untouched makes sure that the log is still the file under its name and as
// long as this writer left it: another program must not lose bytes here, nor
// get records into a file that nobody will read. It returns the log's stamp.
func (w *Writer) untouched() (file.Stamp, error) {
	info, err := w.log.f.Stat()
	if err != nil {
		return file.Stamp{}, fmt.Errorf("look at session %q: %w", w.log.id, err)
	}
	if file.Names(info) == 1 && info.Size() == w.log.size {
		return file.StampOf(info), nil
	}
	return file.Stamp{}, plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("the log of session %q was changed by another program", w.log.id),
		"nothing was written; attach it again")
}

// extend adds the new lines to the index: entries first, then the header. What
// goes wrong here costs the next reader a scan, nothing else.
func (w *Writer) extend(b *batch, start int64) {
	l := w.log
	x := l.x
	last, err := x.at(x.count - 1)
	if err != nil {
		w.reindex()
		return
	}
	event := last.LastEvent
	found := scanned{count: x.count, messages: x.messages, title: x.title}
	at := start
	for i := range b.seqs {
		e, _, _ := fields(b.bytes[at-start : at-start+b.sizes[i]])
		if e.Message() {
			w.lastMsg = b.seqs[i]
			if e.Typed() {
				w.lastUser = b.seqs[i]
			}
		}
		found.add(e, at, b.sizes[i], &event)
		at += b.sizes[i] + 1
	}
	w.writeEntries(&found)
}

func (w *Writer) writeEntries(found *scanned) {
	l, x := w.log, w.log.x
	held := x.count
	x.count, x.end, x.messages, x.title = found.count, found.end, found.messages, found.title
	x.block = x.block[:0]
	if x.f == nil || !l.s.current(l.id, x.f) {
		w.toMemory(found.entries)
		return
	}
	info, err := l.f.Stat()
	if err == nil {
		x.stamp = file.StampOf(info)
		_, err = x.f.WriteAt(found.entries, x.base+held*entrySize)
	}
	if err == nil {
		_, err = x.f.WriteAt(x.header.encode(), 0)
	}
	if err != nil {
		w.toMemory(found.entries)
	}
}

// reindex scans the log where the index file no longer holds. If that fails the
// writer ends: without the chain of events nobody can say what is visible.
func (w *Writer) reindex() {
	info, err := w.log.f.Stat()
	if err == nil {
		err = w.log.scan(info)
	}
	if err == nil {
		err = w.findLast()
	}
	if err != nil {
		w.dead = fmt.Errorf("index session %q again: %w", w.log.id, err)
		return
	}
	if fresh := w.log.s.openIndex(w.log.id, w.log.x.stamp, os.O_RDWR); fresh != nil {
		w.log.x = fresh
	}
}

// toMemory goes on with entries in memory, and tries to put a whole index in place.
func (w *Writer) toMemory(more []byte) {
	l, x := w.log, w.log.x
	entries, inMemory := x.r.(memory)
	if !inMemory {
		w.reindex()
		return
	}
	entries = append(entries, more...)
	x.close()
	x.r, x.base = entries, 0
	if info, err := l.f.Stat(); err == nil {
		x.stamp = file.StampOf(info)
		l.s.writeIndex(l.id, x.header, entries)
		if fresh := l.s.openIndex(l.id, x.stamp, os.O_RDWR); fresh != nil {
			l.x = fresh
		}
	}
}

// current reports whether f is still the index file that readers open.
func (s *Store) current(id string, f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	if runtime.GOOS != "windows" {
		return file.Names(mine) == 1 // a replaced or removed file has no name left
	}
	theirs, err := s.opt.Cache.Lstat(s.indexName(id))
	return err == nil && os.SameFile(mine, theirs)
}

// setTornAside moves the bytes behind the last newline to a file of their own,
// cuts the log there and says so in a record (design section 4).
func (w *Writer) setTornAside() error {
	l := w.log
	size, sum := l.TornBytes(), sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(l.f, l.x.end, size)); err != nil {
		return fmt.Errorf("read the torn tail of session %q: %w", l.id, err)
	}
	if err := l.s.keepTorn(l.id, io.NewSectionReader(l.f, l.x.end, size)); err != nil {
		return err
	}
	if err := l.f.Truncate(l.x.end); err != nil {
		return fmt.Errorf("cut the torn tail of session %q: %w", l.id, err)
	}
	l.size = l.x.end
	line, err := canon.Marshal(struct {
		Bytes  int64  `json:"bytes"`
		SHA256 string `json:"sha256"`
		Type   string `json:"type"`
	}{size, hex.EncodeToString(sum.Sum(nil)), TypeRecovered})
	if err != nil {
		return err
	}
	_, err = w.AppendEvent(context.Background(), line)
	return err
}

// keepTorn writes bytes to the first free <id>.torn-<n>. The same bytes may be
// there already, from a writer that was stopped before it cut the log.
func (s *Store) keepTorn(id string, torn io.ReadSeeker) error {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s/%s.torn-%d", s.dir(), id, n)
		if _, err := s.opt.Config.Lstat(name); err == nil {
			continue
		}
		err := s.opt.Config.WriteNew(name, func(w io.Writer) error {
			if _, err := torn.Seek(0, io.SeekStart); err != nil {
				return err
			}
			_, err := io.Copy(w, torn)
			return err
		})
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("set the torn tail of session %q aside: %w", id, err)
		}
		return nil
	}
}
