package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/session"
)

// drawn is a plan with the records that the model is given.
type drawn struct {
	compact.Plan
	exchanges []Exchange
}

// drafter collects exchanges that fit a request.
type drafter struct {
	deps   Deps
	limits compact.Limits
	fresh  map[int64]bool
	seen   *session.Visibility

	lines  [][]byte
	cites  compact.Cites
	taken  []Exchange
	bytes  int64 // of the payload
	json   int64 // of the request
	tokens int64 // of the request
}

// draft plans from one summary, as the log is now. One that does not hold, and
// one with nothing to look at, is plumbing.ErrNo.
func (d Deps) draft(ctx context.Context, log *session.Log, h history, seq int64, limits compact.Limits, model string, facts []shown) (drawn, error) {
	e, err := log.Entry(seq)
	if err != nil {
		return drawn{}, err
	}
	standing := session.Malformed
	if e.Type == session.TypeCompact {
		if standing, err = h.chain.Judge(ctx, seq); err != nil {
			return drawn{}, err
		}
	}
	if standing != session.Holds {
		return drawn{}, plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("record %d of session %q is no summary that holds", seq, log.ID()), "")
	}
	s, err := h.chain.Summary(seq)
	if err != nil {
		return drawn{}, err
	}
	b := &drafter{deps: d, limits: limits, fresh: h.fresh(s), seen: h.chain.Visibility(), cites: compact.Cites{SessionID: log.ID()}}
	known, err := factLines(facts)
	if err != nil {
		return drawn{}, err
	}
	if err := b.begin(known); err != nil {
		return drawn{}, err
	}
	after := int64(0)
	if s.Prior != nil {
		prior, err := h.chain.Summary(s.Prior.Seq)
		if err != nil {
			return drawn{}, err
		}
		after = prior.CoveredThrough
	}
	if err := b.collect(ctx, log, after, s.CoveredThrough); err != nil {
		return drawn{}, err
	}
	if len(b.taken) == 0 {
		return drawn{}, plumbing.Fail(plumbing.ErrNo, fmt.Sprintf("summary %d of session %q has nothing new to look at", seq, log.ID()), "")
	}
	return drawn{compact.Plan{Covers: b.cites.Refs, Generation: b.seen.Generation(), Limits: limits, Model: model,
		Prior: &session.Prior{Digest: s.Digest, Seq: seq}, Purpose: compact.PurposeLearn,
		Request: request(userText(known, b.lines), limits.MaxOutputTokens), SessionID: log.ID(), Type: compact.TypePlan}, b.taken}, nil
}

// begin measures the request without a transcript.
func (b *drafter) begin(known [][]byte) error {
	text := userText(known, nil)
	empty, err := canon.Marshal(request(text, b.limits.MaxOutputTokens))
	if err != nil {
		return err
	}
	b.bytes, b.json = int64(len(text)), int64(len(empty))
	b.tokens = b.deps.tokens(instruction) + b.deps.tokens(text)
	if b.json > b.limits.RequestBytes || b.tokens > b.limits.RequestTokens {
		return plumbing.Fail(plumbing.ErrPaused,
			fmt.Sprintf("the request to learn has no room for a transcript: instruction and facts take %d of %d tokens and %d of %d bytes",
				b.tokens, b.limits.RequestTokens, b.json, b.limits.RequestBytes),
			"use a model with a larger window, or raise agent.context_window if it is set too low")
	}
	return nil
}

// collect takes whole exchanges, oldest first; one that does not fit is passed over.
func (b *drafter) collect(ctx context.Context, log *session.Log, after, through int64) error {
	for x, err := range log.Beside().ExchangesFrom(after + 1) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if x.First > through {
			return nil
		}
		if err := b.take(log, x); err != nil {
			return err
		}
	}
	return nil
}

// take adds an exchange if it fits.
func (b *drafter) take(log *session.Log, x session.Exchange) error {
	entries, err := b.read(log, x)
	if err != nil || len(entries) == 0 {
		return err
	}
	var lines [][]byte
	size, inJSON, tokens := int64(0), int64(0), int64(0)
	for _, e := range entries {
		line := compact.Line(e)
		lines = append(lines, line)
		size += int64(len(line)) + 1
		inJSON += compact.EscapedSize(line)
		tokens += b.deps.tokens(string(line)) + 1
	}
	if b.bytes+size > MaxPayload || b.json+inJSON > b.limits.RequestBytes || b.tokens+tokens > b.limits.RequestTokens {
		return nil
	}
	b.bytes, b.json, b.tokens = b.bytes+size, b.json+inJSON, b.tokens+tokens
	b.lines = append(b.lines, lines...)
	var taken Exchange
	for _, e := range entries {
		b.cites.Add(e)
		taken.Records = append(taken.Records, Record{Seq: e.Seq, Typed: e.Typed(), Raw: e.Raw})
	}
	b.taken = append(b.taken, taken)
	return nil
}

// read is the records of an exchange that the model may be given: what a
// person typed, what the assistant said, and calls with their results. An
// exchange that is larger than any payload is cut off there: it will not fit.
func (b *drafter) read(log *session.Log, x session.Exchange) ([]session.Entry, error) {
	var entries []session.Entry
	size := int64(0)
	for e, err := range log.Records(x.First, x.Last) {
		if err != nil {
			return nil, err
		}
		spoken := e.Typed() || e.Role == "assistant" || e.Role == "tool"
		if !b.fresh[e.Seq] || !b.seen.Shows(e, session.Working) || !spoken || e.Origin == session.OriginSynthetic {
			continue
		}
		e.Raw = slices.Clone(e.Raw)
		entries = append(entries, e)
		if size += int64(len(compact.Line(e))); size > MaxPayload {
			return entries, nil
		}
	}
	return paired(entries), nil
}

// paired leaves out tool results whose calls are not there, and messages that
// are nothing but calls whose results are not.
func paired(entries []session.Entry) []session.Entry {
	calls, results := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		for _, b := range gjson.GetBytes(e.Raw, "content").Array() {
			switch id := b.Get("id").Str; b.Get("type").Str {
			case "tool_call":
				calls[id] = e.Role == "assistant"
			case "tool_result":
				results[id] = calls[id]
			}
		}
	}
	return slices.DeleteFunc(entries, func(e session.Entry) bool {
		keep := false
		for _, b := range gjson.GetBytes(e.Raw, "content").Array() {
			switch b.Get("type").Str {
			case "tool_call", "tool_result":
				keep = keep || results[b.Get("id").Str]
			case "reasoning":
			default:
				keep = true
			}
		}
		return !keep
	})
}
