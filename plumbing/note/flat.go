package note

import (
	"slices"
	"strings"
)

// flat is a text beside a copy of it whose line ends all read LF. A place is a
// byte offset in that copy, so that none ever parts a CRLF.
type flat struct {
	text string // as it is
	flat string // the same with each CRLF and each lone CR as one LF
	cuts []int  // the places of the LFs that are a CRLF in text, ascending
}

func newFlat(text string) flat {
	f := flat{text: text, flat: text}
	if strings.IndexByte(text, '\r') < 0 {
		return f
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\r' {
			b = append(b, text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == '\n' {
			f.cuts = append(f.cuts, len(b))
			i++
		}
		b = append(b, '\n')
	}
	f.flat = string(b)
	return f
}

// flatten is how old and new are compared: a CRLF is an LF, a lone CR stays one.
func flatten(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// at is where in text a place is.
func (f flat) at(place int) int {
	before, _ := slices.BinarySearch(f.cuts, place)
	return place + before
}

// line is the line of text, from 1, that a place is on; lines end in LF.
func (f flat) line(place int) int64 {
	return int64(strings.Count(f.text[:f.at(place)], "\n")) + 1
}

// find lists the places of old from the first on that do not overlap, at most most of them; -1 is all.
func (f flat) find(old string, first, most int) (places []int) {
	old = flatten(old)
	want := strings.ReplaceAll(old, "\r", "\n")
	for from := first; len(places) != most && from <= len(f.flat); {
		i := strings.Index(f.flat[from:], want)
		if i < 0 {
			break
		}
		i += from
		from = i + 1
		if f.lone(i, old) {
			places, from = append(places, i), i+len(want)
		}
	}
	return places
}

// lone makes sure that each lone CR of old is one in text too.
func (f flat) lone(place int, old string) bool {
	for k := range len(old) {
		if old[k] == '\r' && f.end(place+k) != "\r" {
			return false
		}
	}
	return true
}

// end is the line end at a place where there is one.
func (f flat) end(place int) string {
	at := f.at(place)
	switch {
	case f.text[at] != '\r':
		return "\n"
	case at+1 < len(f.text) && f.text[at+1] == '\n':
		return "\r\n"
	}
	return "\r"
}

// nearby is the line on which the first line of old stands somewhere; 0 for nowhere.
func (f flat) nearby(old string) int64 {
	line, _, _ := strings.Cut(flatten(old), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return 0
	}
	if i := strings.Index(f.flat, line); i >= 0 {
		return f.line(i)
	}
	return 0
}

// replace puts new where old is at each of places, ascending, and tells on
// which lines that now begins, at most MaxLines of them.
func (f flat) replace(places []int, old, new string) (text string, lines []int64) {
	old, new = flatten(old), flatten(new)
	prefix := commonPrefix(old, new)
	suffix := commonSuffix(old[prefix:], new[prefix:])
	middle := new[prefix : len(new)-suffix]
	s := styler{flat: f, next: -1, last: strings.LastIndexByte(f.flat, '\n')}
	var b strings.Builder
	done, line, counted := 0, int64(1), 0
	for _, p := range places {
		begin, from, to := f.at(p), f.at(p+prefix), f.at(p+len(old)-suffix)
		b.WriteString(f.text[done:begin])
		if len(lines) < MaxLines {
			line += int64(strings.Count(b.String()[counted:], "\n"))
			counted, lines = b.Len(), append(lines, line)
		}
		b.WriteString(f.text[begin:from])
		b.WriteString(s.styled(middle, p, p+prefix, p+len(old)-suffix, p+len(old)))
		done = to
	}
	b.WriteString(f.text[done:])
	return b.String(), lines
}

// styler gives the line ends of new text the style of their place.
type styler struct {
	flat
	next int // the first line end at or after the place last asked for; -1: not looked for
	last int // the last one of the text; -1: none
}

// styled is text, whose line ends are LFs, as it goes in the place of from to
// to, in a match that reaches from begin to end.
func (s *styler) styled(text string, begin, from, to, end int) string {
	if strings.IndexByte(text, '\n') < 0 {
		return text
	}
	var b strings.Builder
	style, at := "", from
	for line := range strings.Lines(text) {
		content, ended := strings.CutSuffix(line, "\n")
		b.WriteString(content)
		if !ended {
			break
		}
		if i := strings.IndexByte(s.flat.flat[at:to], '\n'); i >= 0 {
			style, at = s.end(at+i), at+i+1
		} else if style == "" {
			style = s.around(begin, end)
		}
		if style == "\n" && b.Len() == 0 && from > 0 && s.behindCR(from) {
			style = "\r" // behind a lone CR an LF would make one line end of two
		}
		b.WriteString(style)
	}
	return b.String()
}

// behindCR reports whether the place follows a lone CR.
func (f flat) behindCR(place int) bool { return f.flat[place-1] == '\n' && f.end(place-1) == "\r" }

// around is the style of a place whose own text has no line end: that of the
// match, of the line it stands in, of the line before, in this order.
func (s *styler) around(begin, end int) string {
	if i := strings.LastIndexByte(s.flat.flat[begin:end], '\n'); i >= 0 {
		return s.end(begin + i)
	}
	switch {
	case s.last < 0:
		return "\n"
	case end > s.last:
		return s.end(s.last)
	case s.next < end:
		s.next = end + strings.IndexByte(s.flat.flat[end:], '\n')
	}
	return s.end(s.next)
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
