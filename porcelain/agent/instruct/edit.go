package instruct

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
)

// Edit is /editsys: the base prompt of a project, for a person. What its
// methods return is for a terminal: whole lines, made visible.
type Edit struct {
	Options
	TempDir string                  // where the private copy for an editor is made, in a folder of its own
	Editor  func(path string) error // runs the editor on the copy and waits for it; nil: there is none
}

// Where says where the base prompt comes from.
func (e Edit) Where(ctx context.Context) (string, error) {
	base, err := ReadBase(ctx, e.Options)
	if err != nil {
		return "", err
	}
	return base.where(), nil
}

func (b Base) where() string {
	if !b.Overridden {
		return fmt.Sprintf("The base prompt is lecode's own, %d bytes. An override for this project would be in %s.\n", len(b.Text), visible(b.Path))
	}
	return fmt.Sprintf("The base prompt is yours, %d bytes, in %s. lecode's own is not used.\n", len(b.Text), visible(b.Path))
}

// Show is the base prompt, behind a line that says where it comes from.
func (e Edit) Show(ctx context.Context) (string, error) {
	base, err := ReadBase(ctx, e.Options)
	if err != nil {
		return "", err
	}
	return base.where() + "\n" + visible(whole(base.Text)), nil
}

// Set makes text the base prompt from the next request on; errors as SaveBase.
func (e Edit) Set(ctx context.Context, text string) (string, error) {
	if isBlank(text) {
		return "", plumbing.Fail(plumbing.ErrInvalid, "the base prompt would be empty", "`/editsys reset` goes back to lecode's own")
	}
	return e.save(ctx, text)
}

// Reset goes back to the built-in base prompt; errors as SaveBase.
func (e Edit) Reset(ctx context.Context) (string, error) {
	return e.save(ctx, "")
}

func (e Edit) save(ctx context.Context, text string) (string, error) {
	s, err := SaveBase(ctx, e.Options, text, "")
	if err != nil {
		return "", err
	}
	return s.words(), nil
}

func (s Saved) words() string {
	said := "The base prompt is unchanged.\n"
	switch {
	case s.Changed && s.Overridden:
		said = fmt.Sprintf("Saved the base prompt of this project, %d bytes, in %s. It counts from the next request on.\n", len(s.Text), visible(s.Path))
	case s.Changed:
		said = "The base prompt is lecode's own again, from the next request on.\n"
	}
	if s.Backup != "" {
		said += "The one before is kept in " + visible(s.Backup) + ".\n"
	}
	return said
}

// InEditor has the base prompt edited in a private copy, and saves what that
// holds afterwards, provided that the base prompt is still what was copied;
// otherwise that is plumbing.ErrConflict. An empty copy goes back to the
// built-in one. Whatever goes wrong once the copy was changed, the error says where it is kept.
func (e Edit) InEditor(ctx context.Context) (string, error) {
	if e.Editor == nil {
		return "", plumbing.Fail(plumbing.ErrRefused, "there is no editor to open the base prompt with", "set EDITOR, or give the text: `/editsys set TEXT`")
	}
	base, err := ReadBase(ctx, e.Options)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(e.TempDir, "lecode-edit-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the copy: %w", err)
	}
	path := filepath.Join(dir, "system.md")
	if err := os.WriteFile(path, []byte(base.Text), 0o600); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("make the copy: %w", err)
	}
	failed := e.Editor(path)
	after, err := os.ReadFile(path)
	if err == nil && string(after) == base.Text || errors.Is(err, os.ErrNotExist) {
		os.RemoveAll(dir)
		if failed != nil {
			return "", fmt.Errorf("edit the base prompt: %w", failed)
		}
		return Saved{Base: base}.words(), nil
	}
	var saved Saved
	if err = errors.Join(failed, err); err == nil {
		saved, err = SaveBase(ctx, e.Options, string(after), base.Digest)
	}
	if err != nil {
		return "", kept(err, path)
	}
	os.RemoveAll(dir)
	return saved.words(), nil
}

// kept says where the edited text is, so that nothing that a person wrote is lost.
func kept(err error, path string) error {
	kind := error(plumbing.ErrRefused)
	for _, k := range []error{plumbing.ErrInvalid, plumbing.ErrConflict, plumbing.ErrBusy, context.Canceled} {
		if errors.Is(err, k) {
			kind = k
			break
		}
	}
	return &plumbing.Error{Kind: kind, Cause: err, Message: fmt.Sprintf("nothing was saved: %v", err),
		Hint: fmt.Sprintf("your text is in %q", path)}
}
