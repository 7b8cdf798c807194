// Package canon is lecode's one canonical form of JSON, and the digest over it.
//
// The form (design section 4): UTF-8 without insignificant space, keys sorted
// as RFC 8785 does (by UTF-16 code units), minimal string escapes, numbers as
// they were written: 9007199254740993 stays, 1.0 is not 1. Duplicate keys,
// invalid UTF-8, lone surrogates and more than 10,000 levels are refused.
//
// It knows bytes only: no records, no files. Start with Canonicalize.
package canon

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
)

// MaxRecord is the most bytes that one record may have, newline excluded (design section 13).
const MaxRecord = 16 << 20

// Canonicalize returns the canonical form of the one JSON value in b, in a
// slice of its own. What is not exactly one valid value wraps plumbing.ErrInvalid.
func Canonicalize(b []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(b))
	err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return nil, invalid(err)
	}
	return v, nil
}

// CanonicalizeObject is Canonicalize for a value that has to be an object.
func CanonicalizeObject(b []byte) ([]byte, error) {
	c, err := Canonicalize(b)
	if err != nil {
		return nil, err
	}
	if c[0] != '{' {
		return nil, plumbing.Fail(plumbing.ErrInvalid, "a JSON object is due, not "+describe(c), "")
	}
	return c, nil
}

// Check reports whether b is a canonical object as it stands; if not the error
// wraps plumbing.ErrInvalid. scratch is reused for the comparison and returned.
func Check(b, scratch []byte) ([]byte, error) {
	scratch = append(scratch[:0], b...)
	v := jsontext.Value(scratch)
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		return scratch, invalid(err)
	}
	if !bytes.Equal(v, b) {
		return scratch, plumbing.Fail(plumbing.ErrInvalid, "valid JSON but not in canonical form", "")
	}
	if b[0] != '{' {
		return scratch, plumbing.Fail(plumbing.ErrInvalid, "a JSON object is due, not "+describe(b), "")
	}
	return scratch, nil
}

// Marshal encodes a Go value (nil slices as [], nil pointers as null) in canonical form.
func Marshal(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	c := jsontext.Value(b)
	if err := c.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false)); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return c, nil
}

// Digest returns "sha256:<hex>" over the lines, each followed by one newline:
// what `lecode log --raw S A B | sha256sum` prints (design section 5).
func Digest(lines ...[]byte) string {
	h := NewHasher()
	for _, l := range lines {
		h.Add(l)
	}
	return h.Digest()
}

// Hasher takes lines one by one, for a source too large to hold.
type Hasher struct{ h hash.Hash }

// NewHasher returns a Hasher that has taken no line yet.
func NewHasher() *Hasher { return &Hasher{sha256.New()} }

// Add takes one line without its newline.
func (h *Hasher) Add(line []byte) {
	h.h.Write(line)
	h.h.Write([]byte{'\n'})
}

// Digest returns the digest of the lines so far.
func (h *Hasher) Digest() string {
	return "sha256:" + hex.EncodeToString(h.h.Sum(nil))
}

// invalid says where JSON is wrong without quoting it: error text must not
// carry what a transcript says (design section 7).
func invalid(err error) error {
	e := &plumbing.Error{Kind: plumbing.ErrInvalid, Message: "not valid JSON", Cause: err}
	var syn *jsontext.SyntacticError
	if errors.As(err, &syn) {
		e.Message = fmt.Sprintf("not valid JSON at byte %d: %s", syn.ByteOffset, reason(syn.Err))
	}
	return e
}

// reason names the fault in words of our own where the library's would quote the input.
func reason(err error) string {
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "duplicate key"
	case errors.Is(err, jsontext.ErrNonStringName):
		return "a key that is not a string"
	}
	s := err.Error()
	for _, known := range []string{"invalid UTF-8", "exceeded max depth", "unexpected EOF", "surrogate"} {
		if bytes.Contains([]byte(s), []byte(known)) {
			return known
		}
	}
	return "a character or literal that JSON does not have there"
}

func describe(c []byte) string {
	switch c[0] {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
