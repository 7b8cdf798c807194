package offline

// seen knows the words of what was chosen, to leave out what says the same again.
type seen struct {
	texts map[string]bool
	with  map[string][]int // the entries that hold a word
	size  []int            // their numbers of words
}

func newSeen() *seen { return &seen{texts: map[string]bool{}, with: map[string][]int{}} }

func (s *seen) add(text string) {
	s.texts[fold(text)] = true
	words := contentWords(text)
	for w := range words {
		s.with[w] = append(s.with[w], len(s.size))
	}
	s.size = append(s.size, len(words))
}

// near reports whether one entry holds at least three quarters of the words of text.
func (s *seen) near(text string) bool {
	if s.texts[fold(text)] {
		return true
	}
	words := contentWords(text)
	hits := map[int]int{}
	for w := range words {
		for _, i := range s.with[w] {
			hits[i]++
			if 4*hits[i] >= 3*len(words) {
				return true
			}
		}
	}
	return false
}
