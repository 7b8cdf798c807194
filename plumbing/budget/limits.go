package budget

// Limits is what a model can take and costs.
type Limits struct {
	ContextWindow int64 // tokens, prompt and answer together
	// MaxOutput is what the catalog names as the usual cap of an answer, in
	// tokens; 0 where nothing is known.
	MaxOutput int64
	Known     bool // from the catalog; else the window is what the caller said
	Prices    Prices
}

// Prices are US dollars a million tokens; nil is unknown, and a free model is
// not told from one of unknown price.
type Prices struct {
	CacheRead, CacheWrite, Input, Output *float64
}

// Unknown is the limits of a model that the catalog does not have: window is
// agent.context_window.
func Unknown(window int64) Limits { return Limits{ContextWindow: window} }

// Fits reports whether a prompt leaves room for an answer of reserve tokens.
func (l Limits) Fits(prompt, reserve int64) bool { return prompt <= l.ContextWindow-reserve }

// Output is the cap to ask an answer under: want, or less where the model
// gives less or the prompt leaves less; 0 where there is no room.
func (l Limits) Output(want, prompt int64) int64 {
	if l.MaxOutput > 0 {
		want = min(want, l.MaxOutput)
	}
	return max(0, min(want, l.ContextWindow-prompt))
}

// Cost is the list price of a call in US dollars; nil where a count or a price
// that it needs is not known. Counts of the prompt do not overlap; a nil count
// of cached tokens is none.
func (p Prices) Cost(input, output, cacheRead, cacheWrite *int64) *float64 {
	if input == nil || output == nil {
		return nil
	}
	sum := 0.0
	for _, f := range []struct {
		n     *int64
		price *float64
	}{{input, p.Input}, {output, p.Output}, {cacheRead, p.CacheRead}, {cacheWrite, p.CacheWrite}} {
		if f.n == nil || *f.n == 0 {
			continue
		}
		if f.price == nil {
			return nil
		}
		sum += float64(*f.n) * *f.price / 1e6
	}
	return &sum
}
