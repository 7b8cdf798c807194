package transcript

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// usage is what a source says that a call took; nil where it did not say.
// Cost is a number as the source wrote it.
type usage struct {
	CacheReadTokens  *int64         `json:"cache_read_tokens"`
	CacheWriteTokens *int64         `json:"cache_write_tokens"`
	Cost             jsontext.Value `json:"cost"`
	InputTokens      *int64         `json:"input_tokens"`
	OutputTokens     *int64         `json:"output_tokens"`
}

// maxTokens is the largest count that is believed; beyond it a sum could overflow.
const maxTokens = 1 << 53

// tokens reads a count: a whole number from 0 to maxTokens, else nil.
func tokens(v jsontext.Value) *int64 {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil || n < 0 || n > maxTokens {
		return nil
	}
	return &n
}

// money reads an amount: a number from 0 on, else nil.
func money(v jsontext.Value) jsontext.Value {
	f, err := strconv.ParseFloat(string(v), 64)
	if v.Kind() != '0' || err != nil || f < 0 {
		return nil
	}
	return v
}

// known reports whether u says anything.
func (u usage) known() bool {
	return u.InputTokens != nil || u.OutputTokens != nil || u.CacheReadTokens != nil ||
		u.CacheWriteTokens != nil || u.Cost != nil
}

// over returns u with the fields of old where u does not say.
func (u usage) over(old usage) usage {
	for _, f := range []struct{ now, before **int64 }{
		{&u.InputTokens, &old.InputTokens}, {&u.OutputTokens, &old.OutputTokens},
		{&u.CacheReadTokens, &old.CacheReadTokens}, {&u.CacheWriteTokens, &old.CacheWriteTokens},
	} {
		if *f.now == nil {
			*f.now = *f.before
		}
	}
	if u.Cost == nil {
		u.Cost = old.Cost
	}
	return u
}

func (u usage) equal(o usage) bool {
	same := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
	return same(u.InputTokens, o.InputTokens) && same(u.OutputTokens, o.OutputTokens) &&
		same(u.CacheReadTokens, o.CacheReadTokens) && same(u.CacheWriteTokens, o.CacheWriteTokens) &&
		string(u.Cost) == string(o.Cost)
}

// answers knows what was said of the recent answers, and the totals over all.
type answers struct {
	seen  *recent[usage]
	total UsageTotals
}

func newAnswers() *answers { return &answers{seen: newRecent[usage]()} }

// take notes that a line of the answer callID says u, and returns what the
// line's record carries: the usage of the answer as known now, or nil where an
// earlier line carried the same. A line without a call ID is an answer by itself.
func (a *answers) take(callID *string, u usage) *usage {
	var old usage
	met := false
	if callID != nil {
		old, met = a.seen.get(*callID)
	}
	now := u.over(old)
	if !met {
		a.total.Calls++
		a.total.UnknownUsageCalls++
	}
	if callID != nil {
		a.seen.set(*callID, now)
	}
	if now.equal(old) {
		return nil
	}
	a.total.change(old, now)
	return &now
}

// change replaces in the totals what was known of an answer by what is known now.
func (t *UsageTotals) change(old, now usage) {
	if !old.known() && now.known() {
		t.UnknownUsageCalls--
	}
	add := func(sum *int64, before, after *int64) {
		if before != nil {
			*sum -= *before
		}
		if after != nil && *sum <= 1<<62 {
			*sum += *after
		}
	}
	add(&t.InputTokens, old.InputTokens, now.InputTokens)
	add(&t.OutputTokens, old.OutputTokens, now.OutputTokens)
	add(&t.CacheReadTokens, old.CacheReadTokens, now.CacheReadTokens)
	add(&t.CacheWriteTokens, old.CacheWriteTokens, now.CacheWriteTokens)
	if now.Cost != nil {
		sum := number(now.Cost) - number(old.Cost)
		if t.Cost != nil {
			sum += *t.Cost
		}
		t.Cost = &sum
	}
}

func number(v jsontext.Value) float64 {
	f, _ := strconv.ParseFloat(string(v), 64)
	return f
}

// whole notes the usage of a run whose answers say nothing by themselves.
func (a *answers) whole(u usage, calls int64) {
	if calls > 0 {
		a.total.Calls = calls
	}
	a.total.UnknownUsageCalls = 1
	a.total.change(usage{}, u)
}
