package fsck

import (
	"context"

	"github.com/lecode/lecode/plumbing/session"
)

// summaries finds those whose records have other bytes by now. That one is
// inert for another reason (an undo, a clear, a forget) is as it should be.
func (c *Checker) summaries(ctx context.Context, l *session.Log, generation int64, found report) error {
	if generation < 0 || l.Corruption() != nil {
		return nil // the fact database, or the log, has a finding of its own
	}
	name := c.logName(l.ID())
	chain, err := l.Chain(c.opt.Facts)
	if err != nil {
		return c.orFail(inConfig, name, err, found)
	}
	for seq := int64(1); seq <= l.Last(); seq++ {
		e, err := l.Entry(seq)
		if err != nil {
			return c.orFail(inConfig, name, err, found)
		}
		if e.Type != session.TypeCompact {
			continue
		}
		standing, err := chain.Judge(ctx, seq)
		if err != nil {
			return c.orFail(inConfig, name, err, found)
		}
		if standing != session.Changed {
			continue
		}
		if err := found(c.finding(SummaryStale, inConfig, name,
			"a record that this summary covers has other bytes than when it was made; the summary is used no more").at(seq+1, e.Offset)); err != nil {
			return err
		}
	}
	return nil
}
