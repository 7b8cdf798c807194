package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// ImportOptions is a foreign transcript on its way into a session.
type ImportOptions struct {
	ID      string // the source's own, or one made from its content
	From    ImportedFrom
	Records iter.Seq2[[]byte, error] // canonical objects without seq and generation
	// Generation is what a record of that time gets where it is not the user's:
	// the project's if it is later than the last forget, else 0.
	Generation func(t time.Time) int64
}

// Imported says what an import did.
type Imported struct {
	ID        string
	Appended  int64
	Unchanged int64
	Copy      bool
}

// Import reads a foreign transcript into a session: whole in one rename the
// first time; later the records are made anew and compared, generation apart,
// with the stored ones, and more are appended. An ID taken by another source,
// and a source that changed behind what was stored, are plumbing.ErrConflict
// (design section 4).
func (s *Store) Import(ctx context.Context, opt ImportOptions) (Imported, error) {
	if err := CheckID(opt.ID); err != nil {
		return Imported{}, err
	}
	err := s.exists(opt.ID)
	if errors.Is(err, plumbing.ErrNotFound) {
		got, err := s.importFirst(ctx, opt)
		if !errors.Is(err, fs.ErrExist) {
			return got, err
		}
		err = nil // another import was faster: compare with what it stored
	}
	if err != nil && !errors.Is(err, plumbing.ErrNotFound) {
		return Imported{}, err
	}
	return s.importAgain(ctx, opt)
}

func (s *Store) importFirst(ctx context.Context, opt ImportOptions) (Imported, error) {
	got := Imported{ID: opt.ID}
	head, err := s.header(opt.ID, &opt.From)
	if err != nil {
		return got, err
	}
	err = s.opt.Config.WriteNew(s.logName(opt.ID), func(w io.Writer) error {
		out := bufio.NewWriterSize(w, chunk)
		out.Write(append(head, '\n'))
		for record, err := range opt.Records {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			got.Appended++
			line, err := importLine(record, got.Appended, opt.Generation)
			if err != nil {
				return err
			}
			out.Write(append(line, '\n'))
		}
		return out.Flush()
	})
	if err != nil {
		return Imported{ID: opt.ID}, err
	}
	l, err := s.Open(ctx, opt.ID) // makes the index while the log is still warm
	if err != nil {
		return got, err
	}
	return got, l.Close()
}

// importLine gives a foreign record its seq and, where it is not the user's, its generation.
func importLine(record []byte, seq int64, generation func(time.Time) int64) ([]byte, error) {
	line := record
	m := gjson.GetManyBytes(record, "origin", "time", "seq", "generation")
	if m[2].Exists() || m[3].Exists() {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("record %d of the source has a seq or a generation already", seq), "")
	}
	if m[0].Str != OriginUser {
		g := int64(0)
		if t, err := time.Parse(timeLayout, m[1].Str); err == nil {
			g = generation(t)
		}
		line = splice(line, "generation", fmt.Sprintf("%d", g))
	}
	line = splice(line, "seq", fmt.Sprintf("%d", seq))
	if len(line) > canon.MaxRecord {
		return nil, tooLong(len(line))
	}
	return line, nil
}

func (s *Store) importAgain(ctx context.Context, opt ImportOptions) (Imported, error) {
	got := Imported{ID: opt.ID}
	w, err := s.Attach(ctx, opt.ID)
	if err != nil {
		return got, err
	}
	defer w.Close()
	if im := w.log.head.Imported; im == nil || *im != opt.From {
		return got, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("session %q exists already and comes from another source", opt.ID),
			"delete that session first, if it is not needed")
	}
	next, stop := iter.Pull2(w.log.importedRecords())
	defer stop()
	afterUndo, err := w.afterUndo()
	if err != nil {
		return got, err
	}
	var b batch
	for record, err := range opt.Records {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return got, err
		}
		stored, err, more := next()
		if err != nil {
			return got, err
		}
		if more {
			if err := sameRecord(stored, record, opt.ID); err != nil {
				return got, err
			}
			got.Unchanged++
			continue
		}
		if err := checkAfterUndo(record, &afterUndo); err != nil {
			return got, err
		}
		if err := w.appendImported(&b, record, opt.Generation, &got); err != nil {
			return got, err
		}
	}
	if stored, _, more := next(); more {
		return got, conflictAt(opt.ID, stored.Seq, "the source no longer has it")
	}
	return got, w.flushImported(&b, &got)
}

// importedRecords yields the records that an import made, without lecode's own events between them.
func (l *Log) importedRecords() iter.Seq2[Entry, error] {
	last := l.Last()
	return func(yield func(Entry, error) bool) {
		for e, err := range l.Records(1, last) {
			if ownEvent(e.Type) {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// ownEvent reports whether records of a type come from lecode itself, never from an import.
func ownEvent(typ string) bool {
	switch typ {
	case TypeUndo, TypeRedo, TypeClear, TypeCompact, TypeLearning, TypeRecovered, TypeUsage, TypeTitle, TypeCancel:
		return true
	}
	return false
}

// sameRecord compares a stored record with one made anew, seq and generation apart.
func sameRecord(stored Entry, record []byte, id string) error {
	line := record
	if stored.Generation >= 0 {
		line = splice(line, "generation", fmt.Sprintf("%d", stored.Generation))
	}
	if bytes.Equal(splice(line, "seq", fmt.Sprintf("%d", stored.Seq)), stored.Raw) {
		return nil
	}
	return conflictAt(id, stored.Seq, "the source or the session says something else there now")
}

func conflictAt(id string, seq int64, why string) error {
	return plumbing.Fail(plumbing.ErrConflict,
		fmt.Sprintf("session %q was imported before, and record %d differs: %s", id, seq, why),
		"the stored session stays as it is; delete it first to import the source anew")
}

// checkAfterUndo holds an import to the rule of append: after an undo the next message is the user's.
func checkAfterUndo(record []byte, afterUndo *bool) error {
	m := gjson.GetManyBytes(record, "type", "origin")
	if !*afterUndo || m[0].Str != TypeMessage {
		return nil
	}
	*afterUndo = false
	if m[1].Str != OriginUser {
		return plumbing.Fail(plumbing.ErrConflict, "the source goes on inside an exchange that is undone here", "redo, or append a message of the user first")
	}
	return nil
}

// appendImported adds one record; a megabyte of them shares one fsync.
func (w *Writer) appendImported(b *batch, record []byte, generation func(time.Time) int64, got *Imported) error {
	if len(b.seqs) == 0 {
		*b = batch{next: w.log.x.count}
	}
	line, err := importLine(record, b.next, generation)
	if err != nil {
		return err
	}
	b.add(line)
	if len(b.bytes) >= chunk {
		return w.flushImported(b, got)
	}
	return nil
}

func (w *Writer) flushImported(b *batch, got *Imported) error {
	seqs, err := w.commit(b)
	got.Appended += int64(len(seqs))
	*b = batch{}
	return err
}
