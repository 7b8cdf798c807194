package note

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// Mode says what a write does with the text that is there.
type Mode string

// The modes of Write.
const (
	Replace Mode = "replace" // the content is the whole file, byte by byte
	// Append adds the content, with a newline before it where the file does not
	// end in one, and one after it where it does not itself; line feeds become
	// CRLF where all of the file's line ends are.
	Append Mode = "append"
)

// Absent is the digest, for WriteIf, of a file that must not exist yet.
const Absent = "absent"

// Written says what a write did.
type Written struct {
	File               string
	Bytes, BytesBefore int64
	Created            bool    // there was no such file
	Backup             *string // the file that now holds the text before, as MEMORY.md.bak; nil where there was none
	Digest             string  // of the file as it now is
}

// Write puts content into a file (seed, "Layout": every write is atomic, and
// the previous content is first copied to <file>.bak). It returns once that is
// durable; after an error the old text stands whole. Permission bits are kept,
// a new file has 0600, and the backup no more than the file.
//
// plumbing.ErrInvalid: the name, the mode, content that is not UTF-8 text or
// empty where it is to be appended, a file that would grow over MaxFile bytes,
// an append to what is no text, a new note whose name another one has in other
// case. plumbing.ErrRefused: a link, FIFO, hard link or directory in its
// place, or no permission. plumbing.ErrBusy: another process writes.
func (s *Store) Write(ctx context.Context, file, content string, mode Mode) (Written, error) {
	return s.WriteIf(ctx, file, content, mode, "")
}

// WriteIf is Write, provided that the file still has the digest that a Note
// had (Absent: that it does not exist); otherwise nothing is written and the
// error is plumbing.ErrConflict. The empty digest asks for nothing.
func (s *Store) WriteIf(ctx context.Context, file, content string, mode Mode, digest string) (Written, error) {
	if err := CheckFile(file); err != nil {
		return Written{}, err
	}
	if err := checkContent(content, mode); err != nil {
		return Written{}, err
	}
	if err := checkDigest(digest); err != nil {
		return Written{}, err
	}
	l, err := s.lock(ctx)
	if err != nil {
		return Written{}, err
	}
	defer l.Unlock()
	if err := s.expect(file, digest); err != nil {
		return Written{}, err
	}
	if mode == Append {
		old, err := s.read(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Written{}, err
		}
		content = appended(old.Text, content)
		if len(content) > MaxFile {
			return Written{}, plumbing.Fail(plumbing.ErrInvalid,
				fmt.Sprintf("%s would grow over %d bytes", show(file), MaxFile), "append to another note")
		}
	}
	return s.put(file, content)
}

// checkContent lets through what a file may hold.
func checkContent(content string, mode Mode) error {
	switch {
	case mode != Replace && mode != Append:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the mode is %q", string(mode)), `it is "append" or "replace"`)
	case mode == Append && content == "":
		return plumbing.Fail(plumbing.ErrInvalid, "there is nothing to append", "give a text")
	}
	return checkText("the content", content)
}

func checkText(what, text string) error {
	switch {
	case len(text) > MaxFile:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s has %d bytes; the most is %d", what, len(text), MaxFile), "")
	case strings.IndexByte(text, 0) >= 0:
		return plumbing.Fail(plumbing.ErrInvalid, what+" holds a NUL byte", "notes are UTF-8 text")
	case !utf8.ValidString(text):
		return plumbing.Fail(plumbing.ErrInvalid, what+" is not valid UTF-8", "notes are UTF-8 text")
	}
	return nil
}

func checkDigest(digest string) error {
	hex, ok := strings.CutPrefix(digest, "sha256:")
	if digest == "" || digest == Absent || ok && len(hex) == 64 && strings.Trim(hex, "0123456789abcdef") == "" {
		return nil
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s is not a digest", show(digest)),
		`it is "sha256:" and 64 hex digits, as reading the file tells, or "absent"`)
}

// expect compares a file with the digest that the caller has seen.
func (s *Store) expect(file, want string) error {
	if want == "" {
		return nil
	}
	b, _, err := s.bytes(file)
	is := Absent
	switch {
	case err == nil:
		is = digest(b)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if is == want {
		return nil
	}
	return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("%s is not what was read: someone else has written it", show(file)),
		"read it again and do the change anew")
}

// appended is the text with more at its end.
func appended(text, more string) string {
	if strings.HasSuffix(text, "\r") && strings.HasPrefix(more, "\n") {
		more = "\r" + more[1:] // an LF behind a lone CR would make one line end of two
	}
	if text != "" && !strings.HasSuffix(text, "\n") && !strings.HasSuffix(text, "\r") {
		text += "\n"
		if crlf(text[:len(text)-1]) {
			text = text[:len(text)-1] + "\r\n"
		}
	}
	if !strings.HasSuffix(more, "\n") {
		more += "\n"
	}
	if crlf(text) {
		more = strings.ReplaceAll(strings.ReplaceAll(more, "\r\n", "\n"), "\n", "\r\n")
	}
	return text + more
}

// crlf reports whether each of the text's line feeds, of which there are some, ends a CRLF.
func crlf(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && strings.Count(text, "\r\n") == n
}

// put backs up what stands there and puts content in its place; the caller holds the lock.
func (s *Store) put(file, content string) (Written, error) {
	w := Written{File: file, Bytes: int64(len(content)), Digest: digest([]byte(content))}
	twin, exact, err := s.twin(file)
	if err != nil {
		return Written{}, fmt.Errorf("look for %s: %w", show(file), err)
	}
	if twin != "" && !exact {
		return Written{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s differs from %s by case only", show(file), show(twin)),
			"some file systems take them for one: use that note, or another name")
	}
	w.BytesBefore, err = s.backUp(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.Created = true
	case err != nil:
		return Written{}, err
	default:
		backup := file + backupSuffix
		w.Backup = &backup
	}
	err = s.opt.Config.WriteFile(s.name(file), func(to io.Writer) error {
		_, err := io.WriteString(to, content)
		return err
	})
	if err != nil {
		return Written{}, err
	}
	return w, nil
}

// backUp copies a file to its backup and tells its size; a missing one is fs.ErrNotExist.
func (s *Store) backUp(file string) (int64, error) {
	from, err := s.opt.Config.Open(s.name(file), os.O_RDONLY)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return 0, fmt.Errorf("look at %q: %w", file, err)
	}
	size := int64(0)
	err = s.opt.Config.WriteWithin(s.name(file+backupSuffix), info.Mode().Perm(), func(to io.Writer) error {
		size, err = io.Copy(to, from)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("back up %s: %w", show(file), err)
	}
	return size, nil
}
