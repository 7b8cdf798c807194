package compact

import (
	"context"

	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// settled is how far a context was read, for Grow: whatever lies before the
// last user message pairs with nothing that is appended behind it.
type settled struct {
	through int64 // the last record that was read
	event   int64 // the latest event with an effect up to there
	parts   int   // of the context, those before the last user message
	seq     int64 // of that message; 0 where there is none
}

// Grow brings a context up to date with what was appended to its log, by
// reading the last user message and what follows, whatever the length of the
// session: for a runner that asks for the context before each request. It
// reports false, and leaves the context as it is, where more than messages was
// appended or something was forgotten: then it has to be made anew by ReplayLog.
func (c *Context) Grow(ctx context.Context, d Deps, log *session.Log) (bool, error) {
	generation, err := d.Exclusions.Generation()
	if err != nil || generation != c.Generation || c.settled.seq == 0 || log.Last() < c.settled.through {
		return false, err
	}
	last, err := log.Entry(log.Last())
	if err != nil || last.LastEvent != c.settled.event {
		return false, err
	}
	if last.Seq == c.settled.through {
		return true, nil
	}
	visible, err := log.Visibility(d.Exclusions)
	if err != nil || visible.Generation() != c.Generation {
		return false, err
	}
	raw, err := rawParts(ctx, log, visible, c.settled.seq-1)
	if err != nil {
		return false, err
	}
	safe, left := pair(raw)
	if len(left) > 0 {
		return false, nil // a late result may belong to a call of long ago
	}
	c.Parts = append(c.Parts[:c.settled.parts], safe...)
	c.settle(last)
	return true, nil
}

// settle notes how far the context was read.
func (c *Context) settle(last session.Entry) {
	c.settled = settled{through: last.Seq, event: last.LastEvent}
	for i := len(c.Parts) - 1; i >= 0; i-- {
		if p := c.Parts[i]; p.From == FromRecord && p.Message.Role == provider.RoleUser {
			c.settled.parts, c.settled.seq = i, p.Seqs[0]
			return
		}
	}
}

// Settled is how many parts of the context stay as they are while it grows.
func (c Context) Settled() int { return c.settled.parts }
