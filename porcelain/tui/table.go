package tui

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

func tableOf(n ast.Node) (*east.Table, bool) {
	t, ok := n.(*east.Table)
	return t, ok
}

// extended is the text of what the extensions of CommonMark bring.
func (p *sheet) extended(n ast.Node, i typeset.Ink) typeset.Row {
	switch n := n.(type) {
	case *east.Strikethrough:
		return p.inline(n, i.And(typeset.Struck))
	case *east.TaskCheckBox:
		if n.IsChecked {
			return typeset.Green.Row("[x] ")
		}
		return i.Row("[ ] ")
	}
	return p.inline(n, i)
}

// table lays a table out in columns, or where they do not fit a cell a line.
func (p *sheet) table(t *east.Table, first, next typeset.Row) {
	if source, ragged := p.ragged(t); ragged {
		p.wrap(typeset.None.Row(typeset.Clean(source)), first, next)
		return
	}
	var cells [][]typeset.Row
	var widths []int
	for line := t.FirstChild(); line != nil; line = line.NextSibling() {
		var of []typeset.Row
		i := typeset.None
		if _, head := line.(*east.TableHeader); head {
			i = typeset.Bold
		}
		for cell := line.FirstChild(); cell != nil; cell = cell.NextSibling() {
			r := oneRow(p.inline(cell, i))
			if len(of) == len(widths) {
				widths = append(widths, 0)
			}
			widths[len(of)] = max(widths[len(of)], r.Columns())
			of = append(of, r)
		}
		cells = append(cells, of)
	}
	all := next.Columns() + 2*max(0, len(widths)-1)
	for _, w := range widths {
		all += w
	}
	if all > p.width || first.Columns() > next.Columns() {
		p.listed(cells, first, next)
		return
	}
	for n, of := range cells {
		r := slices.Clone(first)
		for i, c := range of {
			pad := widths[i] - c.Columns()
			if i < len(t.Alignments) && t.Alignments[i] == east.AlignRight {
				r = append(r, typeset.None.Of(strings.Repeat(" ", pad)))
				pad = 0
			}
			r = append(r, c...)
			if i < len(of)-1 {
				r = append(r, typeset.None.Of(strings.Repeat(" ", pad+2)))
			}
		}
		p.rows = append(p.rows, r)
		if first = next; n == 0 {
			p.rows = append(p.rows, append(slices.Clone(next), typeset.Faint.Of(strings.Repeat("─", all-next.Columns()))))
		}
	}
}

// listed shows each line of a table as its cells, one below the other.
func (p *sheet) listed(cells [][]typeset.Row, first, next typeset.Row) {
	for n, of := range cells[min(1, len(cells)-1):] {
		if n > 0 {
			p.gap(next)
		}
		for i, c := range of {
			var spans typeset.Row
			if len(cells) > 1 && i < len(cells[0]) && len(cells[0][i]) > 0 {
				spans = append(slices.Clone(cells[0][i]), typeset.Faint.Of(": "))
			}
			p.wrap(append(spans, c...), first, append(slices.Clone(next), typeset.None.Of("  ")))
			first = next
		}
	}
}

// oneRow is spans in one row, without tabs.
func oneRow(spans typeset.Row) typeset.Row {
	r := make(typeset.Row, 0, len(spans))
	for _, s := range spans {
		r = append(r, s.Ink.Of(typeset.Untab(strings.ReplaceAll(s.Text, "\n", " "), 0)))
	}
	return r
}
