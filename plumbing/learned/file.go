package learned

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/source"
)

// What has become of the line of a verified project fact (design section 15.8).
const (
	Same    = "same"    // the file holds the line
	Changed = "changed" // the file is there and does not hold it
	Gone    = "gone"    // no such file
)

// Checkout is a project's files as they are now.
type Checkout struct {
	Dir     string // its root, absolute; "" where there is none, as in a bare repository
	Sources source.Validator
}

// maxFile is the most bytes of a file that are looked through.
const maxFile = 16 << 20

// State compares a verified project fact with the file that it is about. It is
// nil for a fact that is none, by its text and by the evidence that ref names,
// and where nothing can be said: the path leaves the checkout, is no regular
// file, may not be read, or the file is larger than 16 MiB.
func (c Checkout) State(ctx context.Context, ex session.Exclusions, text string, ref *source.Ref) *string {
	if _, ok := Read(text); !ok || c.Dir == "" || ref == nil {
		return nil
	}
	status, records, err := c.Sources.Records(ctx, ex, *ref, session.Durable)
	if err != nil || status != source.Valid {
		return nil
	}
	o, ok := Observed(text, records)
	if !ok {
		return nil
	}
	return c.holds(o)
}

func (c Checkout) holds(o Observation) *string {
	root, err := os.OpenRoot(c.Dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	f, err := root.OpenFile(filepath.FromSlash(o.Path), os.O_RDONLY|noWait, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return state(Gone)
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil
	}
	return look(io.LimitReader(f, maxFile), o.Line)
}

// look searches for a whole line.
func look(f io.Reader, line string) *string {
	in := bufio.NewReader(f)
	for {
		printed, err := in.ReadBytes('\n')
		printed = bytes.TrimSuffix(bytes.TrimSuffix(printed, []byte{'\n'}), []byte{'\r'})
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil
		case string(printed) == line && (err == nil || len(printed) > 0):
			return state(Same)
		case err != nil:
			return state(Changed)
		}
	}
}

func state(s string) *string { return &s }
