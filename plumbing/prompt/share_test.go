package prompt

import (
	"strings"
	"testing"
)

// A line end counts if at most 512 bytes of the section stay unused for it.
func TestLineWindow(t *testing.T) {
	const first = "first line\n"
	const window = 512
	text := first + strings.Repeat("x", 5000)
	p := newPart(labelMemory, wholeNote(text))
	quotedFirst := len("> " + first)
	room := func(more int) int {
		return len(p.label) + quotedFirst + more + 1 + p.markerLen(len(first)+more-len("> "))
	}
	for _, c := range []struct {
		more int // bytes of the second line, quoted, that would fit
		used int
	}{
		{window - 1, len(first)},
		{window, len(first)},
		{window + 1, len(first) + window + 1 - len("> ")},
	} {
		if got := p.render(room(c.more)); got.used != c.used || got.whole {
			t.Errorf("%d bytes more: %d used, want %d", c.more, got.used, c.used)
		}
	}
}

func TestShare(t *testing.T) {
	long := newPart(labelMemory, wholeNote(strings.Repeat("x", 5000)))
	other := newPart(labelScratchpad, wholeNote(strings.Repeat("y", 5000)))
	short := newPart(labelScratchpad, wholeNote("y"))
	least := func(p part) int { return len(p.label) + p.markerLen(0) }
	for _, c := range []struct {
		name       string
		a, b       part
		room       int
		lenA, lenB int
	}{
		{"halves", long, other, 2000, 1000, 1000},
		{"the odd byte is the second's", long, other, 2001, 1000, 1001},
		{"each would fit alone", part{label: long.label, src: strings.Repeat("x", 1500), size: 1500}, other, 2000, 1000, 1000},
		{"each would fit alone, the other way", long, part{label: other.label, src: strings.Repeat("y", 1500), size: 1500}, 2000, 1000, 1000},
		{"what the second does not need", long, short, 2000, 2000 - len(short.label) - 4, len(short.label) + 4},
		{"what the first does not need", short, long, 2000, len(short.label) + 4, 2000 - len(short.label) - 4},
		{"half is too small for both: the first", long, other, least(long) + 5, least(long) + 5, 0},
		{"half is too small for the first, whose label is longer", newPart(labelScratchpad, long.note()), newPart(labelMemory, long.note()),
			2*least(other) - 2, 0, 2*least(other) - 2},
		{"too small for either", long, other, least(long) - 1, 0, 0},
		{"the second fits and the first cannot", newPart(labelScratchpad, long.note()), newPart(labelMemory, wholeNote("y")),
			len(labelMemory) + 4, 0, len(labelMemory) + 4},
		{"nothing", newPart(labelMemory, Note{}), newPart(labelScratchpad, Note{}), 2000, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := share(c.a, c.b, c.room)
			if len(a.text) != c.lenA || len(b.text) != c.lenB {
				t.Errorf("%d and %d bytes of %d, want %d and %d", len(a.text), len(b.text), c.room, c.lenA, c.lenB)
			}
		})
	}
}

func (p part) note() Note { return wholeNote(p.src) }

func TestMarkerLen(t *testing.T) {
	for _, n := range []int{0, 9, 10, 99, 100, 65535, 1 << 40} {
		p := part{size: n * 10}
		if got, want := p.markerLen(n), len(p.marker(n)); got != want {
			t.Errorf("%d: %d, want %d", n, got, want)
		}
	}
}

// A file whose readable beginning is blank is still one that goes on.
func TestBlankBeginning(t *testing.T) {
	s := Build(Input{Memory: Note{Text: "\n", Size: 5 << 20}, MaxBytes: 400})
	want := labelMemory + ">\n[truncated: 1 of 5242880 bytes; read the rest with memory_read]\n"
	if s.Text != want {
		t.Errorf("%q, want %q", s.Text, want)
	}
}

// A fact that fits to the byte is shown; with one byte less it is not.
func TestFactFitsExactly(t *testing.T) {
	f := testFact(1, "\\\\ 漢\u200B")
	line, _ := factLine(f)
	need := int64(len(labelFacts) + len(line))
	for _, c := range []struct {
		limit, facts int64
		shown        int
		why          string
	}{
		{need, need, 1, ""}, {need, need - 1, 0, WhyFactsMaxBytes}, {need - 1, need, 0, WhyMaxBytes},
	} {
		s := Build(Input{Facts: []Fact{f}, MaxBytes: c.limit, FactsMaxBytes: c.facts})
		why := ""
		if len(s.Omitted) > 0 {
			why = s.Omitted[0].Why
		}
		if len(s.Facts) != c.shown || why != c.why {
			t.Errorf("caps %d and %d: %d shown, %q", c.limit, c.facts, len(s.Facts), why)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	in := defaults(Input{Memory: wholeNote(strings.Repeat("a line of a note\n", 60000)), Scratchpad: wholeNote(strings.Repeat("漢字\n", 60000))})
	for i := range 50 {
		in.Facts = append(in.Facts, testFact(i+1, "a fact of the usual length, in plain words"))
	}
	for b.Loop() {
		Build(in)
	}
}
