package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// shape is what a token looks like.
type shape uint8

const (
	plain      shape = iota
	name             // a capitalised word inside a sentence
	number           // 37, 8.4, 1,250, 0.75, 30 %
	identifier       // renewLease, settled_at, OPS-4417, v1.2.3, x.Run()
	path             // a file or a folder
	link             // a URL
	code             // what stands between backticks, or in quotation marks
)

// token is a word of a sentence, from the from'th byte to before the to'th.
type token struct {
	text     string // without the punctuation round it
	shape    shape
	from, to int
}

// tokens cuts a sentence into its words; what stands between backticks or in
// quotation marks is one.
func tokens(s string) []token {
	var list []token
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		if inner, whole := quoted(s[i:]); whole > 0 {
			list = append(list, token{inner, quotedShape(inner), i, i + whole})
			i += whole
			continue
		}
		end := i + wordLen(s[i:])
		if t, ok := bare(s, i, end, len(list) == 0); ok {
			list = append(list, t)
		}
		i = end
	}
	return list
}

func wordLen(s string) int {
	for i, r := range s {
		if unicode.IsSpace(r) || i > 0 && (r == '`' || strings.HasPrefix(s[i:], "](")) {
			return i
		}
	}
	return len(s)
}

// quoted is what stands in the backticks or quotation marks that s begins with, and how long it is with them.
func quoted(s string) (inner string, whole int) {
	open := s[0]
	if open != '`' && open != '"' {
		return "", 0
	}
	end := strings.IndexByte(s[1:], open)
	if end < 1 || end > 120 {
		return "", 0
	}
	inner = strings.TrimSpace(s[1 : 1+end])
	if inner == "" || open == '"' && strings.Count(inner, " ") > 6 {
		return "", 0
	}
	return inner, end + 2
}

// quotedShape: a number or a path stays one in backticks.
func quotedShape(inner string) shape {
	if sh := shapeOf(inner); sh == number || sh == path || sh == link {
		return sh
	}
	if isCommon(lower(inner)) {
		return plain
	}
	return code
}

const around = "()[]{}<>,;:!?\"'`*.…“”„‘’«»|"

// bare is the word from from to to, without punctuation round it.
func bare(s string, from, to int, first bool) (token, bool) {
	word := s[from:to]
	left := len(word) - len(strings.TrimLeftFunc(word, func(r rune) bool { return r != '.' && strings.ContainsRune(around, r) }))
	if strings.HasPrefix(word[left:], "...") {
		left += 3
	}
	right := len(strings.TrimRight(word[left:], around))
	right = withoutMark(word[left : left+right])
	if right == 0 {
		return token{}, false
	}
	if strings.HasPrefix(word[left+right:], "()") {
		right += 2
	}
	text := word[left : left+right]
	sh := shapeOf(text)
	if sh == plain && !first && isName(text) {
		sh = name
	}
	return token{text, sh, from + left, from + left + right}, true
}

// withoutMark is the length of a word without the number of a list that
// stands right behind it: "seed:1", "text.2".
func withoutMark(w string) int {
	n := len(w)
	if n > 4 && w[n-1] >= '0' && w[n-1] <= '9' && (w[n-2] == '.' || w[n-2] == ':') && isLetters(w[:n-2]) {
		return n - 2
	}
	return n
}

func isName(t string) bool {
	r, n := utf8.DecodeRuneInString(t)
	return unicode.IsUpper(r) && len(t) > n+1 && !isCommon(lower(t))
}

// shapeOf judges a token without punctuation round it.
func shapeOf(t string) shape {
	switch {
	case strings.Contains(t, "://"):
		return link
	case isPath(t):
		return path
	case isNumber(t):
		return number
	case isIdentifier(t):
		return identifier
	}
	return plain
}

// isNumber: digits with , . : % and a sign or currency before them.
func isNumber(t string) bool {
	body := strings.TrimLeft(t, "+-−~<>≤≥=#$€£×")
	body = strings.TrimRight(body, "%€$£°")
	if body == "" || body[0] < '0' || body[0] > '9' {
		return false
	}
	return strings.Trim(body, "0123456789.,:'/x×-") == "" && strings.Count(body, ".") < 3
}

func isPath(t string) bool {
	slashes := strings.Count(t, "/") + strings.Count(t, `\`)
	if slashes == 0 {
		return isFileName(t)
	}
	if strings.ContainsAny(t, "=(){}<>\"|*$") || strings.Trim(t, `/\.~`) == "" {
		return false
	}
	letters := strings.IndexFunc(t, unicode.IsLetter) >= 0
	rooted := strings.HasPrefix(t, "/") || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "../") ||
		strings.HasPrefix(t, "~/") || strings.Contains(t, `:\`)
	last := t[strings.LastIndexAny(strings.TrimRight(t, `/\`), `/\`)+1:]
	return letters && (rooted && len(t) > 2 || slashes > 1 || isFileName(last) || strings.HasSuffix(t, "/") || strings.ContainsAny(t, "_-0123456789") && slashes > 0)
}

// isFileName: a name, a dot and a short lower-case extension that is no ending of a number.
func isFileName(t string) bool {
	dot := strings.LastIndexByte(t, '.')
	if dot < 0 || dot == len(t)-1 || dot > 0 && len(t)-dot > 12 {
		return false
	}
	stem, ext := t[:dot], t[dot+1:]
	if strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || strings.Trim(ext, "0123456789") == "" {
		return false
	}
	if stem == "" {
		return len(ext) > 2 // .gitignore
	}
	return isExtension(ext) && strings.IndexFunc(stem, unicode.IsLetter) >= 0 && !strings.ContainsAny(stem, "(){}<>=\"|,;:")
}

// isIdentifier: underscores, humps, digits among letters, or the punctuation of code.
func isIdentifier(t string) bool {
	if len(t) < 3 {
		return false
	}
	var lower, upper, digit, under, hump, dashes, marks int
	prev := rune(0)
	for _, r := range t {
		switch {
		case unicode.IsLower(r):
			lower++
		case unicode.IsUpper(r):
			upper++
			if unicode.IsLower(prev) {
				hump++
			}
		case unicode.IsDigit(r):
			digit++
		case r == '_':
			under++
		case r == '-':
			dashes++
		case strings.ContainsRune("=()[]{}:.@$#/\\<>|&*+", r):
			marks++
		}
		prev = r
	}
	letters := lower + upper
	switch {
	case letters == 0:
		return digit > 4
	case under > 0 || hump > 0 || digit > 0:
		return true
	case marks > 0 && (len(t) > 3 || strings.Contains(t, "=")) && t[len(t)-1] != '.':
		return !strings.Contains(t, "...") && (marks > 1 || !strings.Contains(t, "/"))
	}
	return dashes >= 2 || strings.HasPrefix(t, "--") || dashes == 1 && t[0] == '-'
}

// words yields the runs of letters, digits and underscores of s, lower case.
func words(s string, yield func(w string)) {
	from := -1
	for i, r := range s {
		in := r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if in && from < 0 {
			from = i
		}
		if !in && from >= 0 {
			yield(lower(s[from:i]))
			from = -1
		}
	}
	if from >= 0 {
		yield(lower(s[from:]))
	}
}

// lower is strings.ToLower, which does not copy what is lower case.
func lower(s string) string { return strings.ToLower(s) }
