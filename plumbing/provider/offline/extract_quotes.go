package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// blanked is text with what stands between quotation marks or backquotes masked
// byte by byte, the marks too. A quotation that is not closed goes to the end; a
// lone backquote or apostrophe is none.
func blanked(text string) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		end := quotationEnd(text, i, r, size)
		if end == 0 {
			i += size
			continue
		}
		for j := i; j < end; j++ {
			out[j] = mask
		}
		i = end
	}
	return string(out)
}

// quotationEnd is where the quotation that begins with r at i ends; 0 where none begins.
func quotationEnd(text string, i int, r rune, size int) int {
	closers := ""
	switch r {
	case '"':
		closers = "\""
	case '“':
		closers = "”"
	case '„':
		closers = "“”"
	case '«':
		closers = "»"
	case '»':
		closers = "«"
	case '「':
		closers = "」"
	case '『':
		closers = "』"
	case '`':
		if n := strings.IndexByte(text[i+size:], '`'); n >= 0 {
			return i + size + n + 1
		}
		return 0
	case '\'', '‘':
		return apostropheEnd(text, i, size)
	default:
		return 0
	}
	n := strings.IndexAny(text[i+size:], closers)
	if n < 0 {
		return len(text)
	}
	_, last := utf8.DecodeRuneInString(text[i+size+n:])
	return i + size + n + last
}

// apostropheEnd is where a quotation in single marks at i ends; 0 where the mark is an apostrophe.
func apostropheEnd(text string, i, size int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	if i > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return 0
	}
	line := text[i+size:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	line = line[:min(len(line), maxQuote)]
	for j, r := range line {
		if r != '\'' && r != '’' {
			continue
		}
		end := j + utf8.RuneLen(r)
		after, _ := utf8.DecodeRuneInString(line[end:])
		if !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			return i + size + end
		}
	}
	return 0
}
