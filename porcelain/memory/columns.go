package memory

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is how many columns of a terminal a text takes that has gone through
// prompt.Show: two for East Asian wide characters and emoji, none for marks
// and joiners. Where terminals differ it counts more, so that what fits here
// fits there.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += wide(r)
	}
	return n
}

// wide is the columns of one character.
func wide(r rune) int {
	switch {
	case r < 0x300: // no marks and nothing wide below
		return 1
	case r == 0x200d, unicode.In(r, unicode.Mn, unicode.Me):
		if r == 0xfe0f { // makes a picture of what stands before it
			return 1
		}
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// fitting is how many bytes of s fit into n columns, marks with their letters.
func fitting(s string, n int) int {
	for i, r := range s {
		if n -= wide(r); n < 0 {
			return i
		}
	}
	return len(s)
}

// cut is s if it fits into n columns, else its beginning and an ellipsis.
func cut(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	return strings.TrimRight(s[:fitting(s, n-1)], " ") + "…"
}

// cutFront is s if it fits into n columns, else an ellipsis and its end.
func cutFront(s string, n int) string {
	total := columns(s)
	if total <= n {
		return s
	}
	for i, r := range s {
		if total <= n-1 && wide(r) > 0 {
			return "…" + s[i:]
		}
		total -= wide(r)
	}
	return "…"
}

// wrap cuts a line at spaces into parts of at most n columns; a longer word is cut.
func wrap(text string, n int) []string {
	var parts []string
	for columns(text) > n {
		at := max(fitting(text, n), firstLen(text))
		rest := text[at:]
		if i := strings.LastIndexByte(text[:at], ' '); rest[0] != ' ' && i > at/2 {
			at, rest = i, text[i:]
		}
		parts = append(parts, text[:at])
		text = strings.TrimPrefix(rest, " ")
	}
	return append(parts, text)
}

// firstLen is the bytes of the first character: something has to go into a line.
func firstLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}
