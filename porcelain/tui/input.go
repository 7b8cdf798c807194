package tui

import (
	"strings"
	"unicode"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// maxInput is how many bytes the input holds; a paste that is longer is not taken at all.
const maxInput = 1 << 20

// input is the lines that a person writes. What was typed is kept byte for
// byte; only what is drawn of it is made visible. The cursor moves by
// characters as a reader counts them.
type input struct {
	text string
	at   int // byte offset of the cursor
	kept string
}

func (in *input) set(text string) { in.text, in.at = text, len(text) }

// take empties the input and is what it held.
func (in *input) take() string {
	text := in.text
	in.set("")
	return text
}

// insert puts text at the cursor; false: it would be too long.
func (in *input) insert(text string) bool {
	if len(in.text)+len(text) > maxInput {
		return false
	}
	in.text = in.text[:in.at] + text + in.text[in.at:]
	in.at += len(text)
	return true
}

// pasted is text from the terminal, with the newlines that it stands for.
func pasted(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// before is where the character before the cursor begins.
func (in *input) before(at int) int {
	start := strings.LastIndexByte(in.text[:at], '\n') + 1
	if start == at {
		return max(0, at-1)
	}
	last := start
	for n := start; n < at; {
		first, _ := typeset.Cluster(in.text[n:at])
		last, n = n, n+len(first)
	}
	return last
}

func (in *input) after(at int) int {
	if at == len(in.text) {
		return at
	}
	first, _ := typeset.Cluster(in.text[at:])
	return at + len(first)
}

func (in *input) lineStart() int { return strings.LastIndexByte(in.text[:in.at], '\n') + 1 }

func (in *input) lineEnd() int {
	if i := strings.IndexByte(in.text[in.at:], '\n'); i >= 0 {
		return in.at + i
	}
	return len(in.text)
}

// wordBefore is where the word before the cursor begins, wordAfter where the next one ends.
func (in *input) wordBefore() int {
	left := strings.TrimRightFunc(in.text[:in.at], notWord)
	return strings.LastIndexFunc(left, notWord) + 1 + lastWidth(left)
}

// lastWidth is what LastIndexFunc leaves out of a separator of several bytes.
func lastWidth(left string) int {
	i := strings.LastIndexFunc(left, notWord)
	if i < 0 {
		return 0
	}
	n := 1
	for i+n < len(left) && left[i+n]&0xC0 == 0x80 {
		n++
	}
	return n - 1
}

func (in *input) wordAfter() int {
	rest := in.text[in.at:]
	word := strings.TrimLeftFunc(rest, notWord)
	if i := strings.IndexFunc(word, notWord); i >= 0 {
		return in.at + len(rest) - len(word) + i
	}
	return len(in.text)
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
}

// cut removes what is between two offsets, keeps it for ctrl+y where it is a word or more, and leaves the cursor there.
func (in *input) cut(from, to int, keep bool) {
	if keep && from < to {
		in.kept = in.text[from:to]
	}
	in.text = in.text[:from] + in.text[to:]
	in.at = from
}

// up moves the cursor a line up; false: it is on the first.
func (in *input) up() bool {
	start := in.lineStart()
	if start == 0 {
		return false
	}
	column := typeset.Columns(typeset.Untab(in.text[start:in.at], 0))
	in.at = start - 1
	in.at = in.column(in.lineStart(), start-1, column)
	return true
}

// down moves it a line down; false: it is on the last.
func (in *input) down() bool {
	start, end := in.lineStart(), in.lineEnd()
	if end == len(in.text) {
		return false
	}
	column := typeset.Columns(typeset.Untab(in.text[start:in.at], 0))
	in.at = end + 1
	in.at = in.column(end+1, in.lineEnd(), column)
	return true
}

// column is the offset in a line that is nearest to a column, from the left.
func (in *input) column(start, end, want int) int {
	for at, n := start, 0; ; {
		if at >= end {
			return end
		}
		first, w := typeset.Cluster(in.text[at:end])
		if first == "\t" {
			w = typeset.TabStop - n%typeset.TabStop
		}
		if n+w > want {
			return at
		}
		at, n = at+len(first), n+w
	}
}

// edit does what a key says; false: it is no key of the input.
func (in *input) edit(key string) bool {
	switch key {
	case "left", "ctrl+b":
		in.at = in.before(in.at)
	case "right", "ctrl+f":
		in.at = in.after(in.at)
	case "ctrl+left", "alt+left", "alt+b":
		in.at = in.wordBefore()
	case "ctrl+right", "alt+right", "alt+f":
		in.at = in.wordAfter()
	case "home", "ctrl+a":
		in.at = in.lineStart()
	case "end", "ctrl+e":
		in.at = in.lineEnd()
	case "ctrl+home":
		in.at = 0
	case "ctrl+end":
		in.at = len(in.text)
	case "backspace", "ctrl+h", "shift+backspace":
		in.cut(in.before(in.at), in.at, false)
	case "delete":
		in.cut(in.at, in.after(in.at), false)
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		in.cut(in.wordBefore(), in.at, true)
	case "alt+d", "ctrl+delete", "alt+delete":
		in.cut(in.at, in.wordAfter(), true)
	case "ctrl+u":
		in.cut(in.lineStart(), in.at, true)
	case "ctrl+k":
		end := in.lineEnd()
		if end == in.at {
			end = in.after(in.at)
		}
		in.cut(in.at, end, true)
	case "ctrl+y":
		return in.insert(in.kept)
	case "alt+enter", "shift+enter", "ctrl+j", "ctrl+enter":
		return in.insert("\n")
	default:
		return false
	}
	return true
}

// continued puts a newline in the place of a backslash at the end, for
// terminals that tell no other enter from enter.
func (in *input) continued() bool {
	if in.at != len(in.text) || !strings.HasSuffix(in.text, "\\") {
		return false
	}
	in.text = strings.TrimSuffix(in.text, "\\") + "\n"
	in.at = len(in.text)
	return true
}
