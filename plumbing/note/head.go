package note

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
)

// The files that every prompt carries (seed, "What the agent sees").
const (
	Memory     = "MEMORY.md"
	Scratchpad = "scratchpad.md"
)

// MaxHead is the most bytes that Head reads: more than any memory section can
// show, so that a file of gigabytes costs no more than one of this size.
const MaxHead = 1 << 20

// Beginning is a file's text up to MaxHead bytes.
type Beginning struct {
	Text string // valid UTF-8, ending with a whole character; a BOM is still in it
	Size int64  // bytes of the file; more than len(Text) where it is longer than MaxHead
}

// Head reads the beginning of Memory or Scratchpad of the project slug in
// config, which is <config_dir>. A missing file is the zero Beginning.
// What is not a plain file with one name, or may not be read, wraps
// plumbing.ErrRefused and does not block; another name, and a file that is not
// UTF-8 text as far as it is read, wrap plumbing.ErrInvalid. After the latter
// Size is still told.
func Head(config file.Tree, slug, name string) (Beginning, error) {
	if name != Memory && name != Scratchpad {
		return Beginning{}, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("%q is neither %s nor %s", name, Memory, Scratchpad), "")
	}
	where := path.Join("memory", slug, name)
	f, err := config.Open(where, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return Beginning{}, nil
	}
	if err != nil {
		return Beginning{}, fmt.Errorf("open %s: %w", name, err)
	}
	defer f.Close()
	b, size, err := readHead(f)
	if err != nil {
		return Beginning{}, fmt.Errorf("read %q: %w", config.Path(where), err)
	}
	if size > int64(len(b)) {
		b = wholeCharacters(b)
	}
	if fault := notText(b); fault != "" {
		return Beginning{Size: size}, plumbing.Fail(plumbing.ErrInvalid,
			fmt.Sprintf("%q is not a text file that lecode can show: %s", config.Path(where), fault), "save it as UTF-8")
	}
	return Beginning{string(b), size}, nil
}

// readHead reads at most MaxHead bytes and tells the size of the file that they are of.
func readHead(f *os.File) ([]byte, int64, error) {
	b, err := io.ReadAll(io.LimitReader(f, MaxHead))
	if err != nil {
		return nil, 0, err
	}
	size := int64(len(b))
	if size == MaxHead {
		info, err := f.Stat()
		if err != nil {
			return nil, 0, err
		}
		size = max(size, info.Size())
	}
	return b, size, nil
}

// wholeCharacters drops the beginning of a character that the end of b cuts.
func wholeCharacters(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// notText says what is wrong with b as text, nothing where it is UTF-8.
func notText(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return "it is UTF-16"
	case bytes.IndexByte(b, 0) >= 0:
		return "it holds NUL bytes, as UTF-16 and binary files do"
	case !utf8.Valid(b):
		return "it is not valid UTF-8"
	}
	return ""
}
