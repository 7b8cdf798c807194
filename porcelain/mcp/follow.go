package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/plumbing/transcript"
)

// Follower imports the transcript that a foreign agent is writing, before each
// answer, so that its user's words can be evidence (design section 4). It
// keeps its place in memory: a file that only grew is read from there. One
// that was replaced, cut or edited is compared whole, and where it then
// differs from what is stored, nothing is written and a line says so. It is
// safe for many goroutines, which wait for one another.
type Follower struct {
	File, Format string // Format empty: told from the file
	Sessions     *session.Store
	// Generation is what a record of that time gets where it is not the user's (session.ImportOptions).
	Generation func() (func(time.Time) int64, error)
	// Log takes a line for whoever reads the server's stderr.
	Log func(format string, a ...any)

	mu    sync.Mutex
	place *place // nil: at the beginning
	id    string // the session's; "" before anything was imported
	said  string // the last line about a failure, so that it is said once
	stamp file.Stamp
}

// place is how far a file has been read.
type place struct {
	format string
	g      *transcript.Growing
	mark   session.Mark
	stamp  file.Stamp
	size   int64  // bytes that ends belong to
	ends   []byte // the first and the last bytes of those
}

// Check tells whether the format can be followed (plumbing.ErrInvalid where
// not); the file need not be there yet.
func (f *Follower) Check() error {
	if f.Format == "" {
		return nil
	}
	_, err := transcript.Grow(f.Format, f.File)
	return err
}

// Refresh imports what is new and returns the session's ID, "" while there is
// none. What goes wrong is told to Log; what is stored already stays good.
func (f *Follower) Refresh(ctx context.Context) (sessionID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.refresh(ctx)
	switch {
	case errors.Is(err, errSame):
	case err == nil:
		f.said = ""
	case ctx.Err() != nil:
	case err.Error() != f.said:
		f.said = err.Error()
		f.Log("%s is not taken in: %s", f.File, plumbing.Explain(err))
	}
	return f.id
}

// errSame: the file is as it was when it was last looked at.
var errSame = errors.New("the transcript is as it was")

// Where says in a line which session the conversation is and where the user's
// last words in it stand, for whoever wants to recall them; "" before there is any.
func (f *Follower) Where(ctx context.Context) string {
	f.mu.Lock()
	id := f.id
	f.mu.Unlock()
	if id == "" {
		return ""
	}
	l, err := f.Sessions.Open(ctx, id)
	if err != nil {
		return ""
	}
	defer l.Close()
	where := fmt.Sprintf("This conversation is session %q, so far positions 1 to %d", id, l.Last())
	for seq := l.Last(); seq > 0; seq-- {
		if e, err := l.Entry(seq); err != nil || e.Typed() {
			return where + fmt.Sprintf("; the user's last words are at %d.\n", seq)
		}
	}
	return where + ".\n"
}

func (f *Follower) refresh(ctx context.Context) error {
	info, err := os.Stat(f.File)
	if errors.Is(err, fs.ErrNotExist) {
		f.place, f.stamp = nil, file.Stamp{}
		return plumbing.Fail(plumbing.ErrNotFound, "it is not there", "it is taken in once it is")
	}
	if err != nil {
		return fmt.Errorf("look at the transcript: %w", err)
	}
	if !info.Mode().IsRegular() { // never waits for a FIFO
		return plumbing.Fail(plumbing.ErrInvalid, "it is not a regular file", "give the transcript's file itself")
	}
	if file.StampOf(info) == f.stamp {
		return errSame
	}
	r, err := os.Open(f.File)
	if err != nil {
		return fmt.Errorf("open the transcript: %w", err)
	}
	defer r.Close()
	if info, err = r.Stat(); err != nil {
		return fmt.Errorf("look at the transcript: %w", err)
	}
	return f.take(ctx, r, info)
}

