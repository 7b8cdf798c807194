package memory

import (
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing/usage"
)

// Paper is what the agent's other commands write on, so that their pages look
// like those of the memory. Whatever is written has gone through prompt.Show.
type Paper struct{ p page }

// NewPaper is an empty page.
func NewPaper(s Style) *Paper { return &Paper{page{s: s}} }

// String is what was written; it ends with a newline where it is not empty.
func (w *Paper) String() string { return w.p.String() }

// Head, Line and Faint write one line, as many as the width needs; its parts
// but the first are indented.
func (w *Paper) Head(text string)  { w.p.line("", "  ", oneLine(text), bold) }
func (w *Paper) Line(text string)  { w.p.line("", "  ", oneLine(text), "") }
func (w *Paper) Faint(text string) { w.p.line("", "  ", oneLine(text), dim) }

// Under writes one line below another, indented.
func (w *Paper) Under(text string) { w.p.line("      ", "      ", oneLine(text), dim) }

// Text writes a text line by line, as it is.
func (w *Paper) Text(text string) {
	w.p.text("", strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "", nil)
}

// Entry writes a line with its name in front.
func (w *Paper) Entry(name, text string) { w.p.entry(name, text, "") }

// Rows writes a table; a title that ends in ">" stands at the right, and the
// last column takes what room is left.
func (w *Paper) Rows(titles []string, cells [][]string) {
	head := make([]column, len(titles))
	for i, t := range titles {
		name, right := strings.CutSuffix(t, ">")
		head[i] = column{name, right}
	}
	for _, row := range cells {
		for i, cell := range row {
			row[i] = oneLine(cell)
		}
	}
	w.p.rows(head, cells)
}

// Spent is totals in words: what is unknown is said, never shown as nothing.
func Spent(t usage.Totals) string { return spent(t) }

// Age is how long ago something was, as people say it.
func Age(now, then time.Time) string { return age(now, then) }
