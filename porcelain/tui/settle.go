package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// scanner finds the beginning of a Markdown text that no more text can change:
// whole blocks, each laid out alike alone or with what follows. What is left is
// the block that is being written. It goes on where it was, so that a long block
// is read once.
type scanner struct {
	at    int    // of the first line that is not read yet
	end   int    // of what no more text can change
	fence string // the mark of the code fence that is open; "": none
	blank bool   // the line before is blank, outside a fence
}

// settled is the end for a text, of which what was read before is the beginning.
func (s *scanner) settled(text string) int {
	for l := range strings.Lines(text[s.at:]) {
		if !strings.HasSuffix(l, "\n") {
			if s.fence == "" && s.blank && begins(l) {
				s.end = s.at // a new block has begun, however the line goes on
			}
			break
		}
		s.line(l)
	}
	return s.end
}

// line reads a whole line.
func (s *scanner) line(l string) {
	mark := fenceOf(l)
	switch {
	case s.fence != "":
		if strings.HasPrefix(mark, s.fence) && strings.TrimSpace(l) == mark {
			s.fence = ""
			if !strings.HasPrefix(l, " ") {
				s.end = s.at + len(l)
			}
		}
		s.blank = false
	case strings.TrimSpace(l) == "":
		s.blank = true
	default:
		if s.blank && begins(l) {
			s.end = s.at
		}
		s.fence, s.blank = mark, false
	}
	s.at += len(l)
}

// cut forgets the beginning of the text.
func (s *scanner) cut(n int) { s.at, s.end = max(0, s.at-n), 0 }

// begins reports whether a line behind a blank one begins a block at the margin:
// indented, it may belong to a list before it.
func begins(l string) bool { return l != "" && l[0] != ' ' && l[0] != '\t' }

// fenceOf is the mark of a code fence that a line begins with, indented or not; "": none.
func fenceOf(l string) string {
	l = strings.TrimLeft(l, " \t>")
	for _, c := range []string{"`", "~"} {
		n := len(l) - len(strings.TrimLeft(l, c))
		if n >= 3 {
			if c == "`" && strings.Contains(l[n:], "`") {
				return "" // a span of code
			}
			return l[:n]
		}
	}
	return ""
}

// recent is the end of the block that is being written, for the live part: a
// long one is not laid out whole at each piece that comes. A fence stays one.
func recent(block string, lines int) string {
	const most = 16 << 10 // bytes
	at := len(block)
	for range lines {
		i := strings.LastIndexByte(block[:at], '\n')
		if i < 0 {
			return typeset.Tail(block, most)
		}
		if len(block)-i > most {
			break
		}
		at = i
	}
	if at == len(block) { // not one line
		return typeset.Tail(block, most)
	}
	opening, _, _ := strings.Cut(block, "\n")
	if mark := fenceOf(opening); mark != "" {
		return opening + block[at:]
	}
	return block[at+1:]
}
