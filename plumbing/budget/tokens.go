package budget

import "unicode/utf8"

// unit is the fraction of a token that the costs below count in.
const unit = 16

// Tokens is the conservative estimate of how many tokens a text is: on all that
// was measured (see the package's comment) more than the exact count, and never
// more than one a byte, which no byte-level vocabulary exceeds. It reads the
// text once and allocates nothing. Bytes that are no UTF-8 count as they are.
//
// It cuts the text as tokenizers do before they merge anything (words, humps
// of camelCase, groups of digits, punctuation, white space, scripts) and adds
// up what each piece costs. What looks encoded (hex, base64, ids) falls into
// many short pieces and so costs more, without being recognised as such.
func Tokens(text string) int64 {
	s := scanner{text: text}
	for s.at < len(text) {
		switch classOf(text[s.at]) {
		case lower, upper:
			s.word()
		case digit:
			s.digits()
		case space:
			s.space()
		case punct:
			s.punct()
		case control:
			s.units += unit
			s.at++
		default:
			s.rune()
		}
	}
	return min((s.units+unit-1)/unit, int64(len(text)))
}

// class is what kind of piece a byte begins.
type class uint8

const (
	control class = iota
	space
	lower
	upper
	digit
	punct
	beyond // ASCII
)

// classOf is a chain of comparisons: what a text mostly is comes first.
func classOf(c byte) class {
	switch {
	case c-'a' < 26:
		return lower
	case c == ' ', c == '\n', c == '\t', c == '\r':
		return space
	case c-'A' < 26:
		return upper
	case c-'0' < 10:
		return digit
	case c >= utf8.RuneSelf:
		return beyond
	case c < ' ', c == 0x7f:
		return control
	}
	return punct
}
