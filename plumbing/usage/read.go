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
// once: of a line that was written again the first one counts. A line that is
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
		in := bufio.NewReaderSize(r, maxLine+2)
		seen := map[callKey]struct{}{}
		for n := int64(1); ; n++ {
			b, err := in.ReadSlice('\n')
			if errors.Is(err, bufio.ErrBufferFull) {
				if err = skipLine(in); err == nil {
					err = &Damaged{n, fmt.Sprintf("longer than %d bytes", maxLine)}
				}
			}
			switch {
			case errors.Is(err, io.EOF):
				return // what is there is torn
			case errors.As(err, new(*Damaged)):
				if !yield(Line{}, err) {
					return
				}
				continue
			case err != nil:
				yield(Line{}, fmt.Errorf("read the usage ledger: %w", err))
				return
			}
			line, reason := readLine(bytes.TrimSuffix(b, []byte{'\n'}))
			if reason != "" {
				if !yield(Line{}, &Damaged{n, reason}) {
					return
				}
				continue
			}
			key := keyOf(line.CallID)
			if _, again := seen[key]; again {
				continue
			}
			seen[key] = struct{}{}
			if !yield(line, nil) {
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
