package offline

import (
	"fmt"
	"strings"
)

// defaultRoom is the cap where a request gives none (design section 13).
const defaultRoom = 2048

// Summary is an extractive summary of in: Markdown sections of single lines,
// each quoting the transcript or the prior summary exactly and naming the seqs
// it came from. "…" marks where a quotation was cut. By the estimate tokens it
// takes at most room tokens.
//
// When room is short, the items of least value under a heading go first, and
// the headings lose in the order of keepOrder: mentions, facts, commands,
// errors, results, files, requests, and at the very end decisions, rules and
// open points. With room for more than a few lines each heading has a share
// (shareOf) that it gets before the facts, the open points, rules and decisions
// the largest, together more than half: so nothing that a prior summary left
// open goes before the rest while it keeps to that.
// An empty input gives an empty summary, any other one at least a line, if a line fits.
func Summary(in Input, room int64, tokens func(string) int64) string {
	if room <= 0 {
		room = defaultRoom
	}
	r := read(in)
	now := append(r.spoken(), r.activity()...)
	all := merge(priorItems(in.Prior), now, r)
	if len(all[request]) == 0 {
		all[request] = r.task()
	}
	withPreface := room >= scarce
	left := room
	if withPreface {
		left -= tokens(preface+"\n") + room/128
	}
	chosen := fit(r.ranked(all), left, tokens)
	text := render(chosen, withPreface)
	for tokens(text) > room && lose(&chosen) {
		text = render(chosen, withPreface)
	}
	if empty(chosen) || tokens(text) > room {
		return r.least(in, room, tokens)
	}
	return text
}

// lateWeight is what the latest of the rules, decisions and open points has
// over the first: what was said later counts, and what it holds counts too.
const lateWeight = 1.5

// ranked gives the kinds whose items are told apart by their place in the log
// their values: the latest stay, and of the requests the first too.
func (r *reading) ranked(all [kinds][]item) [kinds][]item {
	for _, k := range []kind{request, changed, outcome} {
		sortBySeq(all[k])
		for i := range all[k] {
			all[k][i].value = float64(i)
		}
	}
	for _, k := range []kind{rule, decision, open} {
		sortBySeq(all[k])
		for i := range all[k] {
			all[k][i].value = min(all[k][i].value, 1) + lateWeight*float64(i+1)/float64(len(all[k]))
		}
	}
	if list := all[request]; len(list) > 0 {
		list[0].value = float64(len(list)) - 1.5
	}
	return all
}

// lose drops the least of the chosen items; false when none is left.
func lose(chosen *[kinds][]item) bool {
	for i := len(keepOrder) - 1; i >= 0; i-- {
		list := chosen[keepOrder[i]]
		if len(list) == 0 {
			continue
		}
		least := 0
		for j := range list {
			if list[j].value < list[least].value {
				least = j
			}
		}
		chosen[keepOrder[i]] = append(list[:least:least], list[least+1:]...)
		return true
	}
	return false
}

func empty(chosen [kinds][]item) bool {
	for _, list := range chosen {
		if len(list) > 0 {
			return false
		}
	}
	return true
}

// least is what is said where no item is worth or fits a line: the beginning
// of the last words, or how many messages there were.
func (r *reading) least(in Input, room int64, tokens func(string) int64) string {
	line := ""
	switch n := len(r.sentences); {
	case n > 0:
		line = r.sentences[n-1].text
	case strings.TrimSpace(in.Prior) != "":
		line, _ = firstLine(clean(in.Prior))
	}
	if line == "" && len(in.Records) > 0 {
		line = fmt.Sprintf("%d messages without a word to quote.", len(in.Records))
	}
	return clipTokens(line, room, tokens)
}
