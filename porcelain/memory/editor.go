package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
)

// Editing is what Edit needs from outside.
type Editing struct {
	TempDir string                  // where the private copy is made, in a folder of its own
	Open    func(path string) error // runs the editor on the copy and waits for it
}

// Edited is what came of an edit.
type Edited struct {
	Changed bool
	Written note.Written // where nothing changed, of the file as it is; note.Absent is its digest where there is none
}

// Edit has MEMORY.md edited: a private copy is opened, and what it holds
// afterwards is saved through the note store, provided that MEMORY.md is still
// what was copied; otherwise that is plumbing.ErrConflict. Whatever goes wrong
// once the copy was changed, the error says where it is kept. An editor that
// fails is plumbing.ErrRefused and nothing is saved. A missing MEMORY.md is
// edited as an empty one.
func Edit(ctx context.Context, d Deps, o Editing) (Answer, error) {
	before, digest, err := d.base(ctx)
	if err != nil {
		return Answer{}, err
	}
	dir, err := os.MkdirTemp(o.TempDir, "lecode-edit-")
	if err != nil {
		return Answer{}, fmt.Errorf("make a folder for the copy: %w", err)
	}
	path := filepath.Join(dir, note.Memory)
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		os.RemoveAll(dir)
		return Answer{}, fmt.Errorf("make the copy: %w", err)
	}
	failed := o.Open(path)
	after, err := os.ReadFile(path)
	if err == nil && string(after) == before || errors.Is(err, os.ErrNotExist) {
		os.RemoveAll(dir)
		return unchanged(before, digest), failed
	}
	if err = errors.Join(failed, err); err != nil {
		return Answer{}, kept(err, path)
	}
	a, err := d.save(ctx, string(after), digest)
	if err != nil {
		return Answer{}, kept(err, path)
	}
	os.RemoveAll(dir)
	return a, nil
}

// base is the text that is edited, and the digest that it has to have still when it is saved.
func (d Deps) base(ctx context.Context) (text, digest string, err error) {
	n, err := d.Notes.Read(ctx, note.Memory)
	if errors.Is(err, plumbing.ErrNotFound) {
		return "", note.Absent, nil
	}
	return n.Text, n.Digest, err
}

func unchanged(text, digest string) Answer {
	size := int64(len(text))
	return Answer{Value: Edited{Written: note.Written{File: note.Memory, Bytes: size, BytesBefore: size, Digest: digest}}, print: func(p *page) { p.line("", "", "MEMORY.md is unchanged.", "") }}
}

func (d Deps) save(ctx context.Context, text, digest string) (Answer, error) {
	if !utf8.ValidString(text) {
		return Answer{}, plumbing.Fail(plumbing.ErrInvalid, "the edited text is not valid UTF-8", "save it as UTF-8")
	}
	w, err := d.Notes.WriteIf(ctx, note.Memory, text, note.Replace, digest)
	return Answer{Value: Edited{true, w}, print: func(p *page) {
		said := fmt.Sprintf("saved MEMORY.md, %d bytes, before %d", w.Bytes, w.BytesBefore)
		if w.Backup != nil {
			said += "; the text before is kept in " + oneLine(*w.Backup)
		}
		p.line("", "  ", said, "")
	}}, err
}

// kept says where the edited text is, so that nothing that a person wrote is lost.
func kept(err error, path string) error {
	kind := error(plumbing.ErrRefused)
	for _, k := range []error{plumbing.ErrInvalid, plumbing.ErrConflict, plumbing.ErrBusy, plumbing.ErrCorrupt, context.Canceled} {
		if errors.Is(err, k) {
			kind = k
			break
		}
	}
	return &plumbing.Error{Kind: kind, Cause: err, Message: fmt.Sprintf("nothing was saved: %v", err),
		Hint: fmt.Sprintf("your text is in %q: compare it with `lecode note read --raw MEMORY.md`, then `lecode note write MEMORY.md <%q`", path, path)}
}
