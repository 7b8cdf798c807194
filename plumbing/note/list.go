package note

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// Info is a file without its text.
type Info struct {
	File     string
	Bytes    int64
	Modified time.Time
}

// Skipped is a Markdown file that is not read, and why: a link or what else is
// no plain file, a name that CheckFile refuses, or what is not UTF-8 text.
type Skipped struct {
	File string
	Err  error
}

// Listing is what List found.
type Listing struct {
	Notes   []Info
	Skipped []Skipped
}

// List lists all Markdown files there are: MEMORY.md, scratchpad.md, the daily
// logs from the newest, the notes by name. Backups, temporary and hidden files
// are left out without a word. No memory folder: nothing. plumbing.ErrRefused
// where the folder itself is a link or a file, or may not be read.
func (s *Store) List(ctx context.Context) (Listing, error) {
	var l Listing
	files, skipped, err := s.files(ctx)
	if err != nil {
		return l, err
	}
	buf := make([]byte, MaxLine)
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return l, err
		}
		info, err := s.look(file, buf)
		if err == nil {
			l.Notes = append(l.Notes, info)
		}
		if skipped, err = skip(skipped, file, err); err != nil {
			return l, err
		}
	}
	l.Skipped = skipped
	return l, nil
}

// files lists the names, in order, that may be opened, and those that may not.
func (s *Store) files(ctx context.Context) (files []string, skipped []Skipped, err error) {
	if err := s.Prepare(ctx); err != nil {
		return nil, nil, err
	}
	if _, err := s.opt.Config.ReadDir(s.name(".")); err != nil {
		return nil, nil, fmt.Errorf("list the memory: %w", err)
	}
	for _, file := range []string{Memory, Scratchpad} {
		if _, err := s.opt.Config.Lstat(s.name(file)); err == nil {
			files = append(files, file)
		}
	}
	for _, dir := range []string{"daily", "notes"} {
		list, err := s.opt.Config.ReadDir(s.name(dir))
		if err != nil {
			skipped = append(skipped, Skipped{dir, err})
			continue
		}
		if dir == "daily" {
			slices.Reverse(list)
		}
		for _, e := range list {
			file := path.Join(dir, e.Name())
			switch err := CheckFile(file); {
			case strings.HasPrefix(e.Name(), "."):
			case err == nil:
				files = append(files, file)
			case strings.HasSuffix(e.Name(), ".md"):
				skipped = append(skipped, Skipped{file, err})
			case e.IsDir():
				skipped = append(skipped, Skipped{file, plumbing.Fail(plumbing.ErrRefused,
					fmt.Sprintf("%s is a directory", show(file)), dir+"/ holds files only")})
			}
		}
	}
	return files, skipped, nil
}

// look describes a file that may be listed, after reading it through.
func (s *Store) look(file string, buf []byte) (Info, error) {
	f, err := s.opt.Config.Open(s.name(file), os.O_RDONLY)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Info{}, fmt.Errorf("look at %q: %w", file, err)
	}
	return Info{file, info.Size(), info.ModTime()}, checkAll(f, file, buf)
}

// skip notes a file that is left out; one that has just gone is none, and an
// error that is not about the file comes back.
func skip(list []Skipped, file string, err error) ([]Skipped, error) {
	var p *plumbing.Error
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return list, nil
	case errors.As(err, &p):
		return append(list, Skipped{file, err}), nil
	}
	return list, err
}
