package tui

import "strings"

// wrap breaks spans into rows of a width: at spaces where there are any, else
// within a word. Newlines break too; tabs become spaces. The rows begin with
// first and later with next, which are as wide as each other or narrower.
func wrap(spans []span, width int, first, next row) []row {
	w := wrapper{width: max(1, width), next: next}
	w.begin(next)
	w.room = w.width - w.at
	w.begin(first)
	w.room = min(w.room, w.width-w.at)
	for _, s := range spans {
		for i, part := range strings.Split(s.text, "\n") {
			if i > 0 {
				w.newline()
			}
			w.add(part, s.ink)
		}
	}
	w.settle()
	w.rows = append(w.rows, w.row)
	return w.rows
}

// wrapText is wrap for text of one ink.
func wrapText(text string, i ink, width int) []row {
	return wrap([]span{{text, i}}, width, nil, nil)
}

// wrapper lays out a word at a time: word waits until it is known whether it fits.
type wrapper struct {
	width int
	next  row
	room  int // columns that a word has at most
	rows  []row

	row    row
	at     int // columns of row
	margin int // columns of what the row began with
	word   row
	wide   int // columns of word
}

func (w *wrapper) begin(with row) {
	w.row = append(row(nil), with...)
	w.at = w.row.columns()
	if w.at+2 > w.width { // no room for a margin and a wide character
		w.row, w.at = nil, 0
	}
	w.margin = w.at
}

func (w *wrapper) newline() {
	w.settle()
	w.turn()
}

// turn ends the row.
func (w *wrapper) turn() {
	w.rows = append(w.rows, w.row)
	w.begin(w.next)
}

func (w *wrapper) add(text string, i ink) {
	start := 0
	flush := func(end int) {
		if end > start {
			w.word = append(w.word, span{text[start:end], i})
		}
		start = end
	}
	for at := 0; at < len(text); {
		first, n := cluster(text[at:])
		switch {
		case first == " " || first == "\t":
			flush(at)
			w.settle()
			w.space(first, i)
			start = at + len(first)
		case n > w.room: // not even alone
			flush(at)
			if w.wide+1 > w.room {
				w.settle()
			}
			w.word, w.wide = append(w.word, span{"…", i}), w.wide+1
			start = at + len(first)
		case w.wide+n > w.room: // a word that no row holds
			flush(at)
			w.settle()
			w.wide = n
		default:
			w.wide += n
		}
		at += len(first)
	}
	flush(len(text))
}

// space puts a space behind what is there; at the end of a row the break stands for it.
func (w *wrapper) space(s string, i ink) {
	n := 1
	if s == "\t" {
		n = tabStop - (w.at-w.margin)%tabStop
	}
	if w.at+n > w.width {
		return
	}
	w.row = append(w.row, span{strings.Repeat(" ", n), i})
	w.at += n
}

// settle puts the word into the row, or into the next one.
func (w *wrapper) settle() {
	if len(w.word) == 0 {
		return
	}
	if w.at+w.wide > w.width && w.at > w.margin {
		w.turn()
	}
	w.row = append(w.row, w.word...)
	w.at += w.wide
	w.word, w.wide = nil, 0
}
