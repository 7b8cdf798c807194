package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/slug"
)

// copyLegacy copies the notes that an older lecode kept for the working
// directory, before anything is first made in the project's folder (design
// section 3). Who cannot write goes on without them and says so.
func (e *Env) copyLegacy(ctx context.Context) error {
	s := e.stores
	if err := e.stillHere(ctx); err != nil {
		return err
	}
	legacy, err := legacySlug()
	if err != nil || legacy == s.Project.Slug {
		return err
	}
	if e.ReadOnly() {
		if _, err := s.Config.Lstat("memory/" + legacy); err == nil && !e.told {
			e.Note("this directory has older notes, which are not copied while LECODE_READONLY is set")
		}
		e.told = true
		return nil
	}
	got, err := note.CopyLegacy(ctx, s.Config, legacy, s.Project.Slug)
	for _, skipped := range got.Skipped {
		e.Note("%q of this directory's older notes is not copied: %v", skipped.File, skipped.Err)
	}
	if errors.Is(err, plumbing.ErrRefused) {
		e.Note("this directory's older notes are not copied: %v", err)
		return nil
	}
	if len(got.Files) > 0 {
		e.Note("copied %d notes from this directory's older store, %q, which stays as it is", len(got.Files), s.Config.Path("memory/"+legacy))
	}
	return err
}

// stillHere makes sure that the project is still where it was found: it may
// have been moved, and its memory adopted, since then.
func (e *Env) stillHere(ctx context.Context) error {
	p, err := slug.Find(ctx, slug.Options{Dir: e.dir, Getenv: e.Getenv})
	if err != nil || p.Root != e.stores.Project.Root {
		return moved(e.stores.Project.Root, err)
	}
	return nil
}

func moved(root string, cause error) error {
	return &plumbing.Error{Kind: plumbing.ErrConflict, Cause: cause,
		Message: fmt.Sprintf("the project at %q was moved while this ran", root), Hint: "nothing was written; run it again"}
}

// legacySlug is the slug of the resolved working directory, by which older stores went.
func legacySlug() (string, error) {
	wd, err := os.Getwd()
	if err == nil {
		wd, err = filepath.EvalSymlinks(wd)
	}
	if err != nil {
		return "", plumbing.Fail(plumbing.ErrNotFound, "the working directory no longer exists", "change to one that does, or use -C DIR")
	}
	return slug.Of(wd), nil
}
