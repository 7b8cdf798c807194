package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// recentLines is how much of the block that is being written is laid out for the live part.
const recentLines = 60

// stream is the answer that is coming in. Blocks that are whole go to the
// scrollback; pending is the one that is being written.
type stream struct {
	pending  strings.Builder
	scan     scanner
	thought  string // the end of the reasoning
	thinking bool
	any      bool // something of this answer was shown

	// What was laid out last.
	text  string
	width int
	rows  []typeset.Row
}

// add takes a piece, and is the text that is whole now.
func (t *stream) add(text string) (whole string) {
	t.thinking, t.thought = false, ""
	t.pending.WriteString(text)
	all := t.pending.String()
	n := t.scan.settled(all)
	if n == 0 {
		return ""
	}
	t.pending = strings.Builder{}
	t.pending.WriteString(all[n:])
	t.scan.cut(n)
	return all[:n]
}

// think takes a piece of reasoning, of which the last lines are shown while it lasts.
func (t *stream) think(text string) {
	const most = 2000
	t.thinking = true
	t.thought += text
	if len(t.thought) > 2*most {
		t.thought = strings.ToValidUTF8(t.thought[len(t.thought)-most:], "")
	}
}

// end is what was still pending.
func (t *stream) end() string {
	rest := t.pending.String()
	*t = stream{}
	return rest
}

// view is the live part of the answer.
func (t *stream) view(width int) []typeset.Row {
	pending := t.pending.String()
	if t.thinking && pending == "" {
		rows := typeset.Wrap(typeset.Faint.And(typeset.Italic).Row(strings.TrimSpace(typeset.Clean(t.thought))), width, typeset.None.Row("  "), typeset.None.Row("  "))
		return rows[max(0, len(rows)-3):]
	}
	if pending == "" {
		return nil
	}
	if t.text != pending || t.width != width {
		t.text, t.width = pending, width
		t.rows = markdown(recent(pending, recentLines), width)
	}
	return t.rows
}

// answer is Markdown as a block.
func answer(text string) block {
	return block{size: len(text), rows: func(width int) []typeset.Row { return markdown(text, width) }}
}

// prompted is what a person said as a block.
func prompted(text string) block {
	text = strings.TrimRight(typeset.Clean(text), "\n")
	return block{size: len(text), rows: func(width int) []typeset.Row {
		return typeset.Wrap(typeset.Bold.Row(text), width, typeset.Magenta.Row("> "), typeset.None.Row("  "))
	}}
}
