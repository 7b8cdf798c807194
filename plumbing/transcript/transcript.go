package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// Transcript is one source that is ready to be read.
type Transcript struct {
	// Format is the name of the format it was opened as.
	Format string
	// SourceID is what the source calls itself; ID where it has no name for itself.
	SourceID string
	// ID is the session ID that an import gives it (design section 4): the
	// source's own where it fits the grammar of session IDs, else "i-" and 24
	// hex digits of SHA-256 over the format, a newline, and the file's bytes
	// (one-document formats) or its first line.
	ID string

	name   string
	read   func(*emitter) error
	report Report
}

// source is what a reader is handed.
type source struct {
	r      io.ReaderAt
	size   int64
	name   string // for messages
	format string
}

// Open prepares the first size bytes of r, called name in messages, for
// reading as format. It scans the source once, or reads it whole for a
// one-document format. A format that is not known, a source that holds
// nothing, a document over MaxDocument and a line over canon.MaxRecord wrap
// plumbing.ErrInvalid; a failed read is the reader's own error.
func Open(format string, r io.ReaderAt, size int64, name string) (*Transcript, error) {
	for _, f := range formats() {
		if f.name == format && f.open != nil {
			return f.open(source{r: r, size: size, name: name, format: format})
		}
	}
	return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is no transcript format", format),
		"known formats: "+strings.Join(Formats(), ", "))
}

// Records yields the records in order: canonical objects without seq and
// generation, each at most canon.MaxRecord with room for both, each slice the
// caller's to keep. An error is the last thing it yields; one that the source
// is to blame for wraps plumbing.ErrInvalid and names the line. Ranging again
// yields the same records.
func (t *Transcript) Records() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		e := &emitter{yield: yield, name: t.name, report: newReport(), answers: newAnswers()}
		err := t.read(e)
		e.report.Usage = e.answers.total
		t.report = e.report
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// Report tells what the last run of Records met.
func (t *Transcript) Report() Report { return t.report }

// errStopped ends a run whose consumer has had enough.
var errStopped = errors.New("the consumer stopped")

// hashID names a source that has no usable name for itself.
func hashID(format string, parts ...[]byte) string {
	h := sha256.New()
	h.Write([]byte(format + "\n"))
	for _, p := range parts {
		h.Write(p)
	}
	return "i-" + hex.EncodeToString(h.Sum(nil))[:24]
}

// fitsID reports whether s fits the grammar of session IDs (design section 4).
func fitsID(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '_' && c != '-') {
			return false
		}
	}
	return true
}

// wrong is an error that the source is to blame for.
func wrong(name, format string, a ...any) error {
	return plumbing.Fail(plumbing.ErrInvalid, name+": "+fmt.Sprintf(format, a...), "")
}
