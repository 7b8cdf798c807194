package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ruleWords mark a sentence that says how things have to be done, or that somebody decided.
func ruleWords() []string {
	return []string{"must", "mustn't", "never", "always", "don't", "do not", "should", "shouldn't", "shall", "only",
		"prefer", "required", "require", "forbidden", "not allowed", "instead of", "no longer", "rather than",
		"decided", "agreed", "rule", "convention", "policy", "from now on", "make sure", "avoid", "keep", "without"}
}

// errorWords mark a line that reports a failure.
func errorWords() []string {
	return []string{"error", "errors", "fatal", "panic", "exception", "traceback", "failed", "failure", "cannot", "can't",
		"denied", "no such", "not found", "timeout", "timed out", "undefined", "segmentation fault", "unable to", "refused", "exit code", "exit status"}
}

func hasRuleWord(s string) bool { return hasWord(s, ruleWords()) }

func isErrorLine(s string) bool {
	return hasWord(s, errorWords()) || strings.Contains(s, "Error:") || strings.Contains(s, "Exception:")
}

func hasWord(s string, words []string) bool {
	s = strings.ToLower(s)
	for _, w := range words {
		if containsWhole(s, w) {
			return true
		}
	}
	return false
}

// summaryText is a summary, ready to be asked for details.
type summarized struct{ exact, folded string }

func newSummaryText(s string) summarized {
	s = squeeze(s)
	return summarized{s, strings.ToLower(s)}
}

// carries reports whether a detail stands in the summary: tokens as they are
// and whole, so that 37 is not found in 137; longer texts also in another case
// and without their last stop.
func (s summarized) carries(item Lost) bool {
	switch item.Kind {
	case Path, Identifier, Number:
		return containsWhole(s.exact, item.Text)
	}
	text := strings.TrimRight(strings.ToLower(item.Text), ".!? ")
	return text != "" && strings.Contains(s.folded, text)
}

// containsWhole reports whether a word stands in s with no letter, digit or
// underscore right before or behind it.
func containsWhole(s, word string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], word)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		behind, _ := utf8.DecodeRuneInString(s[end:])
		if !joins(before, word, true) && !joins(behind, word, false) && !goesOn(s[:start], s[end:], word) {
			return true
		}
		at = start + 1
	}
}

// joins reports whether a neighbour makes the word a part of a longer one.
func joins(r rune, word string, before bool) bool {
	if r == utf8.RuneError {
		return false
	}
	edge, _ := utf8.DecodeLastRuneInString(word)
	if before {
		edge, _ = utf8.DecodeRuneInString(word)
	}
	return wordRune(edge) && wordRune(r)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// goesOn reports whether a number goes on behind a point or comma: 4 does not stand in 8.4, nor in 4,000.
func goesOn(before, behind, word string) bool {
	if !isNumber(word) {
		return false
	}
	inside := func(s string, point, next int) bool {
		return len(s) >= 2 && strings.IndexByte(".,", s[point]) >= 0 && digit(s[next])
	}
	return inside(behind, 0, 1) || inside(before, max(len(before)-1, 0), max(len(before)-2, 0))
}
