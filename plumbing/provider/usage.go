package provider

// MaxTokens is the largest count of tokens that is believed; beyond it a sum could overflow.
const MaxTokens = 1 << 53

// Usage is what one call took, as the provider said; nil where it did not say
// (design section 4). The three counts of the prompt do not overlap, whatever
// the provider's own custom: InputTokens is what was neither read from a cache
// nor written to one.
type Usage struct {
	CacheReadTokens  *int64   `json:"cache_read_tokens"`
	CacheWriteTokens *int64   `json:"cache_write_tokens"`
	Cost             *float64 `json:"cost"` // in the provider's currency, US dollars with all that lecode knows
	InputTokens      *int64   `json:"input_tokens"`
	OutputTokens     *int64   `json:"output_tokens"` // reasoning included
}

// Known reports whether u says anything.
func (u Usage) Known() bool { return u != Usage{} }

// Over is u with the fields of old where u does not say: of several reports
// of one call the last known value counts, field by field.
func (u Usage) Over(old Usage) Usage {
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

// Prompt is the size of the whole prompt in tokens, cached or not; nil where
// the provider did not say.
func (u *Usage) Prompt() *int64 {
	if u == nil || u.InputTokens == nil {
		return nil
	}
	sum := *u.InputTokens
	for _, n := range []*int64{u.CacheReadTokens, u.CacheWriteTokens} {
		if n != nil {
			sum += *n
		}
	}
	return &sum
}
