package note

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// Legacy is what CopyLegacy found and did.
type Legacy struct {
	Files   []string  // copied, by their names in the store; none where there was nothing to do
	Skipped []Skipped // left where they are, and why
}

// CopyLegacy copies the Markdown of the legacy store, the one that goes by the
// slug of a working directory, to the project's, where the project's folder
// does not exist (seed, "Layout"; design section 3). Nothing else is copied: no
// database, no backup. What is there already is never merged, and the legacy
// files stay.
//
// The copy is made in a temporary folder beside the project's, made durable,
// and renamed without replacing, so that of two processes at once one wins and
// a crash leaves either no folder or the whole copy.
func CopyLegacy(ctx context.Context, config file.Tree, legacy, project string) (Legacy, error) {
	from, to := path.Join("memory", legacy), path.Join("memory", project)
	if legacy == project {
		return Legacy{}, nil
	}
	if _, err := config.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return Legacy{}, err
	}
	names, odd, err := legacyFiles(config, from)
	if err != nil || len(names) == 0 {
		return Legacy{Skipped: odd}, err
	}
	tmp := path.Join("memory", CopyPrefix+rand.Text())
	l, err := copyAll(ctx, config, names, from, tmp)
	l.Skipped = append(odd, l.Skipped...)
	if err == nil && len(l.Files) > 0 {
		err = config.MoveNew(tmp, to)
	}
	if err != nil || len(l.Files) == 0 {
		l.Files = nil
		if e := RemoveCopy(config, tmp); err == nil {
			err = e
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return Legacy{}, nil // another process was first
	}
	if err != nil {
		return l, fmt.Errorf("copy the notes of this directory's older store: %w", err)
	}
	return l, nil
}

// legacyFiles lists the Markdown files of a store, those with names that a store may not have apart.
func legacyFiles(config file.Tree, from string) (names []string, odd []Skipped, err error) {
	for _, dir := range []string{".", "daily", "notes"} {
		list, err := config.ReadDir(path.Join(from, dir))
		if errors.Is(err, plumbing.ErrRefused) && dir != "." {
			odd = append(odd, Skipped{File: dir, Err: err})
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		for _, e := range list {
			name := path.Join(dir, e.Name())
			if !strings.HasSuffix(name, ".md") {
				continue
			}
			if err := CheckFile(name); err != nil {
				odd = append(odd, Skipped{File: name, Err: err})
				continue
			}
			names = append(names, name)
		}
	}
	return names, odd, nil
}

// copyAll copies what is a plain file; the rest is skipped.
func copyAll(ctx context.Context, config file.Tree, names []string, from, to string) (Legacy, error) {
	var l Legacy
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		f, err := config.Open(path.Join(from, name), os.O_RDONLY)
		if err != nil {
			l.Skipped = append(l.Skipped, Skipped{File: name, Err: err})
			continue
		}
		err = copyOne(config, f, path.Join(to, name))
		f.Close()
		if err != nil {
			return l, err
		}
		l.Files = append(l.Files, name)
	}
	return l, nil
}

// copyOne copies a file whole and makes it durable; a new file has 0600.
func copyOne(config file.Tree, from io.Reader, to string) error {
	f, err := config.Create(to, os.O_WRONLY|os.O_EXCL)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("write %q: %w", config.Path(to), err)
	}
	return config.SyncDir(path.Dir(to))
}

// CopyPrefix starts the name, below memory, of a copy that is not in place yet.
const CopyPrefix = file.TempPrefix + "legacy-"

// RemoveCopy takes a copy away that was not put in place. A folder in which
// there is anything else stays.
func RemoveCopy(config file.Tree, folder string) error {
	for _, dir := range []string{"daily", "notes", "."} {
		list, err := config.ReadDir(path.Join(folder, dir))
		if err != nil {
			return err
		}
		for _, e := range list {
			if !e.Type().IsRegular() {
				continue
			}
			if err := config.Remove(path.Join(folder, dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err := config.Remove(path.Join(folder, dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
