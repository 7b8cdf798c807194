package compact

import (
	"context"
	"fmt"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/session"
)

// builder collects exchanges until one does not fit or may not be covered.
type builder struct {
	deps    Deps
	ctx     context.Context
	log     *session.Log
	visible *session.Visibility
	limits  Limits
	after   int64 // covered by the summary in force

	plan    Plan
	frame   frame
	cites   Cites
	through int64
	bytes   int64 // of the request so far, as canonical JSON
	tokens  int64 // of the request so far
}

// Blocked is an exchange that no plan can go past; errors.As finds it in the
// error of Make, for whoever offers the way out.
type Blocked struct {
	First, Last int64
	Why         string // "incomplete", "cancelled" or "too large"
}

func (b *Blocked) Error() string {
	return fmt.Sprintf("the exchange of records %d to %d is %s", b.First, b.Last, b.Why)
}

// paused is the error that an exchange in the way leads to.
func (b *builder) paused(x session.Exchange, why string) error {
	blocked := &Blocked{x.First, x.Last, why}
	hint := fmt.Sprintf("take it back with `lecode undo %s %d`, or go on in a new session with /handoff", b.log.ID(), x.First)
	return &plumbing.Error{Kind: plumbing.ErrPaused, Cause: blocked, Hint: hint,
		Message: fmt.Sprintf("session %q cannot be compacted further: %v", b.log.ID(), blocked)}
}

// begin starts a request that holds no transcript yet.
func (b *builder) begin(prior string) error {
	f, err := newFrame(prior)
	if err != nil {
		return err
	}
	b.frame = f
	b.plan.Request = f.request(b.limits.MaxOutputTokens)
	empty, err := canon.Marshal(b.plan.Request)
	if err != nil {
		return err
	}
	b.bytes = int64(len(empty))
	b.tokens = b.deps.tokens(f.system) + b.deps.tokens(f.text())
	if b.bytes > b.limits.RequestBytes || b.tokens > b.limits.RequestTokens {
		return plumbing.Fail(plumbing.ErrPaused,
			fmt.Sprintf("the request to summarise has no room for a transcript: instruction and prior summary take %d of %d tokens and %d of %d bytes",
				b.tokens, b.limits.RequestTokens, b.bytes, b.limits.RequestBytes),
			"use a model with a larger window, or raise agent.context_window if it is set too low")
	}
	return nil
}

// cover takes exchange after exchange. Nothing taken is an error that says why.
func (b *builder) cover(stop int64) error {
	keep, err := b.rawFrom()
	if err != nil {
		return err
	}
	for x, err := range b.log.Beside().ExchangesFrom(b.after + 1) {
		if err == nil {
			err = b.ctx.Err()
		}
		if err != nil {
			return err
		}
		if x.Last >= keep || x.First > stop {
			break
		}
		why, err := b.take(x)
		if err != nil {
			return err
		}
		if why == "" {
			continue
		}
		if len(b.plan.Covers) == 0 {
			return b.paused(x, why)
		}
		break
	}
	if len(b.plan.Covers) == 0 {
		return plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("nothing new to cover in session %q", b.log.ID()),
			fmt.Sprintf("the %d most recent messages stay as they are", minRaw))
	}
	return nil
}

// rawFrom is the seq of the fourth most recent visible message: what ends before it may be covered.
func (b *builder) rawFrom() (int64, error) {
	raw := 0
	for seq := b.log.Last(); seq > b.after; seq-- {
		ok, err := b.visible.Visible(seq, session.Working)
		if err != nil {
			return 0, err
		}
		if ok {
			if raw++; raw == minRaw {
				return seq, nil
			}
		}
	}
	return 0, nil
}

// take adds an exchange to the request; why says what keeps it out. A wholly
// hidden one is passed over.
func (b *builder) take(x session.Exchange) (why string, err error) {
	part, err := b.read(x)
	switch {
	case err != nil || len(part.seqs) == 0:
		return "", err
	case x.Cancelled && part.generated:
		return "cancelled", nil
	case !x.Complete && part.generated:
		return "incomplete", nil
	case part.tooLarge || b.bytes+part.bytes > b.limits.RequestBytes || b.tokens+part.tokens > b.limits.RequestTokens:
		return "too large", nil
	}
	b.bytes += part.bytes
	b.tokens += part.tokens
	b.frame.lines = append(b.frame.lines, part.lines...)
	b.through = x.Last
	return "", b.cite(x)
}

// part is what of an exchange is visible.
type part struct {
	seqs      []int64
	lines     [][]byte
	bytes     int64
	tokens    int64
	generated bool // something of it came from or through a model
	tooLarge  bool // more than any request takes: the lines are not all there
}

// read makes the lines of an exchange, and stops making them where no request could hold them.
func (b *builder) read(x session.Exchange) (part, error) {
	p := part{}
	for e, err := range b.log.Records(x.First, x.Last) {
		if err == nil {
			err = b.ctx.Err()
		}
		if err != nil {
			return p, err
		}
		if !b.visible.Shows(e, session.Working) {
			continue
		}
		p.seqs = append(p.seqs, e.Seq)
		p.generated = p.generated || !e.Typed() && e.Origin != session.OriginSynthetic
		if p.tooLarge {
			continue
		}
		line := recordLine(e)
		p.lines = append(p.lines, line)
		p.bytes += escapedSize(line)
		p.tokens += b.deps.tokens(string(line)) + 1
		p.tooLarge = p.bytes > b.limits.RequestBytes
	}
	return p, nil
}

// cite adds the visible records of an exchange to the refs.
func (b *builder) cite(x session.Exchange) error {
	for e, err := range b.log.Records(x.First, x.Last) {
		if err != nil {
			return err
		}
		if !b.visible.Shows(e, session.Working) {
			continue
		}
		b.cites.Add(e)
	}
	b.plan.Covers = b.cites.Refs
	return nil
}

// finish is the plan with its request.
func (b *builder) finish() Plan {
	b.plan.Request = b.frame.request(b.limits.MaxOutputTokens)
	return b.plan
}
