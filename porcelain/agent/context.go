package agent

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing/budget"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/provider"
)

// live is the session's working context between requests: what was said before
// the last prompt is neither read nor counted again while nothing but messages
// is appended, so that a turn costs the same in a long session as in a short one.
type live struct {
	made     bool
	context  compact.Context
	messages []provider.Message
	settled  budget.Estimate // of the first counted messages
	counted  int
	rest     budget.Estimate // of those behind
	warned   []string        // what was said once already
}

// refresh brings it up to date with the log, the generation and the exclusions.
func (l *live) refresh(ctx context.Context, a *Agent) error {
	d := a.compactDeps()
	grown := false
	if l.made {
		var err error
		if grown, err = l.context.Grow(ctx, d, a.w.Log()); err != nil {
			return err
		}
	}
	if !grown {
		c, err := compact.ReplayLog(ctx, d, a.w.Log())
		if err != nil {
			return err
		}
		*l = live{made: true, context: c, warned: l.warned}
	}
	return l.count()
}

// count lists and estimates what is not settled yet.
func (l *live) count() error {
	settled := l.context.Settled()
	l.messages = l.messages[:min(l.counted, len(l.messages))]
	for _, p := range l.context.Parts[len(l.messages):] {
		l.messages = append(l.messages, p.Message)
	}
	for ; l.counted < settled; l.counted++ {
		if err := add(&l.settled, l.messages[l.counted]); err != nil {
			return err
		}
	}
	l.rest = budget.Estimate{}
	for _, m := range l.messages[l.counted:] {
		if err := add(&l.rest, m); err != nil {
			return err
		}
	}
	return nil
}

// estimate is what the messages take.
func (l *live) estimate() budget.Estimate {
	return budget.Estimate{Text: l.settled.Text + l.rest.Text, Framing: l.settled.Framing + l.rest.Framing,
		Media: l.settled.Media + l.rest.Media}
}

// add counts one message.
func add(e *budget.Estimate, m provider.Message) error {
	content, err := canon.Marshal(m.Content)
	if err != nil {
		return fmt.Errorf("reckon a message: %w", err)
	}
	e.AddMessage()
	e.AddContent(content)
	return nil
}
