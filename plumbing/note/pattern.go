package note

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// MaxPattern is the most bytes of a search pattern.
const MaxPattern = 4096

// pattern is a search pattern, ready to find lines.
type pattern struct {
	re       *regexp.Regexp
	prog     *syntax.Prog
	literals [][]byte // each line that matches holds one of them; none where that cannot be told
	pure     bool     // and each line that holds one matches
}

// compile reads a pattern in Go's dialect of RE2; what is none is
// plumbing.ErrInvalid and names the construct.
func compile(text string) (pattern, error) {
	switch {
	case text == "":
		return pattern{}, plumbing.Fail(plumbing.ErrInvalid, "the pattern is empty", "give a regular expression")
	case len(text) > MaxPattern:
		return pattern{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the pattern has %d bytes; the most is %d", len(text), MaxPattern), "")
	case !utf8.ValidString(text):
		return pattern{}, plumbing.Fail(plumbing.ErrInvalid, "the pattern is not valid UTF-8", "")
	case strings.ContainsAny(text, "\n\x00"):
		return pattern{}, plumbing.Fail(plumbing.ErrInvalid, "the pattern holds a newline or a NUL byte", "each line is matched by itself; use | for several texts")
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return pattern{}, badPattern(text, err)
	}
	p := pattern{}
	for _, s := range required(tree) {
		p.literals = append(p.literals, []byte(s))
	}
	p.pure = isLiteral(tree) && len(p.literals) == 1 && !bytes.ContainsAny(p.literals[0], "\r\n")
	if p.prog, err = syntax.Compile(tree.Simplify()); err != nil {
		return pattern{}, badPattern(text, err)
	}
	if p.re, err = regexp.Compile(text); err != nil {
		return pattern{}, badPattern(text, err)
	}
	return p, nil
}

// maxLiterals is how many literals are looked for at once: each takes a pass of its own.
const maxLiterals = 6

// required lists texts of two bytes or more of which whatever matches re holds
// one; nothing where that cannot be told.
func required(re *syntax.Regexp) (best []string) {
	switch re.Op {
	case syntax.OpLiteral:
		if s := string(re.Rune); re.Flags&syntax.FoldCase == 0 && len(s) > 1 {
			return []string{s}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if s := required(sub); shortest(s) > shortest(best) {
				best = s
			}
		}
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			s := required(sub)
			if len(s) == 0 || len(best)+len(s) > maxLiterals {
				return nil
			}
			best = append(best, s...)
		}
	}
	return best
}

func shortest(list []string) int {
	least := 0
	for i, s := range list {
		if i == 0 || len(s) < least {
			least = len(s)
		}
	}
	return least
}

// isLiteral reports whether re matches one text only.
func isLiteral(re *syntax.Regexp) bool {
	return re.Op == syntax.OpLiteral && re.Flags&syntax.FoldCase == 0
}

// badPattern says what is wrong with a pattern; where it is something that
// other dialects have, by its name.
func badPattern(text string, err error) error {
	hint := "patterns are RE2's; `lecode note search --help` says what they may hold"
	if name, as := foreign(text); name != "" {
		return &plumbing.Error{Kind: plumbing.ErrInvalid, Cause: err, Hint: hint,
			Message: fmt.Sprintf("the pattern uses %s (%s), which search does not have", name, strconv.Quote(as))}
	}
	what := "it is not a regular expression"
	var e *syntax.Error
	if errors.As(err, &e) {
		what = e.Code.String()
		if e.Expr != "" && len(e.Expr) < 40 {
			what += " (" + strconv.Quote(e.Expr) + ")"
		}
	}
	return &plumbing.Error{Kind: plumbing.ErrInvalid, Message: "the pattern is wrong: " + what, Hint: hint, Cause: err}
}

// foreign finds the first construct of another dialect in a pattern that did
// not parse, outside of brackets and escapes.
func foreign(text string) (name, as string) {
	inClass := false
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, `\Q`):
			end := strings.Index(rest, `\E`)
			if end < 0 {
				return "", ""
			}
			i += end + 1
		case rest[0] == '\\':
			if name, as := foreignEscape(rest, inClass); name != "" {
				return name, as
			}
			i++
		case inClass:
			inClass = rest[0] != ']'
		case rest[0] == '[':
			inClass = true
			i += len(rest[1:]) - len(strings.TrimPrefix(strings.TrimPrefix(rest[1:], "^"), "]"))
		case strings.HasPrefix(rest, "(?"):
			if name, as := foreignGroup(rest); name != "" {
				return name, as
			}
			i++
		default:
			if name, as := foreignRepeat(rest); name != "" {
				return name, as
			}
		}
	}
	return "", ""
}

// foreignGroup names what begins with "(?".
func foreignGroup(rest string) (name, as string) {
	for _, c := range []struct{ as, name string }{
		{"(?=", "a lookahead"}, {"(?!", "a negative lookahead"}, {"(?<=", "a lookbehind"}, {"(?<!", "a negative lookbehind"},
		{"(?>", "an atomic group"}, {"(?#", "a comment"}, {"(?(", "a condition"}, {"(?|", "a branch reset"},
		{"(?P=", "a named backreference"}, {"(?P>", "a recursion"}, {"(?&", "a recursion"}, {"(?R", "a recursion"}, {"(?'", "a quoted group name"},
	} {
		if strings.HasPrefix(rest, c.as) {
			return c.name, c.as
		}
	}
	if len(rest) > 2 && rest[2] >= '0' && rest[2] <= '9' {
		return "a recursion", rest[:3]
	}
	flags := rest[2:]
	flags = flags[:len(flags)-len(strings.TrimLeft(flags, "abcdefghijklmnopqrstuvwxyz-"))]
	if i := strings.IndexAny(flags, "abcdefghjklnopqrtuvwxyz"); i >= 0 {
		return "the flag " + flags[i:i+1], rest[:3+i]
	}
	return "", ""
}

// foreignEscape names what begins with a backslash.
func foreignEscape(rest string, inClass bool) (name, as string) {
	if len(rest) < 2 {
		return "", ""
	}
	names := map[byte]string{'u': "the escape \\u; write \\x{…}", 'e': "the escape \\e; write \\x1b", 'h': "the class \\h; write [ \\t]",
		'H': "the class \\H; write [^ \\t]", 'N': "the escape \\N", 'c': "the escape \\c; write \\x…"}
	if !inClass {
		for b, name := range map[byte]string{'Z': "the assertion \\Z; write $", 'G': "the assertion \\G", 'K': "the escape \\K",
			'R': "the class \\R", 'X': "the class \\X", 'k': "a named backreference", 'g': "a backreference"} {
			names[b] = name
		}
		if rest[1] >= '1' && rest[1] <= '9' {
			return "a backreference", rest[:2]
		}
	}
	return names[rest[1]], rest[:2]
}

// foreignRepeat names a repetition that RE2 lacks, where rest begins with one.
func foreignRepeat(rest string) (name, as string) {
	n := 1
	switch rest[0] {
	case '*', '+', '?':
	case '{':
		n = strings.IndexByte(rest, '}') + 1
		if n < 3 || strings.Trim(rest[1:n-1], "0123456789,") != "" {
			return "", ""
		}
		for number := range strings.SplitSeq(rest[1:n-1], ",") {
			if v, err := strconv.Atoi(number); number != "" && (err != nil || v > 1000) {
				return "more than 1,000 repetitions", rest[:min(n, 20)]
			}
		}
	default:
		return "", ""
	}
	if len(rest) > n && rest[n] == '+' {
		return "a possessive repetition", rest[:n+1]
	}
	return "", ""
}
