package offline

import (
	"cmp"
	"slices"
)

// keepOrder is the order in which kinds are kept when room is short: what
// stands last is lost first. Open points, rules and decisions go last.
var keepOrder = [...]kind{open, rule, decision, request, changed, outcome, failure, ran, fact, mention}

// shareOf is the part of the room, in hundredths, that a kind may take before
// the facts get theirs; what is left over is shared out in keepOrder again.
func shareOf(k kind) int64 {
	return [kinds]int64{open: 20, rule: 20, decision: 15, request: 10, changed: 6, outcome: 6, failure: 6, ran: 7}[k]
}

// scarce is the room in tokens below which no kind has a share: keepOrder alone decides.
const scarce = 300

// fitter chooses what a summary of at most room tokens holds.
type fitter struct {
	tokens func(string) int64
	left   int64
	from   [kinds][]item // what there is, the best first
	taken  [kinds][]item
}

// fit chooses among all the items.
func fit(all [kinds][]item, room int64, tokens func(string) int64) [kinds][]item {
	f := &fitter{tokens: tokens, left: room, from: all}
	for k := range f.from {
		sortByWorth(f.from[k])
	}
	if room >= scarce {
		for _, k := range keepOrder {
			if share := shareOf(k); share > 0 {
				f.take(k, room*share/100)
			}
		}
		f.facts()
	}
	for _, k := range keepOrder {
		f.take(k, f.left)
	}
	for k := range f.taken {
		sortBySeq(f.taken[k])
	}
	return f.taken
}

// take takes items of kind k, the best first, for at most room tokens.
func (f *fitter) take(k kind, room int64) {
	room = min(room, f.left)
	for len(f.from[k]) > 0 {
		it := f.from[k][0]
		cost := f.cost(it)
		if cost > room {
			return
		}
		room -= cost
		f.put(it, cost)
		f.from[k] = f.from[k][1:]
	}
}

func (f *fitter) put(it item, cost int64) {
	f.left -= cost
	f.taken[it.kind] = append(f.taken[it.kind], it)
}

// cost is the tokens that an item adds, with the heading if it is the first of its kind.
func (f *fitter) cost(it item) int64 {
	n := f.entry(it)
	if len(f.taken[it.kind]) == 0 {
		n += f.tokens("\n## " + it.kind.heading() + "\n")
	}
	return n
}

// entry is the tokens of an item's own line or place.
func (f *fitter) entry(it item) int64 {
	if it.kind == mention {
		return f.tokens(lineOf(it) + mentionGap)
	}
	return f.tokens(lineOf(it) + "\n")
}

// sortByWorth puts the best first; of equals what came later, then by text.
func sortByWorth(list []item) {
	slices.SortStableFunc(list, func(a, b item) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.last(), a.last()), cmp.Compare(a.text, b.text))
	})
}

func sortBySeq(list []item) {
	slices.SortStableFunc(list, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.last(), b.last()), cmp.Compare(a.at, b.at))
	})
}
