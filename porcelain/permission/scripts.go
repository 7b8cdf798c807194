package permission

import (
	"strings"
	"unicode"
)

// jqReads: a filter that does not show the environment or load modules.
func jqReads(f flags) string {
	if len(f.operands) == 0 {
		return ""
	}
	a := f.operands[0]
	for _, s := range []string{"env", "ENV", "import", "include", "modulemeta", "get_search_list"} {
		if !a.fixed() || strings.Contains(a.text, s) {
			return "the filter of jq may load modules or show the environment"
		}
	}
	return ""
}

// sedReads: scripts of commands that print, and change what is printed.
func sedReads(f flags) string {
	var scripts []arg
	for _, v := range f.values {
		scripts = append(scripts, v.arg)
	}
	if len(scripts) == 0 {
		scripts = f.operands[:min(len(f.operands), 1)]
	}
	for _, s := range scripts {
		if p := (sedScript{s.text}); !s.fixed() || !p.reads() {
			return "the script of sed may write or run"
		}
	}
	return ""
}

// sedScript is what is left of a script to look at.
type sedScript struct{ rest string }

func (s *sedScript) reads() bool {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\n;{}")
		if s.rest == "" {
			return true
		}
		if !s.addresses() || s.rest == "" {
			return false
		}
		command := s.rest[0]
		s.rest = s.rest[1:]
		switch command {
		case '{':
			continue
		case 'p', 'd', 'l', 'q', 'Q', '=', 'n', 'N', 'P', 'D', 'g', 'G', 'h', 'H', 'x', 'z':
		case 's':
			if !s.substitution() {
				return false
			}
		default:
			return false // a, c, i, r, R, w, W, e, y, b, t, labels
		}
		if s.rest = strings.TrimLeft(s.rest, " \t"); s.rest != "" && !strings.ContainsAny(s.rest[:1], ";\n}") {
			return false
		}
	}
}

// addresses skips up to two, and "!".
func (s *sedScript) addresses() bool {
	for range 2 {
		switch {
		case strings.HasPrefix(s.rest, "/"):
			s.rest = s.rest[1:]
			if !s.until('/') {
				return false
			}
			s.rest = strings.TrimLeft(s.rest, "IM")
		default:
			s.rest = strings.TrimLeft(s.rest, "0123456789$~+")
		}
		if !strings.HasPrefix(s.rest, ",") {
			break
		}
		s.rest = s.rest[1:]
	}
	s.rest = strings.TrimLeft(s.rest, " \t!")
	return true
}

// until skips past the next end that has no backslash before it. A bracket
// expression may hold it too, and sed takes that for text: not so here, where
// what follows would then be no command, so both readings have to be ruled out.
func (s *sedScript) until(end byte) bool {
	for i := 0; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			i++
		case '[', '\n':
			if s.rest[i] == '\n' || strings.IndexByte(bracketed(s.rest[i:]), end) >= 0 {
				return false
			}
		case end:
			s.rest = s.rest[i+1:]
			return true
		}
	}
	return false
}

// bracketed is what a bracket expression at the start of text may hold at most.
func bracketed(text string) string {
	last := strings.LastIndexByte(text, ']')
	if last < 0 {
		return ""
	}
	if first := strings.IndexByte(text[min(2, len(text)):], ']'); first >= 0 && !strings.ContainsAny(text[1:first+2], "[") {
		return text[:first+2]
	}
	return text[:last]
}

// substitution skips s/…/…/ with flags that only print.
func (s *sedScript) substitution() bool {
	if s.rest == "" || !strings.ContainsAny(s.rest[:1], "/|#,:@%") {
		return false
	}
	end := s.rest[0]
	s.rest = s.rest[1:]
	for range 2 {
		if !s.until(end) {
			return false
		}
	}
	s.rest = strings.TrimLeft(s.rest, "gpiIMm0123456789")
	return true
}

// awkReads: a program that prints and calculates. What could open a file or run
// a command is not in it: no ">", "|" and "@", and no words but these.
func awkReads(f flags) string {
	const why = "the program of awk may write or run"
	if len(f.operands) == 0 || !f.operands[0].fixed() {
		return why
	}
	for _, a := range f.operands[1:] {
		if strings.Contains(a.text, "=") {
			return why // a variable, such as a file's name
		}
	}
	program := f.operands[0].text
	if strings.ContainsAny(program, ">|@\\") {
		return why
	}
	words := strings.FieldsFunc(program, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, word := range words {
		known := contains([]string{"print", "printf", "NR", "NF", "FNR", "FS", "OFS", "RS", "ORS", "BEGIN", "END", "length", "substr", "if", "else", "for", "in", "while", "next",
			"exit", "toupper", "tolower", "index", "match", "split", "sub", "gsub", "sprintf", "int", "delete", "RSTART", "RLENGTH"}, word)
		if !known && len(word) > 1 && !isDigits(word) && !plainVariable(word) {
			return why
		}
	}
	return ""
}

// plainVariable: names that people give to sums and counts.
func plainVariable(word string) bool {
	return contains([]string{"sum", "count", "total", "max", "min", "avg", "line", "seen", "key", "val", "value", "name", "arr", "out", "tmp"}, word)
}
