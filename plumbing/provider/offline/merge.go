package offline

import (
	"slices"
	"strings"
)

// priorWeight lowers what a prior summary's fact is worth: of where its words
// stood before the prior summary nothing is known any more, so that they count
// as new unless the new transcript has them.
const priorWeight = 0.85

// merge joins the items of a prior summary with new ones, and settles what is
// known to be done. What is the same stands once, with the seqs of both.
func merge(before, now []item, r *reading) [kinds][]item {
	var all [kinds][]item
	at := map[string]int{}
	for i, it := range append(before, now...) {
		it.at = i
		if it.prior {
			it = r.valued(it)
		} else if !readsBack(it) {
			continue
		}
		key := string(rune('0'+it.kind)) + fold(it.text)
		i, found := at[key]
		if !found {
			at[key] = len(all[it.kind])
			all[it.kind] = append(all[it.kind], it)
			continue
		}
		all[it.kind][i].take(it)
	}
	all[changed] = joinPaths(all[changed])
	all[open] = r.stillOpen(all[open])
	all[ran], all[open] = failing(all[ran], all[open])
	return all
}

const maxFailing = 3 // commands among the open points

// failing moves the latest commands that failed at last to the open points.
func failing(commands, points []item) (left, all []item) {
	sortBySeq(commands)
	n := 0
	for i := range slices.Backward(commands) {
		if commands[i].run && commands[i].state == failed && n < maxFailing {
			n++
			commands[i].kind, commands[i].value = open, 1
		}
	}
	for _, it := range commands {
		if it.kind == open {
			points = append(points, it)
		} else {
			left = append(left, it)
		}
	}
	return left, points
}

// joinPaths makes one item of a file that is named by its whole path and by the end of it.
func joinPaths(files []item) []item {
	var list []item
	for i, f := range files {
		whole := slices.IndexFunc(files, func(o item) bool { return strings.HasSuffix(o.text, "/"+f.text) })
		if whole < 0 {
			list = append(list, f)
			continue
		}
		files[whole].take(files[i])
		if at := slices.IndexFunc(list, func(o item) bool { return o.text == files[whole].text }); at >= 0 {
			list[at] = files[whole]
		}
	}
	return list
}

// take joins a later item of the same text into i.
func (i *item) take(later item) {
	if later.run && i.run {
		for _, s := range later.other {
			i.ranAs(later.state.opposite(), []int64{s}, "")
		}
		i.ranAs(later.state, later.seqs, later.tail)
		i.value = commandValue(i.text, i.state, len(i.seqs)+len(i.other))
		return
	}
	if i.kind == changed && later.last() >= i.last() {
		i.tail = later.tail
	}
	for _, s := range later.seqs {
		i.addSeq(s)
	}
	i.value = max(i.value, later.value)
	i.who = max(i.who, later.who)
}

// valued is an item of a prior summary with what it is worth now.
func (r *reading) valued(it item) item {
	switch it.kind {
	case ran:
	case failure:
		it.value = errorValue(it.text)
	case mention:
		it.value = r.mentionValue(it.text)
	case changed:
		it.value = 1
	default:
		j := judge(sentence{text: it.text, who: it.who}, r.counts)
		it.value, it.worth, it.short = priorWeight*j.value, priorWeight*j.value, j.short
		if it.kind == open {
			it.value++
		}
	}
	return it
}

// mentionValue is what a mention is worth without its sentence.
func (r *reading) mentionValue(text string) float64 {
	return priorWeight * (0.5 + information(text, tokens(text), r.counts)) / lengthCost(len(text))
}

// stillOpen leaves out the open points that a later sentence of the agent
// tells are done (it speaks of being done and shares half of their words), the
// agent's questions that a person's message came after, and requests that
// have their answer.
func (r *reading) stillOpen(points []item) []item {
	if len(points) == 0 {
		return nil
	}
	done := r.done()
	var left []item
	for _, p := range points {
		want := longWords(p.text)
		settled := slices.ContainsFunc(done, func(d report) bool { return d.seq > p.last() && shares(want, d.words) })
		if !settled && !r.answers(p) && !r.asked(p) {
			left = append(left, p)
		}
	}
	return left
}

// report is a sentence of the agent's that speaks of being done.
type report struct {
	seq   int64
	words map[string]bool
}

func (r *reading) done() []report {
	var list []report
	for _, s := range r.sentences {
		if s.who == agent && has(s.text, doneCues) && !has(s.text, openCues) {
			list = append(list, report{s.seq, longWords(s.text)})
		}
	}
	return list
}

// answers reports whether p is a request that had no answer before this transcript and has one now.
func (r *reading) answers(p item) bool {
	if !p.prior || p.who != person || has(p.text, openCues) {
		return false
	}
	for _, s := range r.sentences {
		if s.who == agent && s.seq > p.last() {
			return true
		}
	}
	return false
}

// asked reports whether p is a question of the agent's with words of a person behind it.
func (r *reading) asked(p item) bool {
	if p.who != agent || !strings.HasSuffix(p.text, "?") {
		return false
	}
	return slices.ContainsFunc(r.typed, func(m messageText) bool { return m.seq > p.last() })
}

// contentWords are the words of s that say something.
func contentWords(s string) map[string]bool {
	m := map[string]bool{}
	words(s, func(w string) {
		if len(w) > 2 && !isCommon(w) {
			m[stem(w)] = true
		}
	})
	return m
}

// longWords are the words of s of more than three letters, without their endings.
func longWords(s string) map[string]bool {
	m := map[string]bool{}
	words(s, func(w string) {
		if len(w) > 3 {
			m[stem(w)] = true
		}
	})
	return m
}

func shares(want, words map[string]bool) bool {
	n := 0
	for w := range want {
		if words[w] {
			n++
		}
	}
	return n >= 2 && 2*n >= len(want)
}

// arrow stands between a command and how it ended.
const arrow = " → "

// by stands behind the seqs under a heading that holds the words of several,
// and says whose they are; the agent's go without.
func (s speaker) by() string { return [...]string{nobody: " synthetic", agent: "", person: " user"}[s] }
