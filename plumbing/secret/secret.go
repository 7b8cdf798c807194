package secret

import (
	"slices"
	"strings"
)

// Span is where a secret stands in a text, in bytes.
type Span struct {
	Start, End int
	Kind       string // "GitHub token"; for people
}

// Find returns the secrets of a text in their order; they do not overlap.
func Find(text string) []Span {
	var spans []Span
	at := 0
	for _, b := range blocks(text) {
		spans = append(tokens(spans, text, at, b.Start), b)
		at = b.End
	}
	return tokens(spans, text, at, len(text))
}

// Mask puts "[masked: KIND]" in the place of each secret, and names the kinds,
// each once, in the order in which they appear. A masked text stays as it is
// when it is masked again.
func Mask(text string) (masked string, kinds []string) {
	spans := Find(text)
	if len(spans) == 0 {
		return text, nil
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString("[masked: " + s.Kind + "]")
		at = s.End
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
	}
	b.WriteString(text[at:])
	return b.String(), kinds
}

// Kind is the kind of the first secret of a text; "" where it holds none.
func Kind(text string) string {
	for _, s := range Find(text) {
		return s.Kind
	}
	return ""
}
