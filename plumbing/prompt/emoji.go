package prompt

import (
	"strings"
	"unicode/utf8"
)

// maxJoined is the most pictures in one joined emoji; the longest in use has four and a few selectors.
const maxJoined = 8

const (
	joiner         = '\u200D'
	textSelector   = '\uFE0E'
	emojiSelector  = '\uFE0F'
	enclosedKeycap = '\u20E3'
	blackFlag      = "\U0001F3F4"
	cancelTag      = '\U000E007F'
	tagOffset      = 0xE0000 // a tag character is this far from its ASCII
)

// emoji returns the length of the emoji at the start of s, if it has invisible
// parts that belong to it; 0 where it has none, or is none.
func emoji(s string) int {
	if s[0] < utf8.RuneSelf {
		return keycap(s)
	}
	if n := taggedFlag(s); n > 0 {
		return n
	}
	n := picture(s)
	for range maxJoined - 1 {
		rest, ok := strings.CutPrefix(s[n:], string(joiner))
		m := 0
		if ok && n > 0 {
			m = picture(rest)
		}
		if m == 0 {
			break
		}
		n += utf8.RuneLen(joiner) + m
	}
	return n
}

// keycap: a digit, # or * with the emoji selector and the enclosing keycap.
func keycap(s string) int {
	if !strings.ContainsRune("0123456789#*", rune(s[0])) {
		return 0
	}
	if k := string([]rune{emojiSelector, enclosedKeycap}); strings.HasPrefix(s[1:], k) {
		return 1 + len(k)
	}
	return 0
}

// taggedFlag: the flags of England, Scotland and Wales, exactly; they are the
// only tag sequences that Unicode recommends for interchange.
func taggedFlag(s string) int {
	rest, ok := strings.CutPrefix(s, blackFlag)
	if !ok {
		return 0
	}
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		if tags := tagged(region); strings.HasPrefix(rest, tags) {
			return len(blackFlag) + len(tags)
		}
	}
	return 0
}

func tagged(ascii string) string {
	var b strings.Builder
	for _, c := range ascii {
		b.WriteRune(tagOffset + c)
	}
	b.WriteRune(cancelTag)
	return b.String()
}

// picture returns the length of one emoji with at most one skin tone and one selector.
func picture(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if !pictorial(r) {
		return 0
	}
	if r, m := utf8.DecodeRuneInString(s[n:]); r >= 0x1F3FB && r <= 0x1F3FF {
		n += m
	}
	if r, m := utf8.DecodeRuneInString(s[n:]); r == emojiSelector || r == textSelector {
		n += m
	}
	return n
}

// pictorial reports whether r can be an emoji. The blocks hold a few visible
// signs that are none, which does no harm: a selector after one of them says one bit.
func pictorial(r rune) bool {
	switch {
	case r < 0x203C:
		return r == 0xA9 || r == 0xAE
	case r < 0x2190:
		return r == 0x203C || r == 0x2049 || r == 0x2122 || r == 0x2139
	case r < 0x3030:
		return r <= 0x21FF || r >= 0x2300 && r <= 0x23FF || r >= 0x24C2 && r <= 0x27BF ||
			r >= 0x2934 && r <= 0x2935 || r >= 0x2B00 && r <= 0x2BFF
	case r < 0x1F000:
		return r == 0x3030 || r == 0x303D || r == 0x3297 || r == 0x3299
	}
	return r <= 0x1FAFF
}