// take imports from an open file: what is new, or where that cannot be told, all of it.
func (f *Follower) take(ctx context.Context, r *os.File, info fs.FileInfo) error {
	f.stamp = file.StampOf(info)
	if f.place != nil {
		why, err := f.place.changed(r, info)
		if err != nil {
			return err
		}
		if why != "" {
			f.Log("%s %s: it is compared whole with what is stored", f.File, why)
			f.place = nil
		}
	}
	err := f.more(ctx, r, info)
	if errors.Is(err, transcript.ErrReordered) || errors.Is(err, session.ErrMark) {
		f.place = nil
		err = f.more(ctx, r, info)
	}
	if err != nil {
		f.place = nil
		if errors.Is(err, plumbing.ErrBusy) || ctx.Err() != nil {
			f.stamp = file.Stamp{} // try again with the next request, also where the file is the same
		}
	}
	return err
}

// more imports what is new behind the place.
func (f *Follower) more(ctx context.Context, r *os.File, info fs.FileInfo) error {
	p := f.place
	if p == nil {
		format, err := f.format(r)
		if err != nil || format == "" {
			return err
		}
		p = &place{format: format}
		if p.g, err = transcript.Grow(format, f.File); err != nil {
			return err
		}
	}
	more, err := p.g.Look(r, info.Size())
	if err != nil {
		return err
	}
	if more {
		if err := f.store(ctx, p); err != nil {
			return err
		}
	}
	if err := p.remember(r, info); err != nil {
		return err
	}
	f.place = p
	return nil
}

// store imports what the last Look found.
func (f *Follower) store(ctx context.Context, p *place) error {
	generation, err := f.Generation()
	if err != nil {
		return err
	}
	id, sourceID := p.g.ID()
	got, err := f.Sessions.ImportMore(ctx, session.ImportOptions{
		ID: id, From: session.ImportedFrom{Format: p.format, SourceID: sourceID},
		Records: p.g.Records(), Generation: generation,
	}, &p.mark)
	if err != nil {
		return err
	}
	f.id = got.ID
	if got.Appended > 0 {
		f.Log("%s: %d new records in session %s", f.File, got.Appended, got.ID)
	}
	return nil
}

// format is the one given, or the one that the file shows; "" while it shows none.
func (f *Follower) format(r io.ReaderAt) (string, error) {
	if f.Format != "" {
		return f.Format, nil
	}
	head := make([]byte, transcript.HeadSize)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the transcript: %w", err)
	}
	format, ok := transcript.Detect(head[:n])
	if !ok && bytes.IndexByte(head[:n], '\n') < 0 {
		return "", nil // its first line is still being written
	}
	if !ok {
		return "", plumbing.Fail(plumbing.ErrInvalid, "its format cannot be told", "name it with --format: "+strings.Join(transcript.Growable(), ", "))
	}
	return format, nil
}

// maxEnds is how many bytes at either end of what was read are looked at again.
const maxEnds = 4096

// remember keeps what changed goes by.
func (p *place) remember(r io.ReaderAt, info fs.FileInfo) (err error) {
	p.stamp, p.size = file.StampOf(info), p.g.Offset()
	p.ends, err = ends(r, p.size)
	return err
}

// changed says how the file is no longer the one that was read, "" where it only grew.
func (p *place) changed(r io.ReaderAt, info fs.FileInfo) (string, error) {
	now := file.StampOf(info)
	switch {
	case now.Device != p.stamp.Device || now.Inode != p.stamp.Inode:
		return "was replaced", nil
	case now.Size < p.stamp.Size:
		return "was cut", nil
	case now.Size == p.stamp.Size && now.Modified != p.stamp.Modified:
		return "was edited", nil
	}
	b, err := ends(r, p.size)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(b, p.ends) {
		return "was edited", nil
	}
	return "", nil
}

// ends reads the first and the last bytes of the first size.
func ends(r io.ReaderAt, size int64) ([]byte, error) {
	n := min(size, maxEnds)
	b := make([]byte, 2*n)
	for i, at := range []int64{0, size - n} {
		if _, err := r.ReadAt(b[int64(i)*n:int64(i+1)*n], at); err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the transcript again: %w", err)
		}
	}
	return b, nil
}
