package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"
)

// repaired tells that a record was made from bytes that were not as the
// source wrote them, and which those were.
type repaired struct {
	Bytes      int64  `json:"bytes"`  // bytes that were no UTF-8
	SHA256     string `json:"sha256"` // of the line as it was, without its line end
	Surrogates int64  `json:"surrogates"`
}

// repair replaces what canonical JSON refuses in a string although clients
// write it: each byte that is no UTF-8 and each escaped surrogate without its
// other half becomes U+FFFD. Where nothing is to be done it returns b itself
// and nil.
func repair(b []byte) ([]byte, *repaired) {
	if utf8.Valid(b) && !hasSurrogateEscape(b) {
		return b, nil
	}
	out := make([]byte, 0, len(b)+16)
	var r repaired
	for i := 0; i < len(b); {
		n, with := 1, []byte(nil)
		switch {
		case b[i] == '\\':
			n, with = escape(b[i:])
			if with != nil {
				r.Surrogates++
			}
		case b[i] >= utf8.RuneSelf:
			var c rune
			if c, n = utf8.DecodeRune(b[i:]); c == utf8.RuneError && n == 1 {
				with = []byte("\uFFFD")
				r.Bytes++
			}
		}
		if with == nil {
			with = b[i : i+n]
		}
		out = append(out, with...)
		i += n
	}
	if r.Bytes == 0 && r.Surrogates == 0 {
		return b, nil
	}
	sum := sha256.Sum256(b)
	r.SHA256 = hex.EncodeToString(sum[:])
	return out, &r
}

// escape measures the escape sequence at the start of b, a surrogate pair
// being one, and says what to put in its place: nil for itself.
func escape(b []byte) (n int, with []byte) {
	unit, ok := unit(b)
	switch {
	case !ok:
		return min(2, len(b)), nil
	case unit < 0xD800 || unit > 0xDFFF:
		return 6, nil
	}
	if low, ok := low(b[6:]); ok && unit < 0xDC00 && low {
		return 12, nil
	}
	return 6, []byte(`\ufffd`)
}

// low reports whether b begins with the escape of a second half of a pair.
func low(b []byte) (is, ok bool) {
	u, ok := unit(b)
	return u >= 0xDC00 && u <= 0xDFFF, ok
}

// unit reads a \uXXXX at the start of b.
func unit(b []byte) (u uint16, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var two [2]byte
	if _, err := hex.Decode(two[:], b[2:6]); err != nil {
		return 0, false
	}
	return uint16(two[0])<<8 | uint16(two[1]), true
}

// hasSurrogateEscape is a quick look for \uD8.. to \uDF.. in either case.
func hasSurrogateEscape(b []byte) bool {
	for {
		i := bytes.Index(b, []byte(`\u`))
		if i < 0 {
			return false
		}
		if b = b[i+2:]; len(b) > 0 && b[0]|0x20 == 'd' {
			return true
		}
	}
}
