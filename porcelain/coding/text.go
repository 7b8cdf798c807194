package coding

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf16"

	"github.com/lecode/lecode/plumbing"
)

// form is how a file holds its text; whoever rewrites it keeps to it.
type form struct {
	mark  bool             // a byte order mark stands before it
	order binary.ByteOrder // of UTF-16; nil: bytes, as in UTF-8
	crlf  bool             // every line ends in CR LF
}

const utf8Mark = "\xEF\xBB\xBF"

// markOf is the byte order mark that a file begins with.
func markOf(head []byte) (f form, length int) {
	switch {
	case bytes.HasPrefix(head, []byte(utf8Mark)):
		return form{mark: true}, len(utf8Mark)
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE, 0, 0}): // UTF-32 is not for us
		return form{}, 0
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return form{mark: true, order: binary.LittleEndian}, 2
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return form{mark: true, order: binary.BigEndian}, 2
	}
	return form{}, 0
}

// decode takes a file apart into its text and how it holds that. Bytes that are
// no UTF-8 stay as they are; UTF-16 that would not come back the same is refused.
func decode(given string, b []byte) (string, form, error) {
	if binaryBytes(b) {
		return "", form{}, notText(given, b, int64(len(b)))
	}
	f, length := markOf(b)
	text := string(b[length:])
	if f.order != nil {
		text = narrow(b[length:], f.order)
		if !bytes.Equal(f.encode(text), b) {
			return "", form{}, plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is not well-formed UTF-16", given), "change it with a program")
		}
	}
	lines := strings.Count(text, "\n")
	f.crlf = lines > 0 && strings.Count(text, "\r\n") == lines
	return text, f, nil
}

// encode is decode's way back; line ends are as text has them.
func (f form) encode(text string) []byte {
	switch {
	case f.order != nil:
		units := utf16.Encode([]rune("\uFEFF" + text))
		b := make([]byte, 0, 2*len(units))
		for _, u := range units {
			b = f.order.(binary.AppendByteOrder).AppendUint16(b, u)
		}
		return b
	case f.mark:
		return []byte(utf8Mark + text)
	}
	return []byte(text)
}

// narrow reads UTF-16 without its mark; half a unit at the end is dropped.
func narrow(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// String names what is not plain about it; "" where all is.
func (f form) String() string {
	var all []string
	switch {
	case f.order != nil:
		all = append(all, wide(f.order))
	case f.mark:
		all = append(all, "a byte order mark")
	}
	if f.crlf {
		all = append(all, "CRLF line ends")
	}
	return strings.Join(all, ", ")
}

func wide(order binary.ByteOrder) string {
	if order == binary.LittleEndian {
		return "UTF-16LE"
	}
	return "UTF-16BE"
}

// sniffed is how many bytes are looked at for what a file is.
const sniffed = 8000

// binaryBytes reports whether a file that begins so is no text: it holds a NUL, and is not UTF-16.
func binaryBytes(head []byte) bool {
	if f, _ := markOf(head); f.order != nil {
		return false
	}
	return bytes.IndexByte(head[:min(len(head), sniffed)], 0) >= 0
}

// notText is the error for a binary file.
func notText(given string, head []byte, size int64) error {
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	return plumbing.Fail(plumbing.ErrRefused, fmt.Sprintf("%q is not text: %s, %d bytes", given, kind, size),
		"look at it with a program that knows such files")
}
