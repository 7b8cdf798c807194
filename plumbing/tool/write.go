package tool

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing/note"
)

// write is memory_write: {content,file,mode}.
func write(a *arguments, d Deps, _ Caller) action {
	content, file := a.text("content"), a.text("file")
	mode := a.word("mode", string(note.Append), string(note.Replace))
	return func(ctx context.Context) (Result, error) {
		w, err := d.Notes.Write(ctx, file, content, note.Mode(mode))
		if err != nil {
			return Result{}, err
		}
		return Result{Text: fmt.Sprintf("Wrote %s: %s\n", w.File, sizes(w))}, nil
	}
}

// sizes says what a write changed, and where the text before is.
func sizes(w note.Written) string {
	if w.Created {
		return fmt.Sprintf("%d bytes, a new file.", w.Bytes)
	}
	s := fmt.Sprintf("%d bytes, before it had %d", w.Bytes, w.BytesBefore)
	if w.Backup != nil {
		s += "; the text before is kept in " + *w.Backup
	}
	return s + "."
}
