package memview

import "strings"

// cell is one character as it is laid out.
type cell struct {
	text  string
	ink   ink
	width int
}

// wrap breaks a row of clean text into rows of a width: at spaces where there
// are any, else within a word. Newlines break too; tabs become spaces. The rows
// begin with first and later with next, as long as they leave room.
func wrap(r row, width int, first, next string) []row {
	width = max(1, width)
	var out []row
	for _, l := range lines(r) {
		for {
			lead := next
			if len(out) == 0 {
				lead = first
			}
			if columns(lead)+2 > width {
				lead = ""
			}
			var head []cell
			head, l = split(l, width-columns(lead))
			out = append(out, joined(lead, head))
			if len(l) == 0 {
				break
			}
		}
	}
	return out
}

// flow is wrap for a text as it came, of one ink.
func flow(s string, i ink, width int, first, next string) []row {
	s, more := cut(s, maxShown)
	rows := wrap(painted(i, clean(s)), width, first, next)
	if more {
		rows = append(rows, wrap(painted(faint, "[only the beginning is shown here]"), width, next, next)...)
	}
	return rows
}

// lines takes a row apart at its newlines.
func lines(r row) [][]cell {
	list := [][]cell{nil}
	at := 0
	for _, s := range r {
		for rest := s.text; rest != ""; {
			first, w := cluster(rest)
			rest = rest[len(first):]
			switch {
			case strings.HasPrefix(first, "\n"):
				list, at = append(list, nil), 0
				continue
			case first == "\t":
				for n := tabStop - at%tabStop; n > 0; n-- {
					list[len(list)-1] = append(list[len(list)-1], cell{" ", s.ink, 1})
					at++
				}
				continue
			}
			list[len(list)-1] = append(list[len(list)-1], cell{first, s.ink, w})
			at += w
		}
	}
	return list
}

// split is what of a line goes into so many columns, and the rest of it.
func split(l []cell, room int) (head, rest []cell) {
	n, at, space := 0, 0, -1
	for at < len(l) && n+l[at].width <= room {
		if l[at].text == " " {
			space = at
		}
		n += l[at].width
		at++
	}
	switch {
	case at == len(l):
		return l, nil
	case at == 0: // not even alone
		return []cell{{"…", l[0].ink, 1}}, l[1:]
	case l[at].text == " ":
		space = at
	case space <= 0 || blank(l[:space]):
		return l[:at], l[at:]
	}
	rest = l[space:]
	for len(rest) > 0 && rest[0].text == " " {
		rest = rest[1:]
	}
	return l[:space], rest
}

func blank(l []cell) bool {
	for _, c := range l {
		if c.text != " " {
			return false
		}
	}
	return true
}

// joined is cells as a row.
func joined(lead string, l []cell) row {
	var r row
	if lead != "" {
		r = append(r, span{lead, noInk})
	}
	for i := 0; i < len(l); {
		var b strings.Builder
		how := l[i].ink
		for ; i < len(l) && l[i].ink == how; i++ {
			b.WriteString(l[i].text)
		}
		r = append(r, span{b.String(), how})
	}
	return r
}
