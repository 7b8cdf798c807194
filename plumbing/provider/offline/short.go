package offline

import "strings"

const (
	maxShort    = 72 // bytes of a short form
	leftOfShort = 2  // words before a number that belong to it
)

// shortForm is the part of a sentence that says most in a few words: a command
// line, or the paths, identifiers and numbers that stand nowhere else, from the
// first to the last of them. Empty where the sentence has none.
func shortForm(text string, list []token, c counts) string {
	if from, to, found := commandIn(text, list); found && to-from <= maxShort {
		return text[from:to]
	}
	best, bestAt := 0.0, -1
	for i, t := range list {
		if t.shape <= name {
			continue
		}
		if v := t.shape.weight() * newness(text, list, i, c); v > best {
			best, bestAt = v, i
		}
	}
	if bestAt < 0 {
		return ""
	}
	first, last := bestAt, bestAt
	for j := bestAt + 1; j < len(list) && list[j].to-list[first].from <= maxShort; j++ {
		if list[j].shape > name && newness(text, list, j, c) >= 0.6 {
			last = j
		}
	}
	for j := bestAt - 1; j >= 0 && list[last].to-list[j].from <= maxShort; j-- {
		if list[j].shape > name && newness(text, list, j, c) >= 0.6 {
			first = j
		}
	}
	if list[last].shape == number {
		last = withUnit(text, list, last)
	}
	if list[first].shape == number {
		first = withSubject(text, list, first, list[last].to)
	}
	return strings.TrimSpace(text[list[first].from:list[last].to])
}

// withUnit is the index of the word behind a number that goes with it.
func withUnit(text string, list []token, i int) int {
	if i+1 < len(list) && gapIsSpace(text, list[i], list[i+1]) && isUnit(list[i+1]) {
		return i + 1
	}
	return i
}

// withSubject is the index of the word from which on a number is told what it counts.
func withSubject(text string, list []token, i, to int) int {
	for n := 0; n < leftOfShort && i > 0 && gapIsSpace(text, list[i-1], list[i]) && to-list[i-1].from <= maxShort; n++ {
		i--
	}
	return i
}

// commandIn finds a command line in a sentence: from a program's name to the
// last of its flags, settings and operands.
func commandIn(text string, list []token) (from, to int, found bool) {
	for i, t := range list {
		local := strings.HasPrefix(t.text, "./")
		if t.shape == code || !isProgram(t.text) && !local {
			continue
		}
		if last, sure := operands(text, list, i); last > i && (sure || local) {
			return t.from, closeQuote(text, t.from, list[last].to), true
		}
	}
	return 0, 0, false
}

// operands is the last token that belongs to the command that begins with the
// i'th, and whether flags, settings, quotes or redirections make it sure that
// this is a command at all.
func operands(text string, list []token, i int) (last int, sure bool) {
	last = i
	for j := i + 1; j < len(list) && j <= last+3; j++ {
		gap, w := text[list[j-1].to:list[j].from], list[j].text
		if strings.ContainsAny(gap, ",;:(") || strings.Contains(gap, ". ") {
			break
		}
		switch {
		case strings.HasPrefix(w, "-"), strings.Contains(gap, " -"), strings.Contains(w, "="), strings.ContainsAny(gap, ">|'"):
			last, sure = j, true
		case list[j].shape == path || list[j].shape == number || list[j].shape == identifier,
			j == last+1 && strings.HasPrefix(list[last].text, "-"): // an operand, or the value of a flag
			last = j
		}
	}
	return last, sure
}

// closeQuote is to, or the end of the quotation that was opened between from
// and to and is closed later.
func closeQuote(text string, from, to int) int {
	for _, mark := range []string{"'", "`", "\""} {
		if strings.Count(text[from:to], mark)%2 == 0 {
			continue
		}
		if n := strings.Index(text[to:], mark); n >= 0 {
			to += n + 1
		}
	}
	return to
}
