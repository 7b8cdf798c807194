package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// Corruption says where a log stops being what lecode wrote.
type Corruption struct {
	Line   int64 // counted from 1
	Offset int64 // of that line, in bytes
	Reason string
}

// Err is the corruption of the named session as an error that wraps plumbing.ErrCorrupt.
func (c *Corruption) Err(id string) error {
	return plumbing.Fail(plumbing.ErrCorrupt,
		fmt.Sprintf("session %q is corrupt at line %d, byte %d: %s", id, c.Line, c.Offset, c.Reason),
		"it can be read up to there; nothing is appended to it, and its evidence does not hold")
}

// scanned is what a whole pass over a log finds.
type scanned struct {
	entries  []byte // packed, seq 0 first
	count    int64  // entries
	end      int64  // offset behind the last good line
	messages int64
	title    int64 // seq of the last title; 0: none
	corrupt  *Corruption
}

// scan reads a log from its first byte to size, line by line, 1 MiB at a time, and checks each line.
func scan(r io.ReaderAt, size int64) (*scanned, error) {
	s := &scanned{}
	lines := lineReader{r: r, size: size}
	scratch := []byte(nil)
	event := int64(0)
	for {
		line, offset, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			if s.count == 0 && s.corrupt == nil {
				s.corrupt = &Corruption{Line: 1, Offset: 0, Reason: "no header line"}
			}
			return s, nil
		case errors.Is(err, errTooLong):
			s.corrupt = &Corruption{s.count + 1, offset, fmt.Sprintf("a line longer than %d bytes", canon.MaxRecord)}
			return s, nil
		case err != nil:
			return nil, fmt.Errorf("read the log: %w", err)
		}
		var e Entry
		var reason string
		e, scratch, reason = checkLine(line, scratch, s.count)
		if reason != "" {
			s.corrupt = &Corruption{s.count + 1, offset, reason}
			return s, nil
		}
		s.add(e, offset, int64(len(line)), &event)
	}
}

func (s *scanned) add(e Entry, offset, size int64, event *int64) {
	if effect(e.Type) {
		*event = s.count
	}
	e.Seq, e.Offset, e.LastEvent = s.count, offset, *event
	s.entries = appendEntry(s.entries, e)
	s.count++
	s.end = offset + size + 1
	switch e.Type {
	case TypeMessage:
		s.messages++
	case TypeTitle:
		s.title = e.Seq
	}
}

// checkLine says what is wrong with a complete line that should have the seq; "" for nothing.
func checkLine(line, scratch []byte, seq int64) (Entry, []byte, string) {
	if len(line) == 0 {
		return Entry{}, scratch, "an empty line"
	}
	scratch, err := canon.Check(line, scratch)
	if err != nil {
		return Entry{}, scratch, err.Error()
	}
	e, got, ok := fields(line)
	switch {
	case !ok:
		return e, scratch, "a record without a seq or a type, or with a generation that is none"
	case got != seq:
		return e, scratch, fmt.Sprintf("seq %d where %d is due", got, seq)
	case (seq == 0) != (e.Type == TypeSession):
		return e, scratch, "a header where a record is due, or none at the start"
	}
	return e, scratch, ""
}

// chunk is how much of a log is read at once.
const chunk = 1 << 20

// errTooLong: a line passes canon.MaxRecord; it was not read to its end.
var errTooLong = errors.New("line too long")

// lineReader cuts a file into lines; bytes behind the last newline are no line.
type lineReader struct {
	r      io.ReaderAt
	size   int64 // read no further
	offset int64 // of buf[0]
	buf    []byte
	start  int // of the next line in buf
	seen   int // buf[start:seen] holds no newline
}

// next returns the next line without its newline, valid until the next call, and its offset.
func (l *lineReader) next() (line []byte, offset int64, err error) {
	for {
		if i := bytes.IndexByte(l.buf[l.seen:], '\n'); i >= 0 {
			line, offset = l.buf[l.start:l.seen+i], l.offset+int64(l.start)
			l.start = l.seen + i + 1
			l.seen = l.start
			if len(line) > canon.MaxRecord {
				return nil, offset, errTooLong
			}
			return line, offset, nil
		}
		l.seen = len(l.buf)
		if l.seen-l.start > canon.MaxRecord {
			return l.skip()
		}
		if err := l.fill(); err != nil {
			return nil, l.offset + int64(l.start), err
		}
	}
}

// skip passes over a line that is too long without holding it. Where no newline
// ends it, it is no line at all but a torn tail.
func (l *lineReader) skip() (line []byte, offset int64, err error) {
	offset = l.offset + int64(l.start)
	for {
		l.start, l.seen = len(l.buf), len(l.buf)
		if err := l.fill(); err != nil {
			return nil, offset, err
		}
		if bytes.IndexByte(l.buf, '\n') >= 0 {
			return nil, offset, errTooLong
		}
	}
}

// fill reads on, after moving the unfinished line to the front.
func (l *lineReader) fill() error {
	at := l.offset + int64(len(l.buf))
	want := min(chunk, l.size-at)
	if want <= 0 {
		return io.EOF
	}
	rest := len(l.buf) - l.start
	if need := rest + int(want); need > cap(l.buf) {
		grown := make([]byte, rest, max(need, 2*cap(l.buf)))
		copy(grown, l.buf[l.start:])
		l.buf = grown
	} else {
		copy(l.buf, l.buf[l.start:])
		l.buf = l.buf[:rest]
	}
	l.offset += int64(l.start)
	l.start, l.seen = 0, rest
	n, err := l.r.ReadAt(l.buf[rest:rest+int(want)], at)
	l.buf = l.buf[:rest+n]
	if n > 0 {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return io.EOF
	}
	return err
}
