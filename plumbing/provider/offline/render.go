package offline

import (
	"strconv"
	"strings"
)

// preface is the first line of a summary with room for it.
const preface = "Quoted from the log; [n] is the seq of the record."

const maxSeqs = 5 // seqs shown of one item; of more, the first and the last ones

// lineOf is an item as a line of its section.
func lineOf(it item) string {
	switch it.kind {
	case mention:
		return it.text + seqList(it.seqs, "")
	case changed:
		return strings.TrimRight("- "+it.text+seqList(it.seqs, "")+" "+it.tail, " ")
	}
	if it.run {
		return commandLine(it)
	}
	by := ""
	if it.kind == request && it.who == nobody || it.kind == fact || it.kind == decision || it.kind == open {
		by = it.who.by()
	}
	list := strings.TrimPrefix(seqList(it.seqs, by), " ")
	if list == "" {
		return "- " + it.text
	}
	return "- " + list + " " + it.text
}

// commandLine: npm test → ok [17,41], failed before [12]: 4 passed, 0 failed.
func commandLine(it item) string {
	s := "- " + it.text + arrow + it.state.String() + seqList(it.seqs, "")
	if len(it.other) > 0 {
		s += otherRuns(it.state) + seqList(it.other, "")
	}
	if it.tail != "" {
		s += ": " + it.tail
	}
	return s
}

func otherRuns(st state) string { return ", " + st.opposite().String() + " before" }

// seqList is " [3,14,22]", or with many " [3…14,22]"; nothing for none.
func seqList(seqs []int64, by string) string {
	if len(seqs) == 0 {
		return ""
	}
	b := []byte(" [")
	for i, s := range seqs {
		if len(seqs) > maxSeqs && i > 0 && i < len(seqs)-maxSeqs+1 {
			continue
		}
		switch {
		case i == 0:
		case len(seqs) > maxSeqs && i == len(seqs)-maxSeqs+1:
			b = append(b, "…"...)
		default:
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, s, 10)
	}
	return string(b) + by + "]"
}

// render writes the chosen items, in the order of the log under each heading.
func render(all [kinds][]item, withPreface bool) string {
	var b strings.Builder
	if withPreface {
		b.WriteString(preface + "\n")
	}
	for k, list := range all {
		if len(list) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## " + kind(k).heading() + "\n")
		for i, it := range list {
			if kind(k) == mention && i > 0 {
				b.WriteString(mentionGap)
			} else if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(lineOf(it))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
