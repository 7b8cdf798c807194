package budget

import "unicode/utf8"

// The costs of pieces, in units: fitted so that no sample of a kilobyte of any
// kind measured came out below the exact count, and rounded up.
const (
	costWord      = 17 // a word behind white space, of up to 4 letters
	costFifth     = 3  // its fifth letter
	costLong      = 14 // each one after that
	costInner     = 18 // a word behind punctuation, of up to 8 letters
	costInnerLong = 10 // each one after that
	costHump      = 26 // a part of camelCase but the first
	costAtDigit   = 20 // letters that touch a digit: ids, hex, base64
	costAtDigitOn = 3  // each but the first
	costAfterMark = 40 // letters behind one that is not ASCII
	costMarkOn    = 14 // each but the first
	costCapitals  = 16 // a run of capitals
	costCapitalOn = 5  // each but the first
	costCluster   = 40 // each consonant after three in a row: no word, or a rare one
	costCapitalX  = 21 // the same in capitals
	costDigits    = 20 // each three digits

	costPunct       = 9  // punctuation by itself
	costCode        = 7  // code's own behind more of it
	costOther       = 18 // other behind punctuation
	costCodeWord    = 4  // code's own before a letter
	costOtherWord   = 20 // other before a letter
	costUnderscore  = 1  // before a letter
	costPunctAgain  = 5  // each of the first repetitions
	costSpaceDigit  = 16 // one space, before a digit
	costSpacePunct  = 5  // one space, before punctuation
	costSpaces      = 20 // a run of white space
	costSpacesOther = 11 // a run behind another kind of white space
	costSpaceAgain  = 3  // each of the first repetitions
	costOn          = 1  // each after those, where vocabularies have long runs of the character
	costPair        = 8  // each repetition where they do not
	repetitions     = 8  // how many are the first
)

// scanner reads a text piece by piece.
type scanner struct {
	text  string
	at    int
	units int64
}

// before is the byte before the current piece; a text begins as if behind a space.
func (s *scanner) before() byte {
	if s.at == 0 {
		return ' '
	}
	return s.text[s.at-1]
}

// next is the byte at i; a text ends as if before a space.
func (s *scanner) next(i int) byte {
	if i >= len(s.text) {
		return ' '
	}
	return s.text[i]
}

// word takes letters up to the next hump: capitals, or lower case with at most one capital before it.
func (s *scanner) word() {
	text, start := s.text, s.at
	end := start
	for end < len(text) && text[end]-'A' < 26 {
		end++
	}
	small := end < len(text) && text[end]-'a' < 26
	capitals := end - start
	if capitals >= 2 && small {
		capitals, end = capitals-1, end-1 // the last one begins the next hump
	}
	if capitals >= 2 {
		s.units += costCapitals + costCapitalOn*int64(capitals-1) + costCapitalX*clusters(text[start:end])
		s.at = end
		return
	}
	for end < len(text) && text[end]-'a' < 26 {
		end++
	}
	s.units += letters(int64(end-start), s.before(), s.next(end)) + costCluster*clusters(text[start:end])
	s.at = end
}

// letters is the cost of n letters between two bytes.
func letters(n int64, before, after byte) int64 {
	switch b := classOf(before); {
	case b == space:
		return costWord + costFifth*min(max(n-4, 0), 1) + costLong*max(n-5, 0)
	case b == digit, classOf(after) == digit:
		return costAtDigit + costAtDigitOn*(n-1)
	case b == lower, b == upper:
		return costHump
	case b == beyond:
		return costAfterMark + costMarkOn*(n-1)
	}
	return costInner + costInnerLong*max(n-8, 0)
}

// clusters counts the consonants that follow on three others.
func clusters(word string) (n int64) {
	if len(word) <= 3 {
		return 0
	}
	run := int64(0)
	for i := range len(word) {
		run = (run + 1) * int64(^vowels>>(word[i]&31)&1)
		n += max(run-3, 0) - max(run-4, 0)
	}
	return n
}

// vowels has the bits of a, e, i, o, u and y, by the low five bits of the letter.
const vowels uint32 = 1<<('a'&31) | 1<<('e'&31) | 1<<('i'&31) | 1<<('o'&31) | 1<<('u'&31) | 1<<('y'&31)

func (s *scanner) digits() {
	start := s.at
	for s.at < len(s.text) && s.text[s.at]-'0' < 10 {
		s.at++
	}
	s.units += costDigits * int64((s.at-start+2)/3)
}

// again moves past repetitions of the current byte and returns what they cost.
func (s *scanner) again(each int64) int64 {
	start, c := s.at, s.text[s.at]
	for s.at++; s.at < len(s.text) && s.text[s.at] == c; s.at++ {
	}
	n := int64(s.at - start - 1)
	switch c {
	case '\r':
		return unit * n
	case ' ', '\t', '\n', '#', '%', '*', '+', '-', '.', '/', ';', '=', '_', '~':
		return each*min(n, repetitions) + costOn*max(n-repetitions, 0)
	}
	return costPair * n
}

func (s *scanner) space() {
	c, behind := s.text[s.at], s.at > 0 && classOf(s.before()) == space
	again := s.again(costSpaceAgain)
	switch {
	case behind:
		s.units += costSpacesOther + again
	case c != ' ' || again > 0:
		s.units += costSpaces + again
	default: // one space: most words take theirs along
		switch classOf(s.next(s.at)) {
		case digit:
			s.units += costSpaceDigit
		case lower, upper, beyond:
		default:
			s.units += costSpacePunct
		}
	}
}

func (s *scanner) punct() {
	c, before := s.text[s.at], s.before()
	s.units += s.again(costPunctAgain)
	after := classOf(s.next(s.at))
	letter := after == lower || after == upper
	switch behind := classOf(before) == punct; {
	case behind && isCode(c) && isCode(before):
		s.units += costCode
	case behind:
		s.units += costOther
	case letter && c == '_':
		s.units += costUnderscore
	case letter && isCode(c):
		s.units += costCodeWord
	case letter:
		s.units += costOtherWord
	default:
		s.units += costPunct
	}
}

// isCode reports whether c is punctuation that stands side by side in code and
// JSON, so that vocabularies have pairs of it.
func isCode(c byte) bool {
	const low = uint64(1)<<'(' | 1<<')' | 1<<'"' | 1<<'\'' | 1<<',' | 1<<':' | 1<<';' | 1<<'.' | 1<<'=' | 1<<'/' | 1<<'<' | 1<<'>' | 1<<'-'
	const high = uint64(1)<<('{'-64) | 1<<('}'-64) | 1<<('['-64) | 1<<(']'-64)
	if c < 64 {
		return low>>c&1 == 1
	}
	return high>>(c-64)&1 == 1
}

// rune takes a character beyond ASCII, or a byte that is none.
func (s *scanner) rune() {
	r, n := utf8.DecodeRuneInString(s.text[s.at:])
	if r == utf8.RuneError && n == 1 {
		s.units += unit
		s.at++
		return
	}
	each, word := script(r, int64(n))
	if s.at == 0 || classOf(s.text[s.at-1]) != beyond {
		each += word
	}
	s.units += each
	s.at += n
}
