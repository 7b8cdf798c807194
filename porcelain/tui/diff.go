package tui

import "strings"

// diffInk is how a line of a unified diff looks.
func diffInk(l string) ink {
	switch {
	case strings.HasPrefix(l, "+++"), strings.HasPrefix(l, "---"), strings.HasPrefix(l, "diff "), strings.HasPrefix(l, "index "):
		return bold
	case strings.HasPrefix(l, "@@"):
		return cyan
	case strings.HasPrefix(l, "+"):
		return green
	case strings.HasPrefix(l, "-"):
		return red
	}
	return noInk
}

// isDiff reports whether a detail is a unified diff.
func isDiff(detail string) bool {
	return strings.HasPrefix(detail, "--- ") || strings.HasPrefix(detail, "@@ ") ||
		strings.Contains(detail, "\n@@ ") || strings.HasPrefix(detail, "diff ")
}

// detailRows shows a detail: a diff in its colours, another text as it is. The
// text is clean already.
func detailRows(detail string, width int, margin row) []row {
	detail = strings.TrimRight(detail, "\n")
	if detail == "" {
		return nil
	}
	coloured := isDiff(detail)
	var rows []row
	for l := range strings.SplitSeq(detail, "\n") {
		i := noInk
		if coloured {
			i = diffInk(l)
		}
		rows = append(rows, wrap([]span{{l, i}}, width, margin, margin)...)
	}
	return rows
}

// capRows keeps the first rows, and says how many were cut and where they are.
func capRows(rows []row, most int, where string, margin row, width int) []row {
	if len(rows) <= most {
		return rows
	}
	said := []span{{"… " + plural(len(rows)-most, "more line") + where, faint}}
	return append(rows[:most:most], wrap(said, width, margin, margin)...)
}
