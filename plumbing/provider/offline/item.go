package offline

import "slices"

// kind is the heading that an item stands under.
type kind uint8

// The kinds, in the order in which a summary shows them.
const (
	request  kind = iota // what the user asked for
	rule                 // what the user said holds on
	decision             // what was settled
	outcome              // how an exchange ended
	changed              // files that were written
	ran                  // commands, with how they ended
	failure              // error texts
	fact                 // sentences that say what stands nowhere else
	mention              // paths, identifiers, numbers, commands of what did not fit as a sentence
	open                 // what is still to do
	kinds
)

// heading is the title of a kind in a summary.
func (k kind) heading() string {
	return [kinds]string{"Requests", "Rules and preferences", "Decisions", "Results", "Files changed",
		"Commands", "Errors", "Facts", "Also mentioned", "Open points"}[k]
}

// item is one entry of a summary.
type item struct {
	kind  kind
	text  string  // as it stands in the input
	seqs  []int64 // where, ascending; of a prior summary, as it says
	tail  string  // behind the seqs: of a command, what it ended with; of a file, removed
	run   bool    // a command, with the next two
	state state   // how its last run ended; seqs are the runs that ended so
	other []int64 // the runs that ended the other way
	short string  // a part of text that is enough at a pinch; may be empty
	value float64 // against others of its kind; more stays longer
	worth float64 // of a sentence: against facts
	who   speaker // that wrote it
	prior bool    // from the prior summary
	at    int     // its place among all items, the prior summary's first
}

// state is how a command ended.
type state uint8

const (
	unknown state = iota
	ok
	failed
)

func (s state) String() string { return [...]string{"ran", "ok", "failed"}[s] }

// last is the greatest seq of an item, 0 for none.
func (i item) last() int64 {
	if len(i.seqs) == 0 {
		return 0
	}
	return i.seqs[len(i.seqs)-1]
}

// addSeq adds a seq that is not there yet.
func (i *item) addSeq(seq int64) { i.seqs = withSeq(i.seqs, seq) }

func withSeq(seqs []int64, seq int64) []int64 {
	at, found := slices.BinarySearch(seqs, seq)
	if found || seq <= 0 {
		return seqs
	}
	return slices.Insert(slices.Clip(seqs), at, seq)
}

// ranAs notes one more run of a command.
func (i *item) ranAs(st state, seqs []int64, tail string) {
	if st != i.state {
		i.seqs, i.other = i.other, i.seqs
	}
	i.state, i.tail = st, tail
	for _, s := range seqs {
		i.addSeq(s)
	}
}

// opposite is how the other runs of a command ended.
func (s state) opposite() state {
	if s == ok {
		return failed
	}
	return ok
}
