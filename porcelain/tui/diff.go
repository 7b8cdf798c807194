package tui

import (
	"strings"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// diffInk is how a line of a unified diff looks.
func diffInk(l string) typeset.Ink {
	switch {
	case strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "---"), strings.HasPrefix(l, "diff "), strings.HasPrefix(l, "index "):
		return typeset.Bold
	case strings.HasPrefix(l, "@@"):
		return typeset.Cyan
	case strings.HasPrefix(l, "+"):
		return typeset.Green
	case strings.HasPrefix(l, "-"):
		return typeset.Red
	}
	return typeset.None
}

// isDiff reports whether a detail is a unified diff.
func isDiff(detail string) bool {
	return strings.HasPrefix(detail, "--- ") || strings.HasPrefix(detail, "@@ ") ||
		strings.Contains(detail, "\n@@ ") || strings.HasPrefix(detail, "diff ")
}

// detailRows shows a detail: a diff in its colours, another text as it is. The
// text is clean already.
func detailRows(detail string, width int, margin typeset.Row) []typeset.Row {
	detail = strings.TrimRight(detail, "\n")
	if detail == "" {
		return nil
	}
	coloured := isDiff(detail)
	var rows []typeset.Row
	for l := range strings.SplitSeq(detail, "\n") {
		i := typeset.None
		if coloured {
			i = diffInk(l)
		}
		rows = append(rows, typeset.Wrap(i.Row(l), width, margin, margin)...)
	}
	return rows
}

// capRows keeps the first rows, and says how many were cut and where they are.
func capRows(rows []typeset.Row, most int, where string, margin typeset.Row, width int) []typeset.Row {
	if len(rows) <= most {
		return rows
	}
	said := typeset.Faint.Row("… " + plural(len(rows)-most, "more line") + where)
	return append(rows[:most:most], typeset.Wrap(said, width, margin, margin)...)
}
