package offline

import "strings"

const (
	maxSentence = 240 // bytes of a sentence as it is quoted
	maxRequest  = 220 // bytes of what a request is quoted with
	maxTitle    = 60  // a shorter first line of a request is only its title
	minSentence = 12
	minMention  = 4
	minWorth    = 0.06 // a fact of less value is not worth a line
	minNobodys  = 0.15 // nor one of less that nobody typed
)

// spoken are the items of what was said. Each sentence gets the first heading that fits it.
func (r *reading) spoken() []item {
	var list []item
	used := map[int]bool{}
	for _, m := range r.typed {
		list = append(list, r.requestOf(m)...)
	}
	list = append(list, r.outcomes(used)...)
	for i, s := range r.sentences {
		if used[i] || len(s.text) < minSentence {
			continue
		}
		list = append(list, r.filed(s)...)
	}
	return list
}

// filed is the item that a sentence becomes; none where it says nothing.
func (r *reading) filed(s sentence) []item {
	it := r.sentenceItem(fact, s)
	switch {
	case s.who == person && isRule(s):
		it.kind = rule
	case s.who == person && has(s.text, openCues), s.who == agent && s.final && opens(s.text):
		it.kind = open
		it.value += 1
	case s.who != nobody && it.value >= minWorth && has(s.text, decisionCues):
		it.kind = decision
	case it.value < minWorth, s.who == nobody && it.value < minNobodys:
		return nil
	case it.kind == fact && plainWords(it.text) < 2:
		if it.kind, it.text = mention, it.short; len(it.text) < minMention || s.who == nobody {
			return nil
		}
	}
	return []item{it}
}

// plainWords counts the words of s that are no names, numbers or code.
func plainWords(s string) int {
	n := 0
	for _, t := range tokens(s) {
		if t.shape == plain {
			n++
		}
	}
	return n
}

func isRule(s sentence) bool {
	return !s.once && has(s.text, ruleCues) && !strings.HasSuffix(s.text, "?")
}

// opens reports whether an agent's last words leave something to do.
func opens(s string) bool {
	return has(s, openCues) && !has(s, doneCues) || strings.HasSuffix(s, "?")
}

// requestOf is what a message asks for: its first sentences that are no rule
// and no greeting, and behind a mere title one more. A message without an
// answer is an open point too.
func (r *reading) requestOf(m messageText) []item {
	var list []item
	text := ""
	for _, i := range m.sentences {
		s := r.sentences[i]
		switch {
		case len(s.text) < minSentence && len(m.sentences) > 1, text != "" && strings.HasSuffix(s.text, ":"), isRule(s) && text == "":
			continue
		case isRule(s):
		case text == "":
			text = s.text
			continue
		case len(text)+1+len(s.text) <= maxRequest && strings.Contains(s.line, text+" "+s.text):
			text += " " + s.text
			continue
		}
		list = append(list, r.request(text, m))
		if len(list) == 2 || len(text) > maxTitle || isRule(s) {
			text = ""
			break
		}
		text = s.text
	}
	if text != "" && len(list) < 2 {
		list = append(list, r.request(text, m))
	}
	if m.answered || len(list) == 0 {
		return list
	}
	todo := list[0]
	todo.kind, todo.value = open, todo.value+2
	return append(list, todo)
}

func (r *reading) request(text string, m messageText) item {
	return r.sentenceItem(request, sentence{text: clip(text, maxRequest), seq: m.seq, who: person})
}

// task is what stands for a request where nobody typed one: of the first words
// that nobody typed, a task that a program set or the seed of a handoff, the
// sentence that says most.
func (r *reading) task() []item {
	var best []item
	for _, s := range r.sentences {
		if s.who != nobody || len(best) > 0 && s.seq != best[0].last() {
			break
		}
		it := r.sentenceItem(request, s)
		if len(best) == 0 || it.value > best[0].value {
			best = []item{it}
		}
	}
	return best
}

// outcomes are the first sentences of the agent's last words in each exchange
// that say something.
func (r *reading) outcomes(used map[int]bool) []item {
	var list []item
	last := int64(-1)
	for i, s := range r.sentences {
		if !s.final || s.who != agent || s.seq == last || len(s.text) < minSentence || opens(s.text) || has(s.text, decisionCues) {
			continue
		}
		last = s.seq
		used[i] = true
		list = append(list, r.sentenceItem(outcome, s))
	}
	return list
}

// sentenceItem is an item of kind k that quotes s.
func (r *reading) sentenceItem(k kind, s sentence) item {
	j := judge(s, r.counts)
	return item{kind: k, text: clip(s.text, maxSentence), seqs: seqs(s.seq), value: j.value, worth: j.value, short: j.short, who: s.who}
}

func seqs(seq int64) []int64 {
	if seq <= 0 {
		return nil
	}
	return []int64{seq}
}
