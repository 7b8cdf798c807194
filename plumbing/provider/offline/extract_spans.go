package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spans are the sentences of a run of words, trimmed, as offsets. A sentence
// ends at . ! ? … before a space, and at 。！？ anywhere; what qualifies the
// sentence before it belongs to it.
func spans(run string) [][2]int {
	var list [][2]int
	from := 0
	add := func(to int) {
		start, end := from, to
		from = to
		for start < end && blank(run[start]) {
			start++
		}
		for end > start && blank(run[end-1]) {
			end--
		}
		switch {
		case start == end:
		case len(list) > 0 && qualifies(run[start:end]):
			list[len(list)-1][1] = end
		default:
			list = append(list, [2]int{start, end})
		}
	}
	for i := 0; i < len(run); {
		r, size := utf8.DecodeRuneInString(run[i:])
		i += size
		if !strings.ContainsRune(".!?…。！？", r) {
			continue
		}
		for i < len(run) {
			c, n := utf8.DecodeRuneInString(run[i:])
			if !strings.ContainsRune(".!?…。！？)]*_」』）\x01", c) {
				break
			}
			i += n
		}
		switch {
		case r >= 0x3000:
			add(i)
		case i < len(run) && !blank(run[i]):
		case r == '.' && stopsShort(run[from:i], run[i:]):
		default:
			add(i)
		}
	}
	add(len(run))
	return list
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// stopsShort reports whether a full stop ends an abbreviation and not a sentence.
func stopsShort(before, after string) bool {
	before = strings.TrimRight(before, ".)]*_")
	last := before[strings.LastIndexAny(before, " \t\n(")+1:]
	if abbreviated(before) || utf8.RuneCountInString(last) == 1 && !unicode.IsDigit(rune(last[0])) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeft(after, " \t\n"))
	switch strings.ToLower(last) {
	case "u.a", "d.h", "bzw", "usw", "evtl", "ggf", "p.ej", "ej", "p. ej", "ex", "incl", "inkl", "resp", "max", "min":
		return unicode.IsLower(next)
	}
	return false
}

// qualifies reports whether a sentence limits the one before it.
func qualifies(s string) bool {
	n := normal(s)
	return n.begins(qualifyStarts) || hasAny(s, "除非|但是|例外|ただし|例外は", strings.HasPrefix)
}

func hasAny(s, list string, test func(s, part string) bool) bool {
	for part := range strings.SplitSeq(list, "|") {
		if test(s, part) {
			return true
		}
	}
	return false
}

const qualifyStarts = `except|unless|the exception|exceptions|the one exception|one exception|but not|but never|exception|apart from that|other than that|außer|es sei denn|ausnahme|ausnahmen|sauf|à moins que|exception faite|excepto|salvo|a menos que|la excepción`
