package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// lay is the text of the question: the exact command or file, and why it is asked for.
func (q *question) lay(width int) []typeset.Row {
	if q.width == width {
		return q.text
	}
	bar, n := typeset.Yellow.Row("┃ "), q.need
	head := typeset.Row{typeset.None.Of("allow "), typeset.Bold.Of(typeset.Line(n.Tool)), typeset.None.Of(" (" + string(n.Class) + ")?")}
	if q.verdict.Why != "" {
		head = append(head, typeset.Faint.Of(" "+typeset.Line(q.verdict.Why)))
	}
	rows := typeset.Wrap(head, width, bar, bar)
	under := typeset.Row{bar[0], typeset.Faint.Of("· ")}
	rows = append(rows, exactRows(n.Summary, typeset.Bold, width)...)
	if n.Why != "" && !strings.Contains(q.verdict.Why, n.Why) {
		rows = append(rows, typeset.Wrap(typeset.Faint.Row(typeset.Line(n.Why)), width, under, under)...)
	}
	for _, path := range n.Outside {
		rows = append(rows, typeset.Wrap(typeset.Row{typeset.Yellow.Of("outside the workspace: "), typeset.None.Of(strings.ReplaceAll(exact(path), "\n", "<U+000A>"))}, width, under, under)...)
	}
	q.must, q.seen = len(rows), 0
	if n.Detail != "" {
		detail := exact(n.Detail)
		if rows = append(rows, detailRows(detail, width, under)...); !isDiff(detail) {
			q.must = len(rows) // such as the arguments of a call
		}
	}
	q.text, q.width = rows, width
	return rows
}

// exact is text in which nothing is dropped and every character that is not
// seen is shown; each return too, which a terminal would act on.
func exact(text string) string {
	return strings.TrimRight(typeset.Clean(strings.ReplaceAll(text, "\r", "<U+000D>")), "\n")
}

// exactRows is what is asked for, a row a line. A line that has to be broken is
// broken wherever the row ends, and goes on behind an arrow: nobody could tell a
// newline of a command from one of the screen's otherwise.
func exactRows(text string, i typeset.Ink, width int) []typeset.Row {
	bar := typeset.Yellow.Of("┃ ")
	var rows []typeset.Row
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		parts, _, _ := lay(l, -1, max(1, width-4))
		for n, part := range parts {
			begin := typeset.None.Of("  ")
			if n > 0 {
				begin = typeset.Faint.Of("↪ ")
			}
			rows = append(rows, typeset.Row{bar, begin, i.Of(part.Write(false))}.Fit(width))
		}
	}
	return rows
}

// view is the text of the question in at most room rows; a longer one scrolls, and says so.
func (q *question) view(width, room int) []typeset.Row {
	text := q.lay(width)
	if len(text) > room {
		room = max(1, room-1)
		q.scroll = max(0, min(q.scroll, len(text)-room))
		above, below := q.scroll, len(text)-room-q.scroll
		said := "↑ " + plural(above, "line") + ", ↓ " + plural(below, "line") + " · up, down, end scroll"
		text = append(append([]typeset.Row(nil), text[q.scroll:q.scroll+room]...), typeset.Row{typeset.Yellow.Of("┃ "), typeset.Yellow.Of(typeset.Fit(said, max(0, width-2)))})
	} else {
		q.scroll = 0
		room = len(text)
	}
	q.seen = max(q.seen, q.scroll+room)
	return append([]typeset.Row(nil), text...)
}

// page is how far a page scrolls.
func (q *question) page(height int) int { return max(1, height/2) }

// answers are the choices in at most room rows. Where there is no room for any
// of what is asked for beside them, only denying is left.
func (q *question) answers(width, room int) []typeset.Row {
	rows := q.bar(width)
	if len(rows) > max(1, room/2) {
		rows = []typeset.Row{q.line().Fit(width)}
	}
	if q.small = room-len(rows) < leastShown; q.small {
		return []typeset.Row{typeset.Yellow.Row(typeset.Fit("deny (d) · the terminal is too small to show what is asked", width))}
	}
	return rows
}

// leastShown is how many rows of a question have to be seen at once for it to be answered.
const leastShown = 3

// line is the choices, the marked one reversed.
func (q *question) line() typeset.Row {
	var line typeset.Row
	for i, c := range q.choices() {
		if i > 0 {
			line = append(line, typeset.None.Of("  "))
		}
		mark, how := " ", typeset.None
		if i == q.at {
			mark, how = "›", typeset.Reverse
		}
		line = append(line, how.Of(mark+strings.ReplaceAll(c.label+" ("+c.key+")", " ", "\u00a0")))
	}
	return line
}

// bar is the choices in as many rows as they need.
func (q *question) bar(width int) []typeset.Row {
	bar := typeset.Yellow.Row("┃ ")
	return typeset.Wrap(q.line(), width, bar, bar)
}
