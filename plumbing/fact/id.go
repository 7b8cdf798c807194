package fact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/source"
)

const idDigits = 24

// ID returns the ID of the fact whose first revision has this text and
// evidence: "f-" and 24 hex digits of SHA-256 over the canonical JSON
// [text, session_id, seqs] (design section 6). For an unverified fact
// session_id is null and seqs is [], whatever its provenance, so it never has
// the ID of one with evidence. text must be valid UTF-8.
func ID(text string, ref *source.Ref) (string, error) {
	var session *string
	seqs := []int64{}
	if ref != nil {
		session, seqs = &ref.SessionID, ref.Seqs
	}
	b, err := canon.Marshal([]any{text, session, seqs})
	if err != nil {
		return "", fmt.Errorf("make a fact ID: %w", err)
	}
	sum := sha256.Sum256(b)
	return "f-" + hex.EncodeToString(sum[:])[:idDigits], nil
}

// CheckID reports whether id has the form of a fact ID, exact and whole; it
// says nothing about whether there is such a fact. The error wraps plumbing.ErrInvalid.
func CheckID(id string) error {
	digits, ok := strings.CutPrefix(id, "f-")
	if ok && len(digits) == idDigits && strings.Trim(digits, "0123456789abcdef") == "" {
		return nil
	}
	shown := id
	if len(shown) > 40 {
		shown = shown[:40] + "…"
	}
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a fact ID", shown),
		"an ID is f- and 24 hex digits, whole; `lecode facts` lists them")
}
