package main

import "strings"

// splitWords reads a command line as a person types it: words, with single and
// double quotes. Nothing else of a shell's is known; a backslash is one.
func splitWords(line string) (words []string, ok bool) {
	var word strings.Builder
	quote, begun := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				words = append(words, word.String())
				word.Reset()
			}
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// joinWords is a command as splitWords reads it; "" where it cannot be.
func joinWords(words []string) string {
	list := make([]string, len(words))
	for i, w := range words {
		switch {
		case w != "" && !strings.ContainsAny(w, " \t'\""):
			list[i] = w
		case !strings.Contains(w, "'"):
			list[i] = "'" + w + "'"
		case !strings.Contains(w, `"`):
			list[i] = `"` + w + `"`
		default:
			return ""
		}
	}
	return strings.Join(list, " ")
}
