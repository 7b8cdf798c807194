package tui

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

func tableOf(n ast.Node) (*east.Table, bool) {
	t, ok := n.(*east.Table)
	return t, ok
}

// extended is the text of what the extensions of CommonMark bring.
func (p *sheet) extended(n ast.Node, i ink) []span {
	switch n := n.(type) {
	case *east.Strikethrough:
		return p.inline(n, i.and(struck))
	case *east.TaskCheckBox:
		if n.IsChecked {
			return []span{{"[x] ", green}}
		}
		return []span{{"[ ] ", i}}
	}
	return p.inline(n, i)
}

// table lays a table out in columns, or where they do not fit a cell a line.
func (p *sheet) table(t *east.Table, first, next row) {
	var cells [][]row
	var widths []int
	for line := t.FirstChild(); line != nil; line = line.NextSibling() {
		var of []row
		i := noInk
		if _, head := line.(*east.TableHeader); head {
			i = bold
		}
		for cell := line.FirstChild(); cell != nil; cell = cell.NextSibling() {
			r := oneRow(p.inline(cell, i))
			if len(of) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(of)] = max(widths[len(of)], r.columns())
			of = append(of, r)
		}
		cells = append(cells, of)
	}
	all := next.columns() + 2*max(0, len(widths)-1)
	for _, w := range widths {
		all += w
	}
	if all > p.width || first.columns() > next.columns() {
		p.listed(cells, first, next)
		return
	}
	for n, of := range cells {
		r := slices.Clone(first)
		for i, c := range of {
			pad := widths[i] - c.columns()
			if i < len(t.Alignments) && t.Alignments[i] == east.AlignRight {
				r = append(r, span{strings.Repeat(" ", pad), noInk})
				pad = 0
			}
			r = append(r, c...)
			if i < len(of)-1 {
				r = append(r, span{strings.Repeat(" ", pad+2), noInk})
			}
		}
		p.rows = append(p.rows, r)
		if first = next; n == 0 {
			p.rows = append(p.rows, append(slices.Clone(next), span{strings.Repeat("─", all-next.columns()), faint}))
		}
	}
}

// listed shows each line of a table as its cells, one below the other.
func (p *sheet) listed(cells [][]row, first, next row) {
	for n, of := range cells[min(1, len(cells)-1):] {
		if n > 0 {
			p.rows = append(p.rows, bare(next))
		}
		for i, c := range of {
			var spans []span
			if len(cells) > 1 && i < len(cells[0]) && len(cells[0][i]) > 0 {
				spans = append(slices.Clone(cells[0][i]), span{": ", faint})
			}
			p.wrap(append(spans, c...), first, append(slices.Clone(next), span{"  ", noInk}))
			first = next
		}
	}
}

// oneRow is spans in one row, without tabs.
func oneRow(spans []span) row {
	r := make(row, 0, len(spans))
	for _, s := range spans {
		r = append(r, span{untab(strings.ReplaceAll(s.text, "\n", " "), 0), s.ink})
	}
	return r
}
