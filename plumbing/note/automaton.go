package note

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// automaton finds lines that a program matches: a deterministic one, whose
// states are made when they are first met. It is what makes a search without a
// literal as fast as grep: package regexp, which has none, takes about twenty
// times as long (figures: BenchmarkSearch). It answers whether a line matches,
// not where; each line is a text by itself.
type automaton struct {
	prog    *syntax.Prog
	bounds  []rune // where the runes from U+0080 on part into classes that prog takes alike
	states  map[string]*state
	start   *state // at the beginning of a line
	flushed int    // how often the states were thrown away

	seen  []uint32 // the round in which an instruction was last reached
	round uint32
	stack []uint32
	reach []uint32 // the instructions that wait for a rune, of the round
}

// state is a set of places in the program, between two runes of a line.
type state struct {
	next  [256]*state    // by byte; nil: not yet known, a match, or not for the fast path
	wide  map[int]*state // by class of rune
	seeds []uint32       // instructions, ascending; the program's start goes without saying
	prev  rune           // stands for the rune before: -1 none, 'a' a word character, ' ' another
}

const (
	maxStates  = 2000 // about 5 MB
	maxFlushes = 8    // after so many the program is one for package regexp
	wordRune   = 'a'
	otherRune  = ' '
)

// matched is the state of a line that matches, whatever follows.
var matched = &state{}

func newAutomaton(prog *syntax.Prog) *automaton {
	a := &automaton{prog: prog, bounds: bounds(prog), seen: make([]uint32, len(prog.Inst))}
	a.flush()
	a.flushed = 0
	return a
}

// bounds lists the runes from U+0080 on at which the program may begin to decide otherwise.
func bounds(prog *syntax.Prog) []rune {
	list := []rune{utf8.RuneSelf}
	add := func(lo, hi rune) {
		for _, r := range []rune{lo, hi + 1} {
			if r > utf8.RuneSelf {
				list = append(list, r)
			}
		}
	}
	for _, in := range prog.Inst {
		if in.Op != syntax.InstRune && in.Op != syntax.InstRune1 {
			continue
		}
		if len(in.Rune) == 1 {
			add(in.Rune[0], in.Rune[0])
			for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
				add(r, r)
			}
		}
		for i := 0; i+1 < len(in.Rune); i += 2 {
			add(in.Rune[i], in.Rune[i+1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// find returns an offset in the first line of data that matches, -1 where none
// does. data is valid UTF-8 and begins with a line; the CR of a CRLF is not
// part of a line. Not ok: the program has too many states for this text.
func (a *automaton) find(data []byte) (at int, ok bool) {
	s := a.start
	for i := 0; i < len(data); {
		c := data[i]
		if n := s.next[c]; n != nil {
			s = n
			i++
			continue
		}
		size := 1
		var n *state
		switch {
		case c == '\r' && i+1 < len(data) && data[i+1] == '\n':
			i++ // the end of the line decides
			continue
		case c == '\n':
			if n = a.step(s, -1); n != matched {
				n = a.start
				s.next[c] = n
			}
		case c < utf8.RuneSelf:
			if n = a.step(s, rune(c)); n != matched && c != '\r' {
				s.next[c] = n
			}
		default:
			var r rune
			r, size = utf8.DecodeRune(data[i:])
			n = a.stepWide(s, r)
		}
		if n == matched {
			return i, true
		}
		if a.flushed > maxFlushes {
			return 0, false
		}
		s = n
		i += size
	}
	if len(data) > 0 && data[len(data)-1] != '\n' && a.step(s, -1) == matched {
		return len(data) - 1, true
	}
	return -1, true
}

func (a *automaton) stepWide(s *state, r rune) *state {
	class, exact := slices.BinarySearch(a.bounds, r)
	if exact {
		class++
	}
	if n := s.wide[class]; n != nil {
		return n
	}
	n := a.step(s, r)
	if s.wide == nil {
		s.wide = map[int]*state{}
	}
	s.wide[class] = n
	return n
}

// step is the state after r, -1 for the end of the line: matched where a match
// ends before r.
func (a *automaton) step(s *state, r rune) *state {
	a.round++
	a.reach = a.reach[:0]
	flags := syntax.EmptyOpContext(s.prev, r)
	if a.close(uint32(a.prog.Start), flags) {
		return matched
	}
	for _, pc := range s.seeds {
		if a.close(pc, flags) {
			return matched
		}
	}
	if r < 0 {
		return a.start
	}
	var seeds []uint32
	for _, pc := range a.reach {
		if in := &a.prog.Inst[pc]; in.MatchRune(r) {
			seeds = append(seeds, in.Out)
		}
	}
	slices.Sort(seeds)
	prev := rune(otherRune)
	if syntax.IsWordChar(r) {
		prev = wordRune
	}
	return a.state(slices.Compact(seeds), prev)
}

// close follows what needs no rune from pc; true where that is a match.
func (a *automaton) close(pc uint32, flags syntax.EmptyOp) bool {
	a.stack = append(a.stack[:0], pc)
	for len(a.stack) > 0 {
		pc := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if a.seen[pc] == a.round {
			continue
		}
		a.seen[pc] = a.round
		switch in := &a.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return true
		case syntax.InstAlt, syntax.InstAltMatch:
			a.stack = append(a.stack, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			a.stack = append(a.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				a.stack = append(a.stack, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			a.reach = append(a.reach, pc)
		}
	}
	return false
}

// state is the one for these seeds; too many of them begin anew.
func (a *automaton) state(seeds []uint32, prev rune) *state {
	key := binary.AppendVarint(nil, int64(prev))
	for _, pc := range seeds {
		key = binary.AppendUvarint(key, uint64(pc))
	}
	if s := a.states[string(key)]; s != nil {
		return s
	}
	if len(a.states) >= maxStates {
		a.flush()
	}
	s := &state{seeds: seeds, prev: prev}
	a.states[string(key)] = s
	return s
}

func (a *automaton) flush() {
	a.flushed++
	a.states = map[string]*state{}
	a.start = &state{prev: -1}
}
