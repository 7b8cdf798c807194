package memview

import "github.com/lecode/lecode/porcelain/tui/typeset"

// list is a choice among things that are drawn one below the other.
type list struct{ at, top int }

// move does what a key says to a list of n; false: it means nothing to one.
func (l *list) move(k string, n, page int) bool {
	switch k {
	case "up", "k":
		l.at--
	case "down", "j":
		l.at++
	case "home", "g":
		l.at = 0
	case "end", "G":
		l.at = n - 1
	case "pgup", "b":
		l.at -= max(1, page-1)
	case "pgdown", "space":
		l.at += max(1, page-1)
	default:
		return false
	}
	l.at = max(0, min(l.at, n-1))
	return true
}

// draw is the rows of the things around the chosen one. item is asked only for
// those that may be seen.
func (l *list) draw(n, height int, item func(i int) []typeset.Row) []typeset.Row {
	l.at = max(0, min(l.at, n-1))
	l.top = max(0, min(l.top, l.at))
	room, i := height, l.at
	for ; i >= l.top && n > 0; i-- {
		if room -= len(item(i)); room < 0 {
			break
		}
	}
	if i >= l.top {
		l.top = min(i+1, l.at)
	}
	var rows []typeset.Row
	for i := l.top; i < n && len(rows) < height; i++ {
		rows = append(rows, item(i)...)
	}
	return rows[:min(len(rows), height)]
}

// mark is what the chosen thing begins with.
func mark(chosen bool) typeset.Span {
	if chosen {
		return typeset.Bold.Of("› ")
	}
	return typeset.None.Of("  ")
}
