package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/provider"
)

// maxDetail is the longest detail that is told, in bytes; a longer one is no single detail.
const maxDetail = 400

// prose takes the details of what somebody wrote.
func (d *details) prose(text string, seq int64) {
	d.errors(text, seq)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			d.bounded(Command, squeeze(command), seq)
			continue
		}
		for _, span := range backticked(line) {
			if strings.Contains(span, " ") && looksLikeCommand(span) {
				d.bounded(Command, squeeze(span), seq)
			}
		}
		for _, s := range sentences(line) {
			if hasRuleWord(s) {
				d.bounded(Rule, s, seq)
			}
		}
		d.tokens(line, seq)
	}
}

func (d *details) bounded(kind Kind, text string, seq int64) {
	if text != "" && len(text) <= maxDetail {
		d.add(kind, text, seq)
	}
}

// call takes what a tool was asked to do.
func (d *details) call(b provider.Block, seq int64) {
	gjson.ParseBytes(b.Arguments).ForEach(func(k, v gjson.Result) bool {
		if v.Type != gjson.String {
			return true
		}
		switch k.Str {
		case "command", "cmd", "script":
			d.bounded(Command, squeeze(v.Str), seq)
		case "path", "file", "file_path", "filename", "dir", "directory":
			d.bounded(Path, strings.TrimSpace(v.Str), seq)
		}
		return true
	})
}

// errors takes the lines that report a failure.
func (d *details) errors(text string, seq int64) {
	for line := range strings.Lines(text) {
		if line = squeeze(line); isErrorLine(line) {
			d.bounded(ErrorText, line, seq)
		}
	}
}

// tokens takes paths, identifiers and numbers.
func (d *details) tokens(line string, seq int64) {
	for i, field := range strings.FieldsFunc(line, splits) {
		token := strings.TrimRight(strings.TrimLeft(field, "*_#>~|+=:;,!?&$%@^"), "*_#>|=:;,.!?&$@^")
		if strings.HasPrefix(field, "~/") {
			token = "~" + strings.TrimPrefix(token, "~")
		}
		kind := kindOf(token)
		if kind == Number && i == 0 && strings.HasSuffix(field, ".") {
			continue // the number of an item in a list
		}
		if kind != "" {
			d.bounded(kind, token, seq)
		}
	}
}

// splits reports what stands between tokens, beside white space.
func splits(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("`'\"()[]{}<>“”‘’«»…—", r)
}

// kindOf says what a token is, "" for a plain word.
func kindOf(t string) Kind {
	switch {
	case t == "":
		return ""
	case isNumber(t):
		return Number
	case isPath(t):
		return Path
	case isIdentifier(t):
		return Identifier
	}
	return ""
}

// isNumber: digits, with the signs that numbers have and at most three letters of a unit behind them.
func isNumber(t string) bool {
	t = strings.TrimLeft(t, "+-~")
	if t == "" || !digit(t[0]) {
		return false
	}
	end := strings.TrimRightFunc(strings.TrimSuffix(t, "%"), unicode.IsLetter)
	if len(t)-len(end) > 3 {
		return false
	}
	return strings.Trim(end, "0123456789.,:_'x") == ""
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// isPath: a URL, something with a folder in it, or a name with an extension.
func isPath(t string) bool {
	if strings.Contains(t, "://") {
		return true
	}
	folders := strings.Count(t, "/") + strings.Count(t, `\`)
	switch {
	case strings.HasPrefix(t, "/") || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "../") || strings.HasPrefix(t, "~/"):
		return len(strings.Trim(t, `./~\`)) > 0
	case folders >= 2:
		return strings.IndexFunc(t, unicode.IsLetter) >= 0
	}
	base := t[strings.LastIndexAny(t, `/\`)+1:]
	dot := strings.LastIndexByte(base, '.')
	if dot < 0 {
		return false
	}
	name, ext := base[:dot], base[dot+1:]
	if name == "" && len(ext) > 2 {
		return strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz_-") == ""
	}
	return extension(ext) && (folders > 0 || len(name) > 1)
}

func extension(s string) bool {
	if len(s) == 0 || len(s) > 8 || !(s[0] >= 'a' && s[0] <= 'z') {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !digit(c) && !(c >= 'a' && c <= 'z') {
			return false
		}
	}
	return len(s) > 1 || strings.Contains("chmrsv", s)
}

// isIdentifier: a word that no language of people spells so.
func isIdentifier(t string) bool {
	if len(t) < 3 || strings.IndexFunc(t, unicode.IsLetter) < 0 {
		return false
	}
	if strings.HasPrefix(t, "--") && len(t) > 3 {
		return true
	}
	lower, digits, upper := 0, 0, 0
	for i := range len(t) {
		c := t[i]
		switch {
		case digit(c):
			digits++
		case c == '_' || c == '-' || c == '.' || c == ':' || c == '#':
			if c == '_' && i > 0 && i < len(t)-1 {
				return true
			}
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			if upper++; lower > 0 {
				return true // an upper case letter behind a lower case one
			}
		default:
			return false
		}
	}
	return digits > 0 && lower+upper > 0
}

// backticked are the spans that a line marks as code.
func backticked(line string) []string {
	parts := strings.Split(line, "`")
	var spans []string
	for i := 1; i+1 < len(parts); i += 2 {
		if parts[i] != "" {
			spans = append(spans, parts[i])
		}
	}
	return spans
}

func looksLikeCommand(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(first) || first == '.' || first == '/'
}

// sentences cuts a line of prose.
func sentences(line string) []string {
	line = strings.TrimLeft(line, "-*#>0123456789. \t")
	var list []string
	start := 0
	for i := 0; i < len(line); i++ {
		ends := strings.IndexByte(".!?", line[i]) >= 0 && (i+1 == len(line) || line[i+1] == ' ')
		if ends || i+1 == len(line) {
			if s := squeeze(line[start : i+1]); s != "" {
				list = append(list, s)
			}
			start = i + 1
		}
	}
	return list
}

// squeeze makes each run of white space one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
