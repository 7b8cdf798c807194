package offline

import (
	"cmp"
	"slices"
	"strings"
)

// shortHolds is the part of what a sentence holds that its short form is taken
// to hold. The less it is, the more sentences stand whole when room is short.
const shortHolds = 0.5

// offer is a way to spend room on one candidate.
type offer struct {
	item    int // into the list of candidates
	form    form
	cost    int64   // tokens that it adds
	density float64 // what it holds for each of them
}

// form is how much of a candidate stands in the summary.
type form uint8

const (
	none  form = iota
	short      // its short form
	more       // all of it, where its short form stood
	whole      // all of it at once
)

// facts fills the room of facts and mentions with what holds most for a token:
// sentences whole or in their short form. Sentences of other headings that
// found no room in their share stand for it once more.
func (f *fitter) facts() {
	list := append(f.candidates(), f.from[mention]...)
	f.from[mention] = nil
	taken, seen, requests := make([]form, len(list)), f.seenSoFar(), f.texts(request)
	left := f.left - f.tokens("\n## "+fact.heading()+"\n\n## "+mention.heading()+"\n")
	for _, o := range f.offers(list) {
		it := list[o.item]
		switch {
		case o.cost > left, (o.form == more) != (taken[o.item] == short):
			continue
		case o.form == more:
		case seen.near(it.text) || strings.Contains(requests, it.text):
			continue
		default:
			seen.add(it.text)
		}
		left -= o.cost
		taken[o.item] = o.form
	}
	for i, it := range list {
		if taken[i] == short {
			it = shortened(it)
		}
		if taken[i] != none {
			f.put(it, f.cost(it))
		}
	}
}

// offers are all ways to spend room on the candidates, the densest first.
func (f *fitter) offers(list []item) []offer {
	var offers []offer
	for i, it := range list {
		holds := it.value * lengthCost(len(it.text))
		all := f.entry(it)
		if it.short != "" && !strings.Contains(it.short, mentionGap) {
			few := f.entry(shortened(it))
			brief := offer{i, short, few, shortHolds * holds / float64(few)}
			rest := offer{i, more, all - few, (1 - shortHolds) * holds / float64(max(all-few, 1))}
			if brief.density > rest.density {
				offers = append(offers, brief, rest)
				continue
			}
		}
		offers = append(offers, offer{i, whole, all, holds / float64(all)})
	}
	slices.SortStableFunc(offers, func(a, b offer) int { return cmp.Compare(b.density, a.density) })
	return offers
}

// shortened is an item's short form, among the mentions.
func shortened(it item) item {
	it.kind, it.text, it.short, it.seqs = mention, it.short, "", it.seqs[max(0, len(it.seqs)-1):]
	return it
}

func (f *fitter) seenSoFar() *seen {
	s := newSeen()
	for _, list := range f.taken {
		for _, it := range list {
			s.texts[fold(it.text)] = true
		}
	}
	return s
}

// candidates are the facts, and the sentences of other headings that are left
// over, the best first.
func (f *fitter) candidates() []item {
	list := f.from[fact]
	f.from[fact] = nil
	for _, k := range []kind{rule, decision, request, outcome} {
		for _, it := range f.from[k] {
			it.value = it.worth
			list = append(list, it)
		}
		f.from[k] = nil
	}
	sortByWorth(list)
	return list
}

func (f *fitter) texts(k kind) string {
	var b strings.Builder
	for _, it := range f.taken[k] {
		b.WriteString(it.text + "\n")
	}
	return b.String()
}
