package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shares is the words of a fact, folded, to find them in what was said. Words
// of fewer than four letters share nothing: they stand everywhere.
type shares map[string]bool

func sharesOf(text string) shares {
	s := shares{}
	for _, w := range split(text) {
		s[w] = true
	}
	return s
}

func split(text string) []string {
	var list []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if utf8.RuneCountInString(w) >= 4 {
			list = append(list, strings.ToLower(w))
		}
	}
	return list
}

// with reports whether a line holds one of the words.
func (s shares) with(line string) bool {
	for _, w := range split(line) {
		if s[w] {
			return true
		}
	}
	return false
}
