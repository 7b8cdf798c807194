package offline

import "strings"

// The weights of what a sentence holds that stands nowhere else.
const (
	wordWeight    = 1.0
	commandWeight = 1.5 // of a command line among other words, besides what its parts weigh
	maxWords      = 5   // more words add nothing: a long sentence is not a richer one
	maxShapes     = 3
	personWeight  = 1.5
	agentWeight   = 1.0
	nobodyWeight  = 0.25
	finalWeight   = 1.15
	dullWeight    = 0.35 // of a sentence that only announces
)

func (s shape) weight() float64 {
	return [...]float64{plain: 0, name: 0.6, number: 1.6, identifier: 2, path: 3.2, link: 1.5, code: 1.8}[s]
}

// judged is a sentence with what it is worth.
type judged struct {
	sentence
	tokens []token
	info   float64 // what it holds that stands nowhere else
	value  float64 // info, weighed by who said it and how
	short  string
}

// judge weighs a sentence against the counts; nil counts take every word as new.
func judge(s sentence, c counts) judged {
	j := judged{sentence: s, tokens: tokens(s.text)}
	j.info = information(s.text, j.tokens, c)
	w := agentWeight
	switch s.who {
	case person:
		w = personWeight
	case nobody:
		w = nobodyWeight
	}
	if s.final {
		w *= finalWeight
	}
	if s.who != person && announces(s.text) {
		w *= dullWeight
	}
	j.value = w * j.info / lengthCost(len(s.text))
	j.short = shortForm(s.text, j.tokens, c)
	return j
}

// lengthCost is what n bytes take, with the frame of a line.
func lengthCost(n int) float64 { return (float64(n) + 25) / 10 }

func information(text string, list []token, c counts) float64 {
	wordSum, shapeSum, wordsLeft, shapesLeft := 0.0, 0.0, maxWords, maxShapes
	for i, t := range list {
		n := newness(text, list, i, c)
		if t.shape == plain || t.shape == name {
			if w := lower(t.text); wordsLeft > 0 && len(w) > 2 && !isCommon(stem(w)) && !isCommon(w) && n > 0 {
				wordSum += n*wordWeight + n*t.shape.weight()
				wordsLeft--
			}
			continue
		}
		if shapesLeft > 0 && n > 0 {
			shapeSum += n * t.shape.weight()
			shapesLeft--
		}
	}
	if from, to, found := commandIn(text, list); found && (c == nil || c.rarest(text[from:to]) == 1) {
		shapeSum += commandWeight
	}
	return wordSum + shapeSum
}

// stem cuts a few endings, for the look-up among common words only.
func stem(w string) string {
	for _, end := range []string{"'s", "ing", "ed", "es", "s", "ly"} {
		if s, found := strings.CutSuffix(w, end); found && len(s) > 2 {
			return s
		}
	}
	return w
}

// newness is the novelty of a token; of a number together with the word behind it.
func newness(text string, list []token, i int, c counts) float64 {
	t := list[i]
	if c == nil {
		return 1
	}
	switch t.shape {
	case plain, name:
		return c.novelty(hash(t.text))
	case number:
		if i+1 < len(list) && gapIsSpace(text, t, list[i+1]) && isUnit(list[i+1]) {
			return c.rarest(t.text + " " + list[i+1].text)
		}
		if len(t.text) < 3 {
			return 0 // a bare 4 says nothing
		}
	}
	return c.rarest(t.text)
}

// isUnit reports whether the word behind a number can be what it counts.
func isUnit(t token) bool {
	switch w := lower(t.text); {
	case len(w) <= 2:
		return isShortUnit(w)
	case t.shape <= name:
		return !isCommon(w)
	}
	return false
}

func gapIsSpace(text string, a, b token) bool {
	return strings.TrimSpace(text[a.to:b.from]) == ""
}
