package slash

import (
	"slices"
	"strings"

	"github.com/lecode/lecode/porcelain/memory"
)

// Source is where completion finds names; a nil function has none. They are
// asked only where their names are wanted.
type Source struct {
	Sessions, Models, Chains, Facts func() []string
}

// Complete gives the whole lines that a line which begins with a slash may
// become, in order; none where nothing is known.
func Complete(line string, s Source) []string {
	rest, slashed := strings.CutPrefix(line, "/")
	if !slashed || strings.HasPrefix(rest, "/") {
		return nil
	}
	name, args, spaced := strings.Cut(rest, " ")
	if !spaced {
		return under("/", "", matching(names(), name))
	}
	c, ok := Find(name)
	if !ok || c.Complete == nil {
		return nil
	}
	// What is typed is the last word; the ones before it stay as they are.
	before := ""
	if i := strings.LastIndexByte(args, ' '); i >= 0 {
		before = args[:i+1]
	}
	return under("/"+name+" ", before, matching(c.Complete(s, args), args[len(before):]))
}

func under(command, before string, words []string) []string {
	for i, w := range words {
		words[i] = command + before + w
	}
	return words
}

func matching(words []string, typed string) []string {
	var found []string
	for _, w := range words {
		if strings.HasPrefix(w, typed) {
			found = append(found, w)
		}
	}
	return found
}

func names() []string {
	var all []string
	for _, c := range Commands() {
		all = append(all, c.Name)
	}
	slices.Sort(all)
	return all
}

// first gives words for the first argument only.
func first(args string, words func() []string) []string {
	if words == nil || strings.Contains(args, " ") {
		return nil
	}
	return words()
}

func completeNames(_ Source, args string) []string    { return first(args, names) }
func completeSessions(s Source, args string) []string { return first(args, s.Sessions) }
func completeModels(s Source, args string) []string   { return first(args, s.Models) }
func completeChains(s Source, args string) []string   { return first(args, s.Chains) }
func completeModes(_ Source, args string) []string    { return first(args, Modes) }
func completeEditsys(_ Source, args string) []string {
	return first(args, func() []string { return []string{"show", "set", "reset"} })
}

// completeMemory gives the words of the memory, and IDs where one is due.
func completeMemory(s Source, args string) []string {
	word, rest, second := strings.Cut(args, " ")
	if !second {
		var all []string
		for _, w := range memory.Words() {
			all = append(all, w.Name)
		}
		return all
	}
	switch word {
	case "recall", "correct", "forget":
		return first(rest, s.Facts)
	case "read":
		return first(rest, s.Sessions)
	}
	return nil
}

// nearest is the command that is the fewest edits from name; "": none is close.
func nearest(name string) string {
	best, least := "", 2+len(name)/4
	for _, n := range names() {
		if d := edits(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// edits is the Levenshtein distance of two words; the longer one counts as cut
// where it is far too long for a name.
func edits(a, b string) int {
	a = a[:min(len(a), 64)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}

// Describe says what a line does that is a command alone, or /memory and one of
// its words; "" where it is something else.
func Describe(line string) string {
	name, word, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	switch c, ok := Find(name); {
	case !ok || !strings.HasPrefix(line, "/"):
		return ""
	case word == "":
		return c.Summary
	case name == "memory":
		w, _ := memory.Find(word)
		return w.Summary
	}
	return ""
}
