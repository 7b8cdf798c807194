package tool

import (
	"context"
	"errors"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/prompt"
)

// maxFailure is the most bytes of Failure's text but its last newline: a name in it may be long.
const maxFailure = 2048

// Failure is an error as text for a model: "error: ", what is wrong, and what
// to do, on one line that ends in a newline. It holds no text of a transcript,
// a fact or a note; what of a name a reader would not see is shown.
func Failure(err error) string {
	if errors.Is(err, context.Canceled) {
		return "error: the call was interrupted\n"
	}
	text := "error: " + err.Error()
	if hint := hintOf(err); hint != "" {
		text += ": " + hint
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	shown, used := prompt.ShowPart(text, maxFailure)
	if used < len(text) {
		shown += "…"
	}
	return shown + "\n"
}

// hintOf is the way out that an error carries, else the one of its kind.
func hintOf(err error) string {
	var p *plumbing.Error
	if errors.As(err, &p) && p.Hint != "" {
		var c called
		if strings.Contains(p.Hint, "lecode ") && errors.As(err, &c) {
			return advice(c.name, p.Kind)
		}
		return p.Hint
	}
	for _, k := range []struct {
		kind error
		hint string
	}{
		{plumbing.ErrConflict, "read it again, and decide anew"},
		{plumbing.ErrBusy, "try again in a moment"},
		{plumbing.ErrCorrupt, "tell the user: stored memory is damaged, and lecode fsck says where"},
		{plumbing.ErrRefused, "do not try it another way; tell the user"},
	} {
		if errors.Is(err, k.kind) {
			return k.hint
		}
	}
	return ""
}

// called is a failure of a tool. For a person it reads as what it wraps, and
// keeps the hint that names a command line; a model has these tools instead.
type called struct {
	name string
	error
}

func (c called) Unwrap() error { return c.error }

// advice is what a model can do about a failure of a tool, by its kind.
func advice(name string, kind error) string {
	switch {
	case kind == plumbing.ErrBusy:
		return "try again in a moment"
	case kind == plumbing.ErrCorrupt || kind == plumbing.ErrRefused:
		return "tell the user"
	}
	switch name {
	case "memory_read", "memory_write", "memory_edit":
		return "memory_search finds lines and the files that hold them"
	case "memory_search":
		return "the dialect is RE2's: no lookaround, no backreferences"
	case "memory_correct":
		return "take the revision and the evidence (session_id, and digest and seqs of source) from a valid result of memory_recall, unchanged"
	}
	return "memory_list lists the facts, and the sessions that they stand on"
}
