package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Mark is how far the import of a growing source has got, for the process that
// does it. The zero Mark is at the beginning.
type Mark struct {
	id    string
	stamp file.Stamp // of the log as the last import left it
}

// ErrMark says that the log is no longer as the Mark left it: give all records, and a zero Mark.
var ErrMark = errors.New("the session's log was changed meanwhile")

// ImportMore is Import for a source that grows and is imported again and again
// by one process (design section 4): with a Mark, opt.Records are only those
// behind what was imported, and nothing of that is read again. The Mark moves
// on; after an error it is back at the beginning. Whoever gives a Mark answers
// for the source being unchanged up to there. ErrMark, before a record is
// asked for, where the log was changed, deleted or replaced.
func (s *Store) ImportMore(ctx context.Context, opt ImportOptions, m *Mark) (got Imported, err error) {
	defer func() {
		if err != nil {
			*m = Mark{}
		}
	}()
	if m.id == "" {
		if got, err = s.Import(ctx, opt); err != nil {
			return got, err
		}
	}
	w, err := s.Attach(ctx, opt.ID)
	if errors.Is(err, plumbing.ErrNotFound) {
		return got, ErrMark
	}
	if err != nil {
		return got, err
	}
	defer w.Close()
	if m.id == "" {
		return got, w.mark(got.Appended+got.Unchanged, m)
	}
	stamp, err := w.untouched()
	if err != nil {
		return got, err
	}
	if m.id != opt.ID || stamp != m.stamp {
		return got, ErrMark
	}
	got.ID = opt.ID
	if err := w.more(ctx, opt, &got); err != nil {
		return got, err
	}
	m.stamp, err = w.untouched()
	return got, err
}

// more appends all records of a source.
func (w *Writer) more(ctx context.Context, opt ImportOptions, got *Imported) error {
	afterUndo, err := w.afterUndo()
	if err != nil {
		return err
	}
	var b batch
	for record, err := range opt.Records {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = checkAfterUndo(record, &afterUndo)
		}
		if err == nil {
			err = w.appendImported(&b, record, opt.Generation, got)
		}
		if err != nil {
			return err
		}
	}
	return w.flushImported(&b, got)
}

// mark sets m to the log as it is, if what it holds of the source is want records.
func (w *Writer) mark(want int64, m *Mark) error {
	have := int64(0)
	for seq := int64(1); seq <= w.log.Last(); seq++ {
		e, err := w.log.Entry(seq)
		if err != nil {
			return err
		}
		if !ownEvent(e.Type) {
			have++
		}
	}
	stamp, err := w.untouched()
	if err != nil {
		return err
	}
	if have != want { // another import came in between
		return fmt.Errorf("%w: it has %d records of the source, not %d", ErrMark, have, want)
	}
	*m = Mark{id: w.log.id, stamp: stamp}
	return nil
}
