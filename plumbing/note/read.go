package note

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/lecode/lecode/plumbing"
)

// Note is a file as it was read.
type Note struct {
	File     string
	Text     string // valid UTF-8 without NUL; a BOM and line ends as they are
	Bytes    int64
	Digest   string // "sha256:" and the hex digits of the file's bytes, for WriteIf
	Modified time.Time
}

// Read reads a file whole. A name that CheckFile refuses, a file over MaxFile
// bytes and one that is not UTF-8 text are plumbing.ErrInvalid; a missing one
// is plumbing.ErrNotFound; a link, FIFO, directory, hard link or what may not
// be read is plumbing.ErrRefused, at once (design section 3). Nothing is made.
func (s *Store) Read(ctx context.Context, file string) (Note, error) {
	if err := CheckFile(file); err != nil {
		return Note{}, err
	}
	if err := ctx.Err(); err != nil {
		return Note{}, err
	}
	if err := s.Prepare(ctx); err != nil {
		return Note{}, err
	}
	twin, exact, err := s.twin(file)
	if err != nil {
		return Note{}, fmt.Errorf("look for %s: %w", show(file), err)
	}
	if twin != "" && !exact {
		return Note{}, missing(file, "there is "+show(twin))
	}
	n, err := s.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Note{}, missing(file, "`lecode note list` lists the files that do")
	}
	return n, err
}

// read is Read after all that goes by the name; a missing file is fs.ErrNotExist.
func (s *Store) read(file string) (Note, error) {
	b, info, err := s.bytes(file)
	if err != nil {
		return Note{}, err
	}
	if fault := notText(b); fault != "" {
		return Note{}, notShown(file, fault)
	}
	return Note{File: file, Text: string(b), Bytes: int64(len(b)), Digest: digest(b), Modified: info.ModTime()}, nil
}

// bytes reads a file of at most MaxFile bytes.
func (s *Store) bytes(file string) ([]byte, fs.FileInfo, error) {
	f, err := s.opt.Config.Open(s.name(file), os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("look at %q: %w", file, err)
	}
	if info.Size() > MaxFile {
		return nil, nil, tooLarge(file, info.Size())
	}
	b := make([]byte, 0, info.Size()+1) // room for the read that finds the end
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, info, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read %q: %w", file, err)
		}
		if len(b) > MaxFile {
			return nil, nil, tooLarge(file, int64(len(b)))
		}
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
	}
}

func tooLarge(file string, size int64) error {
	return plumbing.Fail(plumbing.ErrInvalid,
		fmt.Sprintf("%s would have to be read whole and has %d bytes; the most is %d", show(file), size, MaxFile),
		"search it with `lecode note search`, or move a part of it to another note")
}

func notShown(file, fault string) error {
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s is not text: %s", show(file), fault), "save it as UTF-8")
}

// digest names the bytes of a file, as sha256sum does.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}
