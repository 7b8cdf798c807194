package offline

import (
	"strconv"
	"strings"
)

const mentionGap = "; " // between the entries of the line of mentions

// priorItems reads a prior summary: one that this package wrote exactly, one
// of another model's as well as its headings and lines allow.
func priorItems(text string) []item {
	var list []item
	k := fact
	for line := range strings.Lines(clean(text)) {
		line = strings.TrimSpace(line)
		if title, found := strings.CutPrefix(line, "#"); found {
			k = kindOf(strings.TrimSpace(strings.TrimLeft(title, "#")))
			continue
		}
		if line == "" || line == preface {
			continue
		}
		if k == mention {
			for part := range strings.SplitSeq(line, mentionGap) {
				if text, seqs := trailingSeqs(strings.TrimSpace(part)); text != "" {
					list = append(list, item{kind: mention, text: text, seqs: seqs, prior: true})
				}
			}
			continue
		}
		if it, ok := readItem(k, unmark(line)); ok {
			list = append(list, it)
		}
	}
	return list
}

// kindOf finds the kind for a heading, of another model's summary by its words.
func kindOf(title string) kind {
	for k := range kinds {
		if title == k.heading() {
			return k
		}
	}
	l := strings.ToLower(title)
	switch {
	case anyIn(l, "open", "todo", "to do", "next", "pending", "remaining", "outstanding", "question"):
		return open
	case anyIn(l, "rule", "preference", "constraint", "convention"):
		return rule
	case anyIn(l, "decision"):
		return decision
	case anyIn(l, "request", "goal", "intent", "objective", "task"):
		return request
	}
	return fact
}

// readsBack reports whether the next round will read an item as it is: a text
// that could be taken for a part of its line has to be left out.
func readsBack(it item) bool {
	under := func(k kind) bool {
		list := priorItems("## " + k.heading() + "\n" + lineOf(it) + "\n")
		return len(list) == 1 && list[0].kind == it.kind && list[0].run == it.run &&
			list[0].text == it.text && list[0].tail == it.tail && list[0].last() == it.last()
	}
	return under(it.kind) && (it.state != failed || under(open))
}

// readItem reads a line as render writes it: [seqs] text, or of a command
// text → state [seqs]: tail.
func readItem(k kind, line string) (item, bool) {
	it := item{kind: k, prior: true, who: agent}
	if k == request || k == rule {
		it.who = person
	}
	if k == ran || k == open && !strings.HasPrefix(line, "[") {
		if cmd, found := readCommand(line); found {
			return cmd, true
		}
	}
	if k == changed {
		if rest, found := strings.CutSuffix(line, " "+removedTail); found {
			line, it.tail = rest, removedTail
		}
		it.text, it.seqs = trailingSeqs(line)
		return it, it.text != ""
	}
	if rest, found := strings.CutPrefix(line, "["); found {
		if inner, after, closed := strings.Cut(rest, "]"); closed {
			inner = it.spokenBy(inner)
			if seqs, valid := readSeqs(inner); valid {
				it.seqs, line = seqs, strings.TrimSpace(after)
			}
		}
	}
	if k == ran {
		it.value = 1
	}
	it.text = line
	return it, line != ""
}

// readCommand reads a line that commandLine wrote.
func readCommand(line string) (item, bool) {
	for at := 0; ; at += len(arrow) {
		next := strings.Index(line[at:], arrow)
		if next < 0 {
			return item{}, false
		}
		at += next
		it := item{kind: ran, text: strings.TrimSpace(line[:at]), run: true, prior: true}
		if it.text != "" && it.readRuns(line[at+len(arrow):]) {
			it.value = commandValue(it.text, it.state, len(it.seqs)+len(it.other))
			return it, true
		}
	}
}

// readRuns reads what stands behind the arrow: how a command ended, when, and with what.
func (i *item) readRuns(s string) bool {
	for _, st := range []state{unknown, ok, failed} {
		rest, found := strings.CutPrefix(s, st.String())
		if !found {
			continue
		}
		i.state, i.seqs, i.other = st, nil, nil
		if rest, i.seqs, found = cutSeqs(rest); !found {
			return false
		}
		if others, found := strings.CutPrefix(rest, otherRuns(st)); found {
			if rest, i.other, found = cutSeqs(others); !found {
				return false
			}
		}
		i.tail, found = strings.CutPrefix(rest, ": ")
		return found || rest == ""
	}
	return false
}

// cutSeqs takes " [3,14]" off the beginning of s.
func cutSeqs(s string) (rest string, seqs []int64, found bool) {
	inner, rest, closed := strings.Cut(strings.TrimPrefix(s, " ["), "]")
	if !closed || !strings.HasPrefix(s, " [") {
		return s, nil, false
	}
	seqs, found = readSeqs(inner)
	return rest, seqs, found
}

func trailingSeqs(line string) (string, []int64) {
	if !strings.HasSuffix(line, "]") {
		return line, nil
	}
	at := strings.LastIndex(line, " [")
	if at < 0 {
		return line, nil
	}
	if seqs, valid := readSeqs(line[at+2 : len(line)-1]); valid {
		return line[:at], seqs
	}
	return line, nil
}

// readSeqs reads "3,14,22"; "3…22" stands for a list that was cut in the middle.
func readSeqs(s string) ([]int64, bool) {
	var seqs []int64
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ',' || r == '…' }) {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || n <= 0 || len(seqs) > 0 && n <= seqs[len(seqs)-1] {
			return nil, false
		}
		seqs = append(seqs, n)
	}
	return seqs, len(seqs) > 0
}

// spokenBy takes the word for who said it off the seqs.
func (i *item) spokenBy(inner string) string {
	for _, s := range []speaker{nobody, person} {
		if rest, found := strings.CutSuffix(inner, s.by()); found {
			i.who = s
			return rest
		}
	}
	return inner
}
