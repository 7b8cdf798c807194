package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// settled is the length of the beginning of a Markdown text that no more text
// can change: whole blocks, each laid out alike alone or with what follows. What
// is left is the block that is being written.
func settled(text string) int {
	end, at, fence := 0, 0, ""
	blank := false // the line before is blank, outside a fence
	for l := range strings.Lines(text) {
		if !strings.HasSuffix(l, "\n") && fence == "" && blank && begins(l) {
			end = at // a new block has begun, however the line goes on
		}
		if !strings.HasSuffix(l, "\n") {
			break
		}
		mark := fenceOf(l)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && strings.TrimSpace(l) == mark {
				fence = ""
				if !strings.HasPrefix(l, " ") {
					end = at + len(l)
				}
			}
			blank = false
		case strings.TrimSpace(l) == "":
			blank = true
		default:
			if blank && begins(l) {
				end = at
			}
			fence, blank = mark, false
		}
		at += len(l)
	}
	return end
}

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
