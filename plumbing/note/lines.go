package note

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// MaxLine is the most bytes of one line that a search looks at.
const MaxLine = 256 << 10

// piece is a part of a file: whole lines, or a part of a line that is longer
// than MaxLine. Its bytes are valid until the next one is read.
type piece struct {
	data      []byte
	goesOn    bool // its last line has more to come
	continues bool // it goes on with the last line of the piece before
}

// lineReader reads a file in pieces that are UTF-8 text, in the memory of one.
type lineReader struct {
	r     io.Reader
	buf   []byte
	n     int // bytes in buf
	taken int // of them, those of the last piece
	first bool
	piece piece
	ended bool
}

func newLineReader(r io.Reader, buf []byte) *lineReader {
	return &lineReader{r: r, buf: buf, first: true}
}

// next returns the next piece, io.EOF after the last, and plumbing.ErrInvalid
// where the file is not text, which may be late.
func (l *lineReader) next(file string) (piece, error) {
	l.n = copy(l.buf, l.buf[l.taken:l.n])
	l.taken = 0
	for !l.ended && l.n < len(l.buf) {
		n, err := l.r.Read(l.buf[l.n:])
		l.n += n
		if errors.Is(err, io.EOF) {
			l.ended = true
		} else if err != nil {
			return piece{}, fmt.Errorf("read %q: %w", file, err)
		}
	}
	if l.n == 0 {
		return piece{}, io.EOF
	}
	p := piece{data: l.buf[:l.n], continues: l.piece.goesOn}
	if !l.ended {
		if i := bytes.LastIndexByte(p.data, '\n'); i >= 0 {
			p.data = p.data[:i+1]
		} else {
			p.data, p.goesOn = wholeCharacters(p.data), true
		}
	}
	if fault := l.fault(p.data); fault != "" {
		return piece{}, notShown(file, fault)
	}
	l.taken, l.piece = len(p.data), p
	return p, nil
}

// fault is notText for a piece: only the first one can begin with a BOM.
func (l *lineReader) fault(b []byte) string {
	first := l.first
	l.first = false
	if !first {
		switch {
		case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
			return "it is not valid UTF-8"
		}
	}
	return notText(b)
}

// checkAll reads a file to its end, to tell whether it is text.
func checkAll(r io.Reader, file string, buf []byte) error {
	l := newLineReader(r, buf)
	for {
		_, err := l.next(file)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// longLine says that a line was not searched whole.
func longLine(file string, line int64) error {
	return plumbing.Fail(plumbing.ErrInvalid,
		fmt.Sprintf("line %d of %s is longer than %d bytes and was searched to there only", line, show(file), MaxLine), "break it")
}

// lineAt is the line that byte at of data lies in: from its beginning to its LF or the end of data.
func lineAt(data []byte, at int) (start, end int) {
	start = bytes.LastIndexByte(data[:at], '\n') + 1
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return start, at + i
	}
	return start, len(data)
}

// lineText is the line of data from start to end without the CR of a CRLF.
func lineText(data []byte, start, end int) []byte {
	if end < len(data) && end > start && data[end-1] == '\r' {
		end--
	}
	return data[start:end]
}

// linesBefore are at most n lines before at, where a line begins or data ends, as they are shown.
func linesBefore(data []byte, at, n int) []string {
	var list []string
	for end := at; end > 0 && len(list) < n; {
		if data[end-1] == '\n' {
			end--
		}
		start, _ := lineAt(data, end)
		text, _ := window(lineText(data, start, end), 0)
		list = append(list, text)
		end = start
	}
	slices.Reverse(list)
	return list
}

// linesAfter are at most n lines from byte from on, as they are shown.
func linesAfter(data []byte, from, n int) []string {
	var list []string
	for from < len(data) && len(list) < n {
		_, end := lineAt(data, from)
		text, _ := window(lineText(data, from, end), 0)
		list = append(list, text)
		from = end + 1
	}
	return list
}

// window is what is shown of a line: all, or MaxText bytes of it with byte at among them.
func window(line []byte, at int) (text string, cut bool) {
	if len(line) <= MaxText {
		return string(line), false
	}
	start := 0
	if at > MaxText/2 {
		start = at - MaxText/8
		for !utf8.RuneStart(line[start]) {
			start--
		}
	}
	return string(wholeCharacters(line[start:min(len(line), start+MaxText)])), true
}
