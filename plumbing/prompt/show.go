package prompt

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Show returns text with what a reader would not see, or would see in another
// place, as an escape: U+202E is "<U+202E>". That is control characters but
// tab and newline, bidirectional and other format characters, line and
// paragraph separators, variation selectors, fillers, tags and noncharacters
// (design section 13). Emoji keep what makes them one picture: a joiner
// between two of them, one emoji or text selector after one, and the tags of
// the three flags that have them. Other text is as it was; bad UTF-8 too.
func Show(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		n, shown := next(text)
		b.WriteString(shown)
		text = text[n:]
	}
	return b.String()
}

// ShowPart returns the beginning of text as Show shows it, in at most room
// bytes, and how many bytes of text that is: whole characters, and emoji with
// all that belongs to them.
func ShowPart(text string, room int) (shown string, used int) {
	var b strings.Builder
	for used < len(text) {
		n, s := next(text[used:])
		if b.Len()+len(s) > room {
			break
		}
		b.WriteString(s)
		used += n
	}
	return b.String(), used
}

// plain answers quickly for the usual case, where nothing can be invisible.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

// next takes one character off s, or one emoji with all that belongs to it, and
// returns its length and what stands for it. s is not empty.
func next(s string) (int, string) {
	if n := emoji(s); n > 0 {
		return n, s[:n]
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 || !unseen(r) {
		return n, s[:n]
	}
	return n, fmt.Sprintf("<U+%04X>", r)
}

// unseen reports whether r leaves no mark of its own where it stands.
func unseen(r rune) bool {
	if r < 0x7f {
		return r < ' ' && r != '\t' && r != '\n'
	}
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point) ||
		unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
