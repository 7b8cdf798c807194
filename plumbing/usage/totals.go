package usage

import (
	"context"
	"errors"
	"time"
)

// Totals is what calls took, as far as it is known.
type Totals struct {
	CacheReadTokens, CacheWriteTokens, InputTokens, OutputTokens int64 // known subtotals

	Calls             int64    // each once
	UnknownUsageCalls int64    // of which nobody reported a count of tokens
	EstimatedTokens   int64    // what those were reckoned to take; in none of the sums
	Cost              *float64 // known subtotal in US dollars; nil: no call's cost is known
	PricedCalls       int64    // whose part of Cost is reckoned by list price
	UnknownCostCalls  int64    // whose cost is not known
}

// Tokens is the sum of the known counts.
func (t Totals) Tokens() int64 {
	return t.CacheReadTokens + t.CacheWriteTokens + t.InputTokens + t.OutputTokens
}

// Add counts one call. Sums stop at the largest value there is.
func (t *Totals) Add(u *Tokens, estimate int64, priced *float64) {
	t.Calls++
	if u == nil {
		u = &Tokens{}
	}
	reported := false
	for _, f := range []struct {
		sum *int64
		n   *int64
	}{{&t.InputTokens, u.InputTokens}, {&t.OutputTokens, u.OutputTokens},
		{&t.CacheReadTokens, u.CacheReadTokens}, {&t.CacheWriteTokens, u.CacheWriteTokens}} {
		if f.n != nil {
			reported = true
			*f.sum = add(*f.sum, *f.n)
		}
	}
	if !reported {
		t.UnknownUsageCalls++
		t.EstimatedTokens = add(t.EstimatedTokens, estimate)
	}
	cost := u.Cost
	if cost == nil && priced != nil {
		cost = priced
		t.PricedCalls++
	}
	if cost == nil {
		t.UnknownCostCalls++
		return
	}
	sum := *cost
	if t.Cost != nil {
		sum += *t.Cost
	}
	t.Cost = &sum
}

// Plus is the sum of two totals.
func (t Totals) Plus(o Totals) Totals {
	for _, f := range []struct {
		sum *int64
		n   int64
	}{{&t.InputTokens, o.InputTokens}, {&t.OutputTokens, o.OutputTokens},
		{&t.CacheReadTokens, o.CacheReadTokens}, {&t.CacheWriteTokens, o.CacheWriteTokens},
		{&t.Calls, o.Calls}, {&t.UnknownUsageCalls, o.UnknownUsageCalls}, {&t.EstimatedTokens, o.EstimatedTokens},
		{&t.PricedCalls, o.PricedCalls}, {&t.UnknownCostCalls, o.UnknownCostCalls}} {
		*f.sum = add(*f.sum, f.n)
	}
	if o.Cost != nil {
		sum := *o.Cost
		if t.Cost != nil {
			sum += *t.Cost
		}
		t.Cost = &sum
	}
	return t
}

// maxSum is where sums stop, so that no ledger can make one negative.
const maxSum = 1 << 60

func add(a, b int64) int64 { return min(a+b, maxSum) }

// Filter chooses lines; the zero value takes all.
type Filter struct {
	SessionID string    // only calls of this session
	Since     time.Time // only calls at this time or later
	Until     time.Time // only calls before this time
}

// Takes reports whether f takes a line.
func (f Filter) Takes(l Line) bool {
	if f.SessionID != "" && (l.SessionID == nil || *l.SessionID != f.SessionID) {
		return false
	}
	if f.Since.IsZero() && f.Until.IsZero() {
		return true
	}
	at, err := time.Parse(time.RFC3339Nano, l.Time)
	return err == nil && !at.Before(f.Since) && (f.Until.IsZero() || at.Before(f.Until))
}

// Totals sums up the lines that f takes. damaged names the lines that are none
// and count nowhere; they are no failure.
func (l Ledger) Totals(ctx context.Context, f Filter) (t Totals, damaged []*Damaged, err error) {
	damaged, err = l.Read(ctx, func(line Line) {
		if f.Takes(line) {
			t.Add(line.Usage, line.Estimate, line.Priced)
		}
	})
	return t, damaged, err
}

// Read calls do with each line; the first maxDamaged that are none are named.
func (l Ledger) Read(ctx context.Context, do func(Line)) (damaged []*Damaged, err error) {
	for line, err := range l.Lines(ctx) {
		var d *Damaged
		switch {
		case errors.As(err, &d):
			if len(damaged) < maxDamaged {
				damaged = append(damaged, d)
			}
		case err != nil:
			return damaged, err
		default:
			do(line)
		}
	}
	return damaged, nil
}

const maxDamaged = 20
