package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean returns text as it can be quoted on one line at a time: valid UTF-8, no
// terminal colours, no control characters but tab and newline.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		if n := escapeLen(text[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case r == '\r' && i < len(text) && text[i] == '\n':
		case r == '\r':
			b.WriteByte('\n')
		case r == '\t' || r == '\n' || !unicode.IsControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isClean(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\t' && c != '\n' {
			return false
		}
	}
	return true
}

// escapeLen is the length of the terminal control sequence that s begins with, 0 for none.
func escapeLen(s string) int {
	if len(s) < 2 || s[0] != 0x1b || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 {
			return 0
		}
	}
	return 0
}

// prose yields the lines of a text that are written words, without code in
// fences, indented code, tables and markers of lists and headings.
func prose(text string, yield func(line string)) {
	fenced := false
	for line := range strings.Lines(text) {
		if rest, fence := strings.CutPrefix(strings.TrimLeft(line, " "), "```"); fence {
			line, fenced = rest, !fenced
			if fenced {
				continue
			}
		}
		if fenced || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") {
			continue
		}
		if line = untag(unmark(line)); line != "" && !isCode(line) {
			yield(line)
		}
	}
}

// unmark takes the markers of a list, a quotation or a heading off a line.
func unmark(line string) string {
	line = strings.TrimSpace(line)
	for {
		was := line
		for _, mark := range []string{"- ", "* ", "+ ", "> ", "# ", "## ", "### ", "#### ", "[ ] ", "[x] ", "• "} {
			line = strings.TrimPrefix(line, mark)
		}
		if digits := len(line) - len(strings.TrimLeft(line, "0123456789")); digits > 0 && digits < 4 &&
			(strings.HasPrefix(line[digits:], ". ") || strings.HasPrefix(line[digits:], ") ")) {
			line = line[digits+2:]
		}
		if line = strings.TrimSpace(line); line == was {
			return line
		}
	}
}

// sentences cuts a line of prose after . ! or ? where a new sentence begins.
func sentences(line string, yield func(s string)) {
	from := 0
	for i := 0; i < len(line); i++ {
		if c := line[i]; c != '.' && c != '!' && c != '?' {
			continue
		}
		end := i + 1
		for end < len(line) && strings.IndexByte("\"')]*`", line[end]) >= 0 {
			end++
		}
		if end < len(line) && line[end] == ' ' && begins(line[end+1:]) && !abbreviated(line[from:i]) || line[i] == '.' && runsOn(line[from:end], line[end:]) {
			yield(strings.TrimSpace(line[from:end]))
			from, i = end, end-1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		yield(rest)
	}
}

// begins reports whether a sentence can begin like s.
func begins(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \"'`([*"))
	return unicode.IsUpper(r) || unicode.IsDigit(r) || s != "" && strings.IndexByte("`\"/~.", s[0]) >= 0 || r >= 0x2e80 || lowerStart(s)
}

// lowerStart allows for a sentence that begins with a name such as svc-a or
// getFoo: a lower-case word that is no plain word.
func lowerStart(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return strings.ContainsAny(word, "_/-.:=") || shapeOf(word) == identifier || isProgram(word)
}

// untag takes tags off the beginning of a line of words.
func untag(line string) string {
	for strings.HasPrefix(line, "<") {
		end := strings.Index(line, "> ")
		if end < 0 || end > 40 || strings.ContainsAny(line[1:end], " <") {
			break
		}
		line = strings.TrimSpace(line[end+2:])
	}
	return line
}

// runsOn reports whether a sentence begins at s although no space stands
// between it and before, which ends in a full stop: a plain word of English
// with a capital, where no name of code goes on like that.
func runsOn(before, s string) bool {
	if n := len(before); n < 2 || !endsWord(before[:n-1]) {
		return false
	}
	word, rest, _ := strings.Cut(s, " ")
	word = strings.TrimRight(word, ",")
	if word == "" || rest == "" || word[0] < 'A' || word[0] > 'Z' || !isLetters(word) {
		return false
	}
	l := lower(word)
	return isCommon(l) || isCommon(stem(l)) || strings.HasSuffix(l, "ing") || strings.HasSuffix(l, "ed") && len(l) > 4
}

// endsWord: four letters, a closing bracket or a digit.
func endsWord(s string) bool {
	last := s[len(s)-1]
	return last == ')' || last == '`' || last >= '0' && last <= '9' || len(s) > 3 && isLetters(s[len(s)-4:])
}

func isLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) < 0
}

// isCode reports whether a line is no words: numbered or tagged, or with more
// marks of code than words.
func isCode(line string) bool {
	if digits := len(line) - len(strings.TrimLeft(line, "0123456789")); digits > 0 && digits < len(line) && strings.IndexByte(":\t|", line[digits]) >= 0 &&
		(digits+1 == len(line) || line[digits+1] < '0' || line[digits+1] > '9') {
		return true
	}
	if line[0] == '<' && !strings.Contains(line, "> ") || strings.HasPrefix(line, "@@") || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "$ ") {
		return true
	}
	marks, spaces := 0, 0
	for i := range len(line) {
		switch line[i] {
		case '(', ')', '{', '}', '[', ']', ';', '=', '<', '>', '|', '\\', '&', '*', '+', '%', '^', '$':
			marks++
		case ' ':
			spaces++
		}
	}
	last := line[len(line)-1]
	return marks > 3 && 2*marks > spaces+2 || marks > 0 && (last == ';' || last == '{' || last == '}' || last == ':' && spaces < 4) || spaces == 0 && marks > 0
}

// abbreviated reports whether the full stop behind s ends an abbreviation.
func abbreviated(s string) bool {
	last := s[strings.LastIndexAny(s, " (")+1:]
	switch strings.ToLower(last) {
	case "e.g", "i.e", "etc", "vs", "cf", "mr", "mrs", "dr", "no", "approx", "z.b", "ca":
		return true
	}
	return len(last) == 1 && unicode.IsUpper(rune(last[0]))
}

// clip is s, or a beginning of it of at most n bytes that ends at a word and with "…".
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	cut := s[:n]
	if at := strings.LastIndexByte(cut, ' '); at > n/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// firstLine is the first line of s with something on it, and whether there are more.
func firstLine(s string) (line string, more bool) {
	s = strings.TrimSpace(s)
	line, rest, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line), strings.TrimSpace(rest) != ""
}
