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
	_, err := l.f.WriteAt(b.bytes, start)
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
	return b.seqs, nil
}

// extend adds the new lines to the index: entries first, then the header. What
// goes wrong here costs the next reader a scan, nothing else.
func (w *Writer) extend(b *batch, start int64) {
	l := w.log
	x := l.x
	event := int64(0)
	if last, err := x.at(x.count - 1); err == nil {
		event = last.LastEvent
	}
	found := scanned{count: x.count, messages: x.messages, title: x.title}
	at := start
	for i := range b.seqs {
		e, _, _ := fields(b.bytes[at-start : at-start+b.sizes[i]])
		if e.Message() {
			w.lastMsg = b.seqs[i]
			if e.Origin == OriginUser {
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
		w.toMemory(held, found.entries)
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
		w.toMemory(held, found.entries)
	}
}

// toMemory goes on with entries in memory where the index file cannot be used, and tries to put a whole one in place.
func (w *Writer) toMemory(held int64, more []byte) {
	l, x := w.log, w.log.x
	entries, inMemory := x.r.(memory)
	if !inMemory {
		entries = make(memory, held*entrySize)
		if n, _ := x.r.ReadAt(entries, x.base); n < len(entries) {
			found, err := scan(l.f, l.size)
			if err != nil {
				return
			}
			entries, more = found.entries, nil
		}
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
	theirs, err := s.opt.Cache.Lstat(s.indexName(id))
	return err == nil && os.SameFile(mine, theirs)
}

// setTornAside moves the bytes behind the last newline to a file of their own,
// cuts the log there and says so in a record (design section 4).
func (w *Writer) setTornAside() error {
	l := w.log
	torn := make([]byte, l.TornBytes())
	if _, err := l.f.ReadAt(torn, l.x.end); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the torn tail of session %q: %w", l.id, err)
	}
	if err := l.s.keepTorn(l.id, torn); err != nil {
		return err
	}
	if err := l.f.Truncate(l.x.end); err != nil {
		return fmt.Errorf("cut the torn tail of session %q: %w", l.id, err)
	}
	l.size = l.x.end
	sum := sha256.Sum256(torn)
	line, err := canon.Marshal(struct {
		Bytes  int    `json:"bytes"`
		SHA256 string `json:"sha256"`
		Type   string `json:"type"`
	}{len(torn), hex.EncodeToString(sum[:]), TypeRecovered})
	if err != nil {
		return err
	}
	_, err = w.AppendEvent(context.Background(), line)
	return err
}

// keepTorn writes bytes to the first free <id>.torn-<n>. The same bytes may be
// there already, from a writer that was stopped before it cut the log.
func (s *Store) keepTorn(id string, torn []byte) error {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s/%s.torn-%d", s.dir(), id, n)
		if _, err := s.opt.Config.Lstat(name); err == nil {
			continue
		}
		err := s.opt.Config.WriteNew(name, func(w io.Writer) error {
			_, err := w.Write(torn)
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
