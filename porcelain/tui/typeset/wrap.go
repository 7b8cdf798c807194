package typeset

import "strings"

// Wrap breaks a text into rows of a width: at spaces where there are any, else
// within a word. Newlines break too; tabs become spaces. The rows begin with
// first and later with next, which are as wide as each other or narrower.
func Wrap(text Row, width int, first, next Row) []Row {
	w := wrapper{width: max(1, width), next: next}
	w.begin(next)
	w.room = w.width - w.at
	w.begin(first)
	w.room = min(w.room, w.width-w.at)
	for _, s := range text {
		for i, part := range strings.Split(s.Text, "\n") {
			if i > 0 {
				w.newline()
			}
			w.add(part, s.Ink)
		}
	}
	w.settle()
	w.rows = append(w.rows, w.row)
	return w.rows
}

// wrapper lays out a word at a time: word waits until it is known whether it fits.
type wrapper struct {
	width int
	next  Row
	room  int // columns that a word has at most
	rows  []Row

	row    Row
	at     int // columns of row
	margin int // columns of what the row began with
	word   Row
	wide   int // columns of word
}

func (w *wrapper) begin(with Row) {
	w.row = append(Row(nil), with...)
	w.at = w.row.Columns()
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

func (w *wrapper) add(text string, i Ink) {
	start := 0
	flush := func(end int) {
		if end > start {
			w.word = append(w.word, i.Of(text[start:end]))
		}
		start = end
	}
	for at := 0; at < len(text); {
		first, n := Cluster(text[at:])
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
			w.word, w.wide = append(w.word, i.Of("…")), w.wide+1
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
func (w *wrapper) space(s string, i Ink) {
	n := 1
	if s == "\t" {
		n = TabStop - (w.at-w.margin)%TabStop
	}
	if w.at+n > w.width {
		return
	}
	w.row = append(w.row, i.Of(strings.Repeat(" ", n)))
	w.at += n
}

// trim takes the spaces off the end of a row that is broken there. A row of
// nothing else keeps them: it is the beginning of an indented line.
func (w *wrapper) trim() {
	end := len(w.row)
	for end > 0 && strings.TrimLeft(w.row[end-1].Text, " ") == "" {
		end--
	}
	if w.row[:end].Columns() > w.margin {
		w.row = w.row[:end]
	}
}

// settle puts the word into the row, or into the next one.
func (w *wrapper) settle() {
	if len(w.word) == 0 {
		return
	}
	if w.at+w.wide > w.width && w.at > w.margin {
		w.trim()
		w.turn()
	}
	w.row = append(w.row, w.word...)
	w.at += w.wide
	w.word, w.wide = nil, 0
}
