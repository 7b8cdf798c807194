package secret

import "sync"

// index finds beginnings quickly: a window of three bytes slides over the text,
// by two bytes where its last two are in no beginning.
type index struct {
	slide [1 << 16]uint8 // by the window's last two bytes; 0: look closer
	marks map[[3]byte][]mark
}

var theIndex = sync.OnceValue(newIndex)

func newIndex() *index {
	x := &index{marks: map[[3]byte][]mark{}}
	for i := range x.slide {
		x.slide[i] = 2
	}
	all := marks()
	for _, m := range all {
		x.slide[pair(m.prefix[0], m.prefix[1])] = 1
		head := [3]byte([]byte(m.prefix[:3]))
		x.marks[head] = append(x.marks[head], m)
	}
	for _, m := range all {
		x.slide[pair(m.prefix[1], m.prefix[2])] = 0
	}
	return x
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// tokens appends the tokens of text[from:to], as if nothing stood around it.
func tokens(spans []Span, text string, from, to int) []Span {
	x := theIndex()
	part := text[from:to]
	for i := 0; i+2 < len(part); {
		if s := x.slide[pair(part[i+1], part[i+2])]; s > 0 {
			i += int(s)
			continue
		}
		if m, n := x.at(part, i); n > 0 {
			spans = append(spans, Span{from + i, from + i + n, m.kind})
			i += n
			continue
		}
		i++
	}
	return spans
}

// at is the mark and length of the token that begins at i; 0: none does.
func (x *index) at(text string, i int) (mark, int) {
	some := x.marks[[3]byte{text[i], text[i+1], text[i+2]}]
	if some == nil || !begins(text[:i]) {
		return mark{}, 0
	}
	for _, m := range some {
		if n := m.match(text, i); n > 0 {
			return m, n
		}
	}
	return mark{}, 0
}

// match is the length of m's token at the start of text[i:]; 0: it is none.
func (m mark) match(text string, i int) int {
	s := text[i:]
	if len(s) < len(m.prefix)+m.min || s[:len(m.prefix)] != m.prefix {
		return 0
	}
	// A short beginning is also the end of longer words: task-force, x_sk-1.
	if len(m.prefix) == 3 && i > 0 && classOf(text[i-1])&(dash|underscore) != 0 {
		return 0
	}
	tail := s[len(m.prefix):]
	n := run(tail, m.set)
	if n < m.min || m.max > 0 && n > m.max || n < len(tail) && classOf(tail[n])&alnum != 0 {
		return 0
	}
	if m.ok != nil && !m.ok(tail[:n]) {
		return 0
	}
	return len(m.prefix) + n
}
