package learn

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/fact"
)

// Temporary reports whether words have a marker of something that will pass,
// as whole words, case and white space folded (design section 11). It is a
// conservative English heuristic: it refuses conventions that hold "only", and
// misses other ways to say it.
func Temporary(words string) bool {
	return marked(words, []string{"this task", "this time", "this once", "just once", "for now", "right now",
		"today", "tonight", "tomorrow", "this session", "this conversation", "this week",
		"temporarily", "temporary", "currently", "at the moment", "only"})
}

// Corrects reports whether words take something back.
func Corrects(words string) bool {
	return marked(words, []string{"correction:", "correct that", "actually", "i was wrong", "no longer"})
}

// marked looks at the words as they are read: without what cannot be seen,
// which would part a marker, and with a space for it.
func marked(words string, markers []string) bool {
	return has(seen(words, -1), markers) || has(seen(words, ' '), markers)
}

// seen puts a rune, or nothing where it is below 0, in the place of each invisible character.
func seen(words string, in rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return in
		}
		return r
	}, words)
}

func has(words string, markers []string) bool {
	folded := fact.Fold(words)
	for _, m := range markers {
		for at := 0; ; {
			next := strings.Index(folded[at:], m)
			if next < 0 {
				break
			}
			at += next
			before, _ := utf8.DecodeLastRuneInString(folded[:at])
			at += len(m)
			after, _ := utf8.DecodeRuneInString(folded[at:])
			if !ofWord(before) && (m[len(m)-1] == ':' || !ofWord(after)) {
				return true
			}
		}
	}
	return false
}

// ofWord: the error rune that stands for the end of a text is none.
func ofWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// lead is what stands before a quote in its own sentence or line.
func lead(before string) string {
	for i := len(before); i > 0; {
		r, size := utf8.DecodeLastRuneInString(before[:i])
		if ends(r) {
			return before[i:]
		}
		i -= size
	}
	return before
}

// ends reports whether a sentence or a line ends with r.
func ends(r rune) bool { return strings.ContainsRune("\n.!?;。！？；…", r) }

// Cropped reports whether a quote begins or ends within a sentence of its
// message: a qualification may stand in the rest. It is told, and refuses nothing.
func Cropped(before, quote, after string) bool {
	before = strings.TrimRight(before, " \t\"'“”„«»「『(*-•>#0123456789")
	after = strings.TrimLeft(after, " \t\"'“”«»」』)*")
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	quote = strings.TrimRight(quote, " \t\"'”»」』)*")
	end, _ := utf8.DecodeLastRuneInString(quote)
	starts := before == "" || ends(last) || last == ':'
	stops := after == "" || ends(end) || ends(next)
	return !starts || !stops
}
