package usage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// Ledger is the file usage/<slug>.jsonl of <config_dir>. The zero value but for
// Config and Slug works; it holds nothing open.
type Ledger struct {
	Config file.Tree
	Slug   string
	// Now is the clock; its location says where a day begins. Append and Today need it.
	Now    func() time.Time
	Holder string        // who holds the lock, for the next one who finds it taken
	Wait   time.Duration // how long Append waits for the lock; 0: 5 s
}

func (l Ledger) name() string { return path.Join("usage", l.Slug+".jsonl") }

// lockName is the one that `slug --adopt` takes too.
func (l Ledger) lockName() string { return path.Join("usage", l.Slug+".lock") }

// Path is where the ledger lies, for messages.
func (l Ledger) Path() string { return l.Config.Path(l.name()) }

// Append writes the line of one call and fsyncs it before it returns. It goes
// on after ctx was cancelled, since the call was made; a lock that is held for
// longer than Wait is plumbing.ErrBusy. What is left of a line that another
// process could not finish is first set aside, as a session's is. A line out of
// range wraps plumbing.ErrInvalid, a link where the ledger should be
// plumbing.ErrRefused.
func (l Ledger) Append(ctx context.Context, line Line) error {
	line.Type = called
	b, err := l.encode(line)
	if err != nil {
		return err
	}
	lock, err := l.lock(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	defer lock.Unlock()
	return l.write(b)
}

// encode makes a line of the file, with its newline; a time is filled in.
func (l Ledger) encode(line Line) ([]byte, error) {
	if line.Time == "" {
		line.Time = l.Now().UTC().Format(TimeLayout)
	}
	if err := line.check(); err != nil {
		return nil, err
	}
	b, err := canon.Marshal(line)
	if err != nil {
		return nil, err
	}
	if len(b) > maxLine {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("a ledger line of %d bytes; %d is the most", len(b), maxLine), "")
	}
	return append(b, '\n'), nil
}

// write appends lines; the lock is held.
func (l Ledger) write(lines []byte) error {
	if err := l.append(lines); err != nil {
		return fmt.Errorf("write the usage ledger: %w", err)
	}
	return nil
}

// lock waits for the lock as long as Wait says, or until ctx ends.
func (l Ledger) lock(ctx context.Context) (*file.Lock, error) {
	wait := l.Wait
	if wait == 0 {
		wait = 5 * time.Second
	}
	ctx, stop := context.WithTimeout(ctx, wait)
	defer stop()
	holder := l.Holder
	if holder == "" {
		holder = "lecode"
	}
	return l.Config.Lock(ctx, l.lockName(), holder)
}

// append writes behind the last whole line; after a failure the ledger is as it was.
func (l Ledger) append(line []byte) error {
	f, err := l.Config.Create(l.name(), os.O_RDWR)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	end, err := l.setTornAside(f, info.Size())
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(line, end); err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Truncate(end))
	}
	if end == 0 { // it may be new
		return l.Config.SyncDir("usage")
	}
	return nil
}

// setTornAside moves the bytes behind the last newline to a file of their own
// and returns where the ledger now ends.
func (l Ledger) setTornAside(f *os.File, size int64) (end int64, err error) {
	if end, err = lastNewline(f, size); err != nil || end == size {
		return end, err
	}
	for n := 1; ; n++ {
		name := path.Join("usage", fmt.Sprintf("%s.torn-%d", l.Slug, n))
		err := l.Config.WriteNew(name, func(w io.Writer) error {
			_, err := io.Copy(w, io.NewSectionReader(f, end, size-end))
			return err
		})
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("set the torn tail aside: %w", err)
		}
		return end, f.Truncate(end)
	}
}

// lastNewline is the offset behind the last newline; 0 where there is none.
func lastNewline(f io.ReaderAt, size int64) (int64, error) {
	var buf [4096]byte
	for end := size; end > 0; {
		n := min(end, int64(len(buf)))
		if _, err := f.ReadAt(buf[:n], end-n); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		for i := n - 1; i >= 0; i-- {
			if buf[i] == '\n' {
				return end - n + i + 1, nil
			}
		}
		end -= n
	}
	return 0, nil
}
