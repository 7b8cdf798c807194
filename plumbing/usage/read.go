package usage

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
)

// Damaged is a line of the ledger that is not one: it counts nowhere, and the
// lines after it are read.
type Damaged struct {
	Line   int64 // from 1
	Reason string
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("line %d of the usage ledger: %s", d.Line, d.Reason)
}

// Lines yields the calls of the ledger in the order of its lines, each call ID
// once: of a line that was written again the first one counts. What was reserved
// and is neither settled nor cancelled comes last, of Type "reserved". A line that is
// none is yielded as a *Damaged error, and the reading goes on; any other error
// ends it. Bytes behind the last newline are no line; a missing ledger has none.
func (l Ledger) Lines(ctx context.Context) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		f, err := l.Config.Open(l.name(), os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(Line{}, fmt.Errorf("open the usage ledger: %w", err))
			return
		}
		defer f.Close()
		for line, err := range read(f) {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(line, err) || err != nil && !errors.As(err, new(*Damaged)) {
				return
			}
		}
	}
}

// callKey stands for a call ID, so that many long ones take little memory.
type callKey [16]byte

func keyOf(id string) callKey {
	sum := sha256.Sum256([]byte(id))
	return callKey(sum[:16])
}

// read yields the lines of a ledger.
func read(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		calls := merge{seen: map[callKey]bool{}, open: map[callKey]int{}}
		for line, err := range each(r) {
			if err == nil && !calls.takes(line) {
				continue
			}
			if !yield(line, err) {
				return
			}
		}
		for _, line := range calls.reserved {
			if line.CallID != "" && !yield(line, nil) {
				return
			}
		}
	}
}

// merge makes one of the lines of a call.
type merge struct {
	seen     map[callKey]bool // a call, or nothing but what was cancelled: false
	open     map[callKey]int  // where in reserved
	reserved []Line           // the zero value for what is no longer open
}

// takes reports whether a line is the one that stands for its call. A call that
// was made counts, also behind a cancelled line.
func (m *merge) takes(line Line) bool {
	key := keyOf(line.CallID)
	made, known := m.seen[key]
	i, open := m.open[key]
	if line.Type == reserved {
		if !known && !open {
			m.open[key] = len(m.reserved)
			m.reserved = append(m.reserved, line)
		}
		return false
	}
	if open {
		m.reserved[i] = Line{}
		delete(m.open, key)
	}
	m.seen[key] = made || line.Type == called
	return line.Type == called && !made
}

// each yields every line.
func each(r io.Reader) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in := bufio.NewReaderSize(r, maxLine+2)
		for n := int64(1); ; n++ {
			b, err := in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				if err = skipLine(in); err == nil {
					err = &Damaged{n, fmt.Sprintf("longer than %d bytes", maxLine)}
				}
			}
			var line Line
			var damaged *Damaged
			switch {
			case errors.Is(err, io.EOF):
				return // what is there is torn
			case errors.As(err, &damaged):
			case err != nil:
				err = fmt.Errorf("read the usage ledger: %w", err)
			default:
				var reason string
				if line, reason = readLine(bytes.TrimSuffix(b, []byte{'\n'})); reason != "" {
					line, damaged = Line{}, &Damaged{n, reason}
					err = damaged
				}
			}
			if !yield(line, err) || err != nil && damaged == nil {
				return
			}
		}
	}
}

func skipLine(in *bufio.Reader) error {
	for {
		_, err := in.ReadSlice('\n')
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}
