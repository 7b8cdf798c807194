package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lecode/lecode/plumbing/canon"
)

// line is one line of a JSONL source, without its line end and the BOM.
type line struct {
	bytes  []byte // valid until the next line is read
	number int64  // from 1, blank lines included
	offset int64  // of bytes in the source
	ended  bool   // it has its newline
}

// lineReader reads the lines of a source one by one, holding one.
type lineReader struct {
	src    source
	r      *bufio.Reader
	buf    []byte
	number int64
	offset int64
	blank  int64 // lines of white space only, passed over
}

func newLineReader(src source) *lineReader {
	return &lineReader{src: src, r: bufio.NewReaderSize(io.NewSectionReader(src.r, 0, src.size), 1<<16)}
}

// next returns the next line that is not blank, or io.EOF. A line over
// canon.MaxRecord wraps plumbing.ErrInvalid, naming its number and size.
func (lr *lineReader) next() (line, error) {
	for {
		l, err := lr.read()
		if err != nil {
			return line{}, err
		}
		if len(bytes.TrimSpace(l.bytes)) > 0 {
			return l, nil
		}
		if l.ended {
			lr.blank++
		}
	}
}

func (lr *lineReader) read() (line, error) {
	size, err := lr.fill()
	switch {
	case errors.Is(err, io.EOF) && size == 0:
		return line{}, io.EOF
	case err != nil && !errors.Is(err, io.EOF):
		return line{}, fmt.Errorf("read %s: %w", lr.src.name, err)
	}
	l := line{offset: lr.offset, number: lr.number + 1, ended: err == nil}
	lr.number++
	lr.offset += size
	if l.ended {
		size--
	}
	l.bytes = bytes.TrimSuffix(bytes.TrimSuffix(lr.buf, []byte("\n")), []byte("\r"))
	if l.number == 1 {
		cut := bytes.TrimPrefix(l.bytes, []byte("\uFEFF"))
		l.offset += int64(len(l.bytes) - len(cut))
		l.bytes = cut
	}
	if len(l.bytes) > canon.MaxRecord {
		return line{}, wrong(lr.src.name, "line %d is %d bytes long, the most is %d", l.number, size, canon.MaxRecord)
	}
	return l, nil
}

// fill reads one line with its newline into buf and returns its size. Of a
// line that is too long it keeps no more than it takes to see that.
func (lr *lineReader) fill() (size int64, err error) {
	lr.buf = lr.buf[:0]
	for {
		part, err := lr.r.ReadSlice('\n')
		size += int64(len(part))
		if len(lr.buf) <= canon.MaxRecord+8 {
			lr.buf = append(lr.buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return size, err
		}
	}
}
