package offline

import (
	"unicode"
	"unicode/utf8"
)

// counts says how often a word, or two words one after the other, stand in the
// input: in what was said, and in what tools were given and gave back.
type counts map[uint64]tally

type tally struct{ said, seen int32 }

// add counts the words of text and their pairs.
func (c counts) add(text string, said bool) {
	var before uint64
	eachHash(text, func(h uint64) {
		c.one(h, said)
		if before != 0 {
			c.one(pair(before, h), said)
		}
		before = h
	})
}

func (c counts) one(h uint64, said bool) {
	t := c[h]
	if said {
		t.said++
	} else {
		t.seen++
	}
	c[h] = t
}

// novelty is 1 for what was said once and stands nowhere else, less the more
// often it stands elsewhere.
func (c counts) novelty(h uint64) float64 {
	t := c[h]
	switch {
	case t.seen == 0 && t.said <= 1:
		return 1
	case t.seen == 0 && t.said == 2:
		return 0.6
	case t.seen == 0 && t.said <= 4:
		return 0.3
	case t.seen == 1:
		return 0.25
	case t.seen <= 3:
		return 0.1
	}
	return 0
}

// rarest is the novelty of the rarest word or pair of words in text.
func (c counts) rarest(text string) float64 {
	best, before := 0.0, uint64(0)
	eachHash(text, func(h uint64) {
		best = max(best, c.novelty(h))
		if before != 0 {
			best = max(best, c.novelty(pair(before, h)))
		}
		before = h
	})
	return best
}

func pair(a, b uint64) uint64 { return (a^0x9e3779b97f4a7c15)*0x100000001b3 ^ b }

// eachHash yields a hash for each run of letters, digits and underscores, in lower case.
func eachHash(s string, yield func(h uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			h, i = (h^uint64(c+'a'-'A'))*prime, i+1
			continue
		case c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			h, i = (h^uint64(c))*prime, i+1
			continue
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			i += n
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				h = (h ^ uint64(unicode.ToLower(r))) * prime
				continue
			}
		default:
			i++
		}
		if h != offset {
			yield(h)
			h = offset
		}
	}
	if h != offset {
		yield(h)
	}
}

func hash(word string) (h uint64) {
	eachHash(word, func(x uint64) { h = x })
	return h
}
