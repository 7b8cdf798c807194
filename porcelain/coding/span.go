package coding

import (
	"sort"
	"strings"
)

// span is a place in a text, in bytes.
type span struct{ start, end int }

// spliced is a place that was replaced: where it was, and what stands there now.
type spliced struct {
	span
	text string
}

// unix is a text with LF for CR LF: as it is compared.
func unix(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// plain is a text whose lines end in LF, with the way back to how it was: a
// place in it is a place in the file, whose line ends may be CR LF or mixed.
type plain struct {
	file string
	text string // unix(file)
	ends []int  // offsets in text of the LF that are CR LF in the file
}

func plainOf(file string) plain {
	p := plain{file: file, text: file}
	if !strings.Contains(file, "\r\n") {
		return p
	}
	var b strings.Builder
	b.Grow(len(file))
	for rest := file; ; {
		i := strings.Index(rest, "\r\n")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		p.ends = append(p.ends, b.Len())
		b.WriteByte('\n')
		rest = rest[i+2:]
	}
	p.text = b.String()
	return p
}

// at is a place of text in the file: before the CR where an LF stands for CR LF.
func (p plain) at(offset int) int { return offset + sort.SearchInts(p.ends, offset) }

// crlf reports whether the LF at an offset of text is CR LF in the file.
func (p plain) crlf(offset int) bool {
	i := sort.SearchInts(p.ends, offset)
	return i < len(p.ends) && p.ends[i] == offset
}

// lineEnd is how lines end where a text is put in: as the first one does in what
// it replaces, else as the line that it stands in, else as the one before.
func (p plain) lineEnd(s span) string {
	i := strings.IndexByte(p.text[s.start:], '\n') + s.start
	if i < s.start {
		i = strings.LastIndexByte(p.text[:s.start], '\n')
	}
	if i >= 0 && p.crlf(i) {
		return "\r\n"
	}
	return "\n"
}

// splice is what becomes of the file where the text at s is to become another
// one. What the two have in common at their ends is left alone, so that no line
// end is changed that is not within what differs.
func (p plain) splice(s span, to string) spliced {
	was := p.text[s.start:s.end]
	head := common(was, to)
	was, to = was[head:], to[head:]
	tail := commonEnd(was, to)
	s = span{s.start + head, s.end - tail}
	to = to[:len(to)-tail]
	if end := p.lineEnd(s); end != "\n" {
		to = strings.ReplaceAll(to, "\n", end)
	}
	return spliced{span{p.at(s.start), p.at(s.end)}, to}
}

// common is how many bytes two texts begin with alike, commonEnd how many they end with.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// replaceAll puts the new texts in; places are ascending and apart.
func replaceAll(file string, places []spliced) string {
	var b strings.Builder
	at := 0
	for _, s := range places {
		b.WriteString(file[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(file[at:])
	return b.String()
}

// ends are where the new texts of some places stand once they are put in.
func ends(places []spliced) []span {
	var all []span
	shift := 0
	for _, s := range places {
		start := s.start + shift
		all = append(all, span{start, start + len(s.text)})
		shift += len(s.text) - (s.end - s.start)
	}
	return all
}

// moved are spans of a text where they are once places of it are replaced; what
// is replaced itself shrinks to where the new text begins.
func moved(all []span, places []spliced) []span {
	to := func(offset int) int {
		shift := 0
		for _, s := range places {
			if s.start >= offset {
				break
			}
			if s.end > offset {
				return s.start + shift
			}
			shift += len(s.text) - (s.end - s.start)
		}
		return offset + shift
	}
	kept := make([]span, len(all))
	for i, s := range all {
		kept[i] = span{to(s.start), max(to(s.start), to(s.end))}
	}
	return kept
}
