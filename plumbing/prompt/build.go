package prompt

import (
	"strings"

	"github.com/lecode/lecode/plumbing/canon"
)

// Build makes the section (design section 13). The facts come first: whole
// ones in the order given; one that does not fit is left out, and a later,
// smaller one may still fit. MEMORY.md and the scratchpad share what is left.
// Both caps are measured on the bytes of Text. The same input gives the same
// bytes, and nothing to show gives no bytes.
func Build(in Input) Section {
	s := Section{Facts: []Shown{}, Omitted: []Omitted{}, Type: "section"}
	limit := max(in.MaxBytes, 0)
	var text strings.Builder
	s.addFacts(&text, in.Facts, limit, max(in.FactsMaxBytes, 0))
	s.addNotes(&text, in, int(limit)-text.Len())
	s.Text = text.String()
	s.Bytes = int64(len(s.Text))
	return s
}

func (s *Section) addFacts(text *strings.Builder, facts []Fact, limit, factsLimit int64) {
	why := WhyFactsMaxBytes
	if limit < factsLimit {
		why = WhyMaxBytes
	}
	room := int(min(limit, factsLimit)) - len(labelFacts)
	for _, f := range facts {
		line, ok := factLine(f)
		switch {
		case !ok:
			s.omit(f.ID, len(f.Text), WhyNotText)
		case len(line) > room:
			s.omit(f.ID, len(line), why)
		default:
			if len(s.Facts) == 0 {
				text.WriteString(labelFacts)
			}
			text.Write(line)
			room -= len(line)
			s.Facts = append(s.Facts, Shown{f.ID, f.Revision})
		}
	}
}

// factLine encodes a fact with its newline. What lecode would not have stored
// (bad UTF-8, an ID with an invisible character) gets no line.
func factLine(f Fact) ([]byte, bool) {
	f.Text = Show(f.Text)
	line, err := canon.Marshal(f)
	if err != nil || Show(string(line)) != string(line) {
		return nil, false
	}
	return append(line, '\n'), true
}

// addNotes gives each note half of room; what one does not need goes to the other.
func (s *Section) addNotes(text *strings.Builder, in Input, room int) {
	a, b := newPart(labelMemory, in.Memory), newPart(labelScratchpad, in.Scratchpad)
	ta, tb := share(a, b, room)
	text.WriteString(ta.text)
	text.WriteString(tb.text)
	s.omitNote(nameMemory, in.Memory, a, ta)
	s.omitNote(nameScratchpad, in.Scratchpad, b, tb)
}

func (s *Section) omitNote(file string, n Note, p part, shown rendered) {
	switch {
	case n.LeftOut != "":
		s.omit(file, int(n.Size), n.LeftOut)
	case p.bad:
		s.omit(file, p.size, WhyNotText)
	case !shown.whole:
		s.omit(file, p.size-shown.used, WhyMaxBytes)
	}
}

func (s *Section) omit(what string, bytes int, why string) {
	s.Omitted = append(s.Omitted, Omitted{int64(bytes), name(what), why})
}

// name makes an ID fit to be told: one that lecode did not make may hold anything.
func name(id string) string { return Show(strings.ToValidUTF8(id, "\uFFFD")) }
