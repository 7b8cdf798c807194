package coding

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ignores is what the .gitignore of one folder says. It is read here and not by
// git: a repository's configuration may name programs for git to run.
type ignores struct {
	folder string // that it is about, slash-separated from where the walk is rooted; "." for that itself
	rules  []rule
}

// rule is one line of it.
type rule struct {
	again   bool // a "!" before it: what it matches is not ignored after all
	folders bool // a "/" after it: it is about folders only
	whole   bool // matched against the path from the folder, not against the name
	match   func(string) bool
}

// maxRules is how many lines of a .gitignore count.
const maxRules = 10_000

func readIgnores(folder, text string) ignores {
	set := ignores{folder: folder}
	for line := range strings.Lines(strings.TrimPrefix(text, utf8Mark)) {
		if r, ok := readRule(strings.TrimRight(line, "\r\n")); ok && len(set.rules) < maxRules {
			set.rules = append(set.rules, r)
		}
	}
	return set
}

// readRule reads a line as gitignore(5) has it.
func readRule(line string) (rule, bool) {
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	r := rule{}
	line, r.again = strings.CutPrefix(line, "!")
	line, r.folders = strings.CutSuffix(line, "/")
	r.whole = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	r.match = matcher(line)
	return r, r.match != nil
}

// matcher is a glob of git's as a function; nil for one that matches nothing.
func matcher(glob string) func(string) bool {
	const special = `*?[\`
	if !strings.ContainsAny(glob, special) {
		return func(s string) bool { return s == glob }
	}
	if tail := glob[1:]; glob[0] == '*' && !strings.ContainsAny(tail, special+"/") {
		return func(s string) bool { return strings.HasSuffix(s, tail) && !strings.Contains(s, "/") }
	}
	expr, ok := expression(latin(glob))
	if !ok {
		return nil
	}
	re, err := regexp.Compile(`^(?s:` + expr + `)$`)
	if err != nil {
		return nil
	}
	return func(s string) bool { return re.MatchString(latin(s)) }
}

// latin makes each byte a character: git matches bytes, so that its ? is half an é.
func latin(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

// expression writes a glob of git's as a regular expression.
func expression(glob string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(glob); {
		rest := glob[i:]
		_, width := utf8.DecodeRuneInString(rest)
		start := i == 0 || glob[i-1] == '/'
		switch {
		case start && strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 3
		case start && rest == "**":
			b.WriteString(`.+`)
			i += 2
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
			i += len(rest) - len(strings.TrimLeft(rest, "*"))
		case rest[0] == '?':
			b.WriteString(`[^/]`)
			i++
		case rest[0] == '[':
			class, n, ok := bracket(rest)
			if !ok {
				return "", false
			}
			b.WriteString(class)
			i += n
		case rest[0] == '\\' && len(rest) == 1:
			return "", false
		case rest[0] == '\\':
			i++ // what follows stands for itself
			_, width = utf8.DecodeRuneInString(glob[i:])
			b.WriteString(regexp.QuoteMeta(glob[i : i+width]))
			i += width
		default:
			b.WriteString(regexp.QuoteMeta(rest[:width]))
			i += width
		}
	}
	return b.String(), true
}

// bracket writes a bracket expression as a class, and says how long it was.
func bracket(glob string) (class string, length int, ok bool) {
	var b strings.Builder
	b.WriteString("[")
	i := 1
	if i < len(glob) && (glob[i] == '!' || glob[i] == '^') {
		b.WriteString("^/")
		i++
	}
	for first := true; i < len(glob); first = false {
		switch c := glob[i]; {
		case c == ']' && !first:
			b.WriteString("]")
			return b.String(), i + 1, true
		case strings.HasPrefix(glob[i:], "[:"):
			end := strings.Index(glob[i:], ":]")
			if end < 0 {
				return "", 0, false
			}
			b.WriteString(glob[i : i+end+2])
			i += end + 2
			continue
		case c == '\\' && i+1 < len(glob) && glob[i+1] < utf8.RuneSelf:
			i++
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case c == '-':
			b.WriteString("-")
		case c < utf8.RuneSelf:
			b.WriteString(regexp.QuoteMeta(string(rune(c))))
		default:
			b.WriteByte(c)
		}
		i++
	}
	return "", 0, false
}

// ignored judges a path by the sets on the way to it, the deepest last: of all
// rules that match, the last one counts.
func ignored(sets []ignores, name string, folder bool) bool {
	for i := len(sets) - 1; i >= 0; i-- {
		inner := name
		if sets[i].folder != "." {
			inner = strings.TrimPrefix(name, sets[i].folder+"/")
		}
		for j := len(sets[i].rules) - 1; j >= 0; j-- {
			r := sets[i].rules[j]
			if r.folders && !folder {
				continue
			}
			subject := inner
			if !r.whole {
				subject = path.Base(inner)
			}
			if r.match(subject) {
				return !r.again
			}
		}
	}
	return false
}
