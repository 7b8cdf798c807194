package permission

import (
	"strings"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// arg is a word as a command would get it, as far as that is known.
type arg struct {
	text  string // the word; of one that is not known, how it begins
	known bool
	// glob is a pattern that file names are put for; text is then the word as it is.
	glob string
	// one says of a word that is not known that it is exactly one.
	one bool
}

// fixed: the word is the same whatever there is.
func (a arg) fixed() bool { return a.known && a.glob == "" }

const maxBraces = 64 // words that the braces of one word may make

// expand gives the words that a command gets, and goes through what runs to make them.
func (w *walker) expand(list []*syntax.Word) []arg {
	var out []arg
	for _, word := range list {
		w.within(word)
		split := *word
		syntax.SplitBraces(&split)
		words, ok := unbraced([]*syntax.Word{&split})
		if w.words += len(words); !ok || w.words > maxWords {
			out = append(out, arg{})
			continue
		}
		for _, x := range words {
			out = append(out, w.one(x))
		}
	}
	return out
}

// unbraced puts each element of braces in their place, until there are no more braces.
func unbraced(words []*syntax.Word) ([]*syntax.Word, bool) {
	for i := 0; i < len(words); i++ {
		at, brace := firstBrace(words[i])
		if brace == nil {
			continue
		}
		if brace.Sequence || len(words)+len(brace.Elems) > maxBraces {
			return nil, false
		}
		var made []*syntax.Word
		for _, e := range brace.Elems {
			var parts []syntax.WordPart
			parts = append(parts, words[i].Parts[:at]...)
			parts = append(parts, e.Parts...)
			parts = append(parts, words[i].Parts[at+1:]...)
			made = append(made, &syntax.Word{Parts: parts})
		}
		rest := append(made, words[i+1:]...)
		words = append(words[:i:i], rest...)
		i--
	}
	return words, true
}

func firstBrace(w *syntax.Word) (int, *syntax.BraceExp) {
	for i, p := range w.Parts {
		if b, ok := p.(*syntax.BraceExp); ok {
			return i, b
		}
	}
	return 0, nil
}

// builder puts a word together until something in it is not known.
type builder struct {
	text, glob strings.Builder
	isGlob     bool
	stopped    bool
	unquoted   bool // what is not known stands outside quotes
}

func (w *walker) one(word *syntax.Word) arg {
	var b builder
	for i, p := range word.Parts {
		w.part(&b, p, i == 0)
	}
	a := arg{text: b.text.String(), known: !b.stopped, one: !b.unquoted}
	if glob := b.glob.String(); b.isGlob && a.known && hasMeta(glob) {
		a.glob = glob
	}
	return a
}

func (w *walker) part(b *builder, p syntax.WordPart, first bool) {
	if b.stopped {
		if _, quoted := p.(*syntax.DblQuoted); !quoted {
			_, lit := p.(*syntax.Lit)
			_, single := p.(*syntax.SglQuoted)
			b.unquoted = b.unquoted || !lit && !single
		}
		return
	}
	switch p := p.(type) {
	case *syntax.Lit:
		b.lit(w.tilde(p.Value, first))
	case *syntax.SglQuoted:
		if p.Dollar && strings.ContainsRune(p.Value, '\\') {
			b.stopped = true
			return
		}
		b.quote(p.Value)
	case *syntax.DblQuoted:
		if p.Dollar {
			b.stopped = true
			return
		}
		for _, q := range p.Parts {
			w.quoted(b, q)
		}
	case *syntax.ProcSubst:
		b.quote("/dev/fd/63")
	case *syntax.ParamExp:
		w.variable(b, p, true)
	default:
		b.stopped, b.unquoted = true, true
	}
}

// quoted is a part within double quotes.
func (w *walker) quoted(b *builder, p syntax.WordPart) {
	if b.stopped {
		return
	}
	switch p := p.(type) {
	case *syntax.Lit:
		b.quote(unescape(p.Value, "$`\"\\"))
	case *syntax.ParamExp:
		w.variable(b, p, false)
	default:
		b.stopped = true
	}
}

// variable knows two: the home folder, and the current one where there is just one.
func (w *walker) variable(b *builder, p *syntax.ParamExp, unquoted bool) {
	plain := p.Param != nil && !p.Excl && !p.Length && !p.Width && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Exp == nil && p.Names == 0
	switch {
	case plain && p.Param.Value == "HOME" && w.home() != "" && !(unquoted && odd(w.home())):
		b.quote(w.home())
	case plain && p.Param.Value == "PWD" && len(w.dirs) == 1 && !w.lost && !(unquoted && odd(w.dirs[0])):
		b.quote(w.dirs[0])
	default:
		b.stopped = true
		b.unquoted = b.unquoted || unquoted
	}
}

// odd: the shell would split it, or take it for a pattern.
func odd(value string) bool { return strings.ContainsAny(value, " \t\n*?[\\") }

// home is "~" itself where the home folder is not known: no path inside begins so.
func (w *walker) home() string {
	if w.space.Home == "" {
		return "~"
	}
	return w.space.Home
}

// tilde expands the home folder at the start of a word. Others' stay as they
// are; path takes them for outside.
func (w *walker) tilde(lit string, first bool) string {
	if first && (lit == "~" || strings.HasPrefix(lit, "~/")) && !odd(w.home()) {
		return w.home() + lit[1:]
	}
	return lit
}

// quote adds text in which nothing is special.
func (b *builder) quote(s string) {
	b.text.WriteString(s)
	b.glob.WriteString(pattern.QuoteMeta(s, 0))
}

// lit adds text outside quotes: backslashes go, and patterns count.
func (b *builder) lit(s string) {
	b.isGlob = b.isGlob || strings.ContainsAny(s, "*?[")
	b.glob.WriteString(strings.ReplaceAll(s, "\\\n", ""))
	b.text.WriteString(unescape(s, ""))
}

// hasMeta: a pattern is in it; a bracket that nothing closes is none.
func hasMeta(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?':
			return true
		case '[':
			if strings.Contains(s[i:], "]") {
				return true
			}
		}
	}
	return false
}

// unescape takes out the backslashes before the characters of special, or
// before all where that is empty; a newline after one goes with it.
func unescape(s, special string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch {
			case s[i+1] == '\n':
				i++
				continue
			case special == "" || strings.IndexByte(special, s[i+1]) >= 0:
				i++
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
