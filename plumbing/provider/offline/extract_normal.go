package offline

import (
	"strings"
	"unicode"
)

// phrased is a sentence as its words, folded, with one space before and behind
// each; , ; : ( ) and ? are words of their own, what was masked is §.
type phrased string

// normal makes it.
func normal(s string) phrased {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteByte(' ')
	inWord, inMask := false, false
	end := func() {
		if inWord || inMask {
			b.WriteByte(' ')
		}
		inWord, inMask = false, false
	}
	for _, r := range s {
		switch {
		case r == mask:
			if !inMask {
				end()
				b.WriteString("§")
			}
			inMask = true
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-' && inWord, unicode.Is(unicode.Mn, r):
			if inMask {
				end()
			}
			inWord = true
			b.WriteRune(unicode.ToLower(r))
		case (r == '\'' || r == '’') && inWord:
			b.WriteByte('\'')
		case strings.ContainsRune(",;:()?", r):
			end()
			b.WriteRune(r)
			b.WriteByte(' ')
		case r == '—' || r == '–':
			end()
			b.WriteString(", ")
		default:
			end()
		}
	}
	end()
	return phrased(b.String())
}

// has reports whether one of the phrases in list stands in it as whole words.
func (n phrased) has(list string) bool {
	for phrase := range strings.SplitSeq(list, "|") {
		if n.at(phrase) >= 0 {
			return true
		}
	}
	return false
}

// at is where phrase stands as whole words, on the space before it; -1 for nowhere.
func (n phrased) at(phrase string) int {
	s := string(n)
	for from := 0; ; {
		i := strings.Index(s[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		if i > 0 && s[i-1] == ' ' && i+len(phrase) < len(s) && s[i+len(phrase)] == ' ' {
			return i - 1
		}
		from = i + 1
	}
}

// begins reports whether it begins with one of the phrases in list.
func (n phrased) begins(list string) bool {
	for phrase := range strings.SplitSeq(list, "|") {
		rest, found := strings.CutPrefix(string(n[1:]), phrase)
		if found && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// after is what follows the first of the phrases in list that stands in it.
func (n phrased) after(list string) (phrased, bool) {
	for phrase := range strings.SplitSeq(list, "|") {
		if i := n.at(phrase); i >= 0 {
			return n[i+1+len(phrase):], true
		}
	}
	return "", false
}

// without is it without the words in list.
func (n phrased) without(list string) phrased {
	var b strings.Builder
	b.WriteByte(' ')
	for w := range strings.FieldsSeq(string(n)) {
		if !listed(w, list) {
			b.WriteString(w)
			b.WriteByte(' ')
		}
	}
	return phrased(b.String())
}

// first is the first k words.
func (n phrased) first(k int) phrased {
	end := 0
	for ; k > 0; k-- {
		i := strings.IndexByte(string(n[end+1:]), ' ')
		if i < 0 {
			return n
		}
		end += i + 1
	}
	return n[:end+1]
}
