package source

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// MaxPositions is the most positions in one snapshot (design section 13).
const MaxPositions = 200

// Ref is a SourceRef (design section 5): exact records of one session, by
// hash. It is a value; whoever gets one derives trust in it anew from the
// stores. Seqs are ascending, without repeats, 1 to MaxPositions of them.
type Ref struct {
	Digest    string  `json:"digest"`
	Seqs      []int64 `json:"seqs"`
	SessionID string  `json:"session_id"`
}

// Status is what a validation finds.
type Status string

// The statuses; where several apply, the first in this order after Valid is told.
const (
	Valid      Status = "valid"
	Missing    Status = "missing"
	Stale      Status = "stale"
	Hidden     Status = "hidden"
	Unverified Status = "unverified"
)

// Equal reports whether two refs name the same records with the same digest.
func (r Ref) Equal(o Ref) bool {
	if r.Digest != o.Digest || r.SessionID != o.SessionID || len(r.Seqs) != len(o.Seqs) {
		return false
	}
	for i := range r.Seqs {
		if r.Seqs[i] != o.Seqs[i] {
			return false
		}
	}
	return true
}

// Check reports whether r has the form of a SourceRef; it says nothing about whether the records are there.
// The error wraps plumbing.ErrInvalid.
func (r Ref) Check() error {
	bad := func(format string, a ...any) error {
		return plumbing.Fail(plumbing.ErrInvalid, "not a source ref: "+fmt.Sprintf(format, a...),
			"take it from `lecode snapshot` unchanged")
	}
	switch {
	case r.SessionID == "":
		return bad("session_id is missing")
	case len(r.Seqs) == 0:
		return bad("seqs is empty")
	case len(r.Seqs) > MaxPositions:
		return bad("%d seqs, the most is %d", len(r.Seqs), MaxPositions)
	}
	hexa, ok := strings.CutPrefix(r.Digest, "sha256:")
	if !ok || len(hexa) != 64 || strings.Trim(hexa, "0123456789abcdef") != "" {
		return bad("digest is not sha256: and 64 hex digits")
	}
	for i, s := range r.Seqs {
		if s < 1 || i > 0 && s <= r.Seqs[i-1] {
			return bad("seqs are not ascending from 1")
		}
	}
	return nil
}

// Decode finds the one SourceRef in an object that is one or carries one as
// "source" (design section 7). Unknown fields pass; duplicate keys, a wrong
// type of a field and a null source wrap plumbing.ErrInvalid.
func Decode(object []byte) (Ref, error) {
	object, err := canon.CanonicalizeObject(object)
	if err != nil {
		return Ref{}, err
	}
	var carrier struct {
		Source    jsontext.Value `json:"source"`
		Digest    jsontext.Value `json:"digest"`
		Seqs      jsontext.Value `json:"seqs"`
		SessionID jsontext.Value `json:"session_id"`
	}
	if err := json.Unmarshal(object, &carrier); err != nil {
		return Ref{}, plumbing.Fail(plumbing.ErrInvalid, "not a source ref", "")
	}
	raw := jsontext.Value(object)
	switch {
	case carrier.Source != nil && carrier.Source.Kind() == 'n':
		return Ref{}, plumbing.Fail(plumbing.ErrInvalid, "the object carries no source: it is null", "")
	case carrier.Source != nil:
		raw = carrier.Source
	case carrier.Digest == nil || carrier.Seqs == nil:
		return Ref{}, plumbing.Fail(plumbing.ErrInvalid, "the object is no source ref and carries none as \"source\"",
			"pipe in what `lecode snapshot` printed")
	}
	var ref Ref
	if err := json.Unmarshal(raw, &ref); err != nil {
		return Ref{}, &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err,
			Message: "not a source ref: digest, seqs or session_id has the wrong type",
			Hint:    "take it from `lecode snapshot` unchanged"}
	}
	return ref, ref.Check()
}
