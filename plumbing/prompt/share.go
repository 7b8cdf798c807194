package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lineWindow is how many bytes of the section may stay unused so that a note is cut at a line end.
const lineWindow = 512

// part is a note on its way into the section.
type part struct {
	label string
	src   string // what there is to show; empty: nothing, or not text
	size  int    // bytes of the file
	bad   bool   // not text
}

func newPart(label string, n Note) part {
	p := part{label: label, size: max(int(n.Size), len(n.Text))}
	switch {
	case n.LeftOut != "":
	case !utf8.ValidString(n.Text) || strings.ContainsRune(n.Text, 0):
		p.bad = true
	case strings.TrimSpace(strings.TrimPrefix(n.Text, "\uFEFF")) != "" || p.size > len(n.Text):
		p.src = n.Text
	}
	return p
}

// rendered is what a part became.
type rendered struct {
	text  string
	used  int  // bytes of the file that it shows
	whole bool // nothing is missing; also where there was nothing to show
}

// share renders two parts into at most room bytes.
func share(a, b part, room int) (rendered, rendered) {
	wholeA, wholeB := a.render(room), b.render(room)
	half := room / 2
	switch {
	case wholeA.whole && wholeB.whole && len(wholeA.text)+len(wholeB.text) <= room:
		return wholeA, wholeB
	case wholeA.whole && len(wholeA.text) <= half:
		return wholeA, b.render(room - len(wholeA.text))
	case wholeB.whole && len(wholeB.text) <= half:
		return a.render(room - len(wholeB.text)), wholeB
	}
	cutA, cutB := a.render(half), b.render(room-half)
	if cutA.text != "" && cutB.text != "" {
		return cutA, cutB
	}
	// Half has no room for a label and a marker: what one cannot use goes to the other.
	if cutB.text == "" {
		if all := a.render(room); all.text != "" {
			return all, cutB
		}
	}
	return cutA, b.render(room)
}

// render quotes the part behind its label in at most room bytes, cut and
// marked where it is longer; no text where not even that fits.
func (p part) render(room int) rendered {
	if p.src == "" {
		return rendered{whole: true}
	}
	q := quoter{src: p.src}
	var most, line cut
	for q.used < len(q.src) && len(p.label)+len(q.out) <= room {
		q.step()
		if !p.fits(q, room) {
			continue
		}
		most = cut{len(q.out), q.used}
		if !q.open {
			line = most
		}
	}
	q.end()
	if q.used == p.size && len(p.label)+len(q.out) <= room {
		return rendered{p.label + string(q.out), p.size, true}
	}
	if !p.fits(quoter{}, room) {
		return rendered{}
	}
	if line.out > 0 && most.out-line.out <= lineWindow {
		most = line
	}
	return p.cutAt(most, q.out)
}

// cut is a place where a note may end: so many bytes of it quoted, from so many of the file.
type cut struct{ out, used int }

func (p part) cutAt(c cut, quoted []byte) rendered {
	body := string(quoted[:c.out])
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return rendered{p.label + body + p.marker(c.used), c.used, false}
}

// fits reports whether what q has written fits with a marker behind it.
func (p part) fits(q quoter, room int) bool {
	n := len(p.label) + len(q.out) + p.markerLen(q.used)
	if q.open {
		n++ // the newline before the marker
	}
	return n <= room
}

func (p part) marker(used int) string {
	return fmt.Sprintf("[truncated: %d of %d bytes; read the rest with memory_read]\n", used, p.size)
}

// markerLen is len(p.marker(used)), for each character of a long note.
func (p part) markerLen(used int) int {
	return len("[truncated:  of  bytes; read the rest with memory_read]\n") + digits(used) + digits(p.size)
}

func digits(n int) int {
	d := 1
	for ; n > 9; n /= 10 {
		d++
	}
	return d
}
