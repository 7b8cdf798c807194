package source

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// Evidence says what kind of words the records of a ref hold.
type Evidence struct {
	// Text: somebody says something, a user or an assistant in a text block
	// of a message that is not synthetic. Reasoning, tool calls, files and what
	// tools printed are no such words (design section 6).
	Text bool
}

// Evidence looks into the records of a ref that Validate found valid. It asks
// no exclusions. Records that are no longer those of the ref are
// plumbing.ErrConflict, a session or seq that is not there is
// plumbing.ErrNotFound, a corrupt session plumbing.ErrCorrupt.
func (v Validator) Evidence(ctx context.Context, ref Ref) (Evidence, error) {
	if err := ref.Check(); err != nil {
		return Evidence{}, err
	}
	o, done, err := v.open(ctx, ref.SessionID)
	if err != nil {
		return Evidence{}, err
	}
	defer done()
	if c := o.log.Corruption(); c != nil {
		return Evidence{}, c.Err(ref.SessionID)
	}
	var found Evidence
	h := canon.NewHasher()
	for e, err := range o.records(ctx, ref.Seqs) {
		if err != nil {
			return Evidence{}, err
		}
		h.Add(e.Raw)
		found.Text = found.Text || says(e)
	}
	if h.Digest() != ref.Digest {
		return Evidence{}, plumbing.Fail(plumbing.ErrConflict,
			fmt.Sprintf("the records of session %q are not those of the source ref", ref.SessionID), "take a new one with `lecode snapshot`")
	}
	return found, nil
}

// says reports whether a record holds a text block of a user or an assistant.
func says(e session.Entry) bool {
	if !e.Message() || e.Origin == session.OriginSynthetic || e.Role != "user" && e.Role != "assistant" {
		return false
	}
	yes := false
	gjson.GetBytes(e.Raw, "content").ForEach(func(_, block gjson.Result) bool {
		text := block.Get("text")
		yes = block.Get("type").Str == "text" && text.Type == gjson.String && strings.TrimSpace(text.Str) != ""
		return !yes
	})
	return yes
}
