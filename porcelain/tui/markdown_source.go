package tui

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// extent is where a node's own text lies in the source, the marks of its
// containers left out; from is below 0 where it has none.
func (p *sheet) extent(n ast.Node) (from, to int) {
	from = -1
	add := func(start, stop int) {
		if start < stop && (from < 0 || start < from) {
			from = start
		}
		to = max(to, stop)
	}
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if n.Type() == ast.TypeBlock {
			for i := range n.Lines().Len() {
				add(n.Lines().At(i).Start, n.Lines().At(i).Stop)
			}
		} else if t, ok := n.(*ast.Text); ok {
			add(t.Segment.Start, t.Segment.Stop)
		}
		return ast.WalkContinue, nil
	})
	return from, to
}

// number is the mark of an item of a numbered list as it was written; other
// where that cannot be told.
func (p *sheet) number(item ast.Node, other string) string {
	from, _ := p.extent(item)
	if from < 0 {
		return other
	}
	before := bytes.TrimRight(p.source[:from], " \t")
	end := len(before)
	if end == 0 || before[end-1] != '.' && before[end-1] != ')' {
		return other
	}
	start := end - 1
	for start > 0 && before[start-1] >= '0' && before[start-1] <= '9' {
		start--
	}
	if start == end-1 {
		return other
	}
	return string(before[start:end])
}

// numbered is the mark of an item that comes behind another one.
func numbered(n int, l *ast.List) string { return fmt.Sprintf("%d%c", n, l.Marker) }

// ragged is a table as it was written, where a line has more cells than the
// table has columns: those are not read otherwise.
func (p *sheet) ragged(t *east.Table) (source string, ok bool) {
	from, to := p.extent(t)
	if from < 0 {
		return "", false
	}
	from = bytes.LastIndexByte(p.source[:from], '\n') + 1
	if i := bytes.IndexByte(p.source[to:], '\n'); i >= 0 {
		to += i
	} else {
		to = len(p.source)
	}
	source = string(p.source[from:to])
	for l := range strings.Lines(source) {
		if cells(l) > len(t.Alignments) {
			ok = true
		}
	}
	return source, ok
}

// cells is how many cells a line of a table has.
func cells(l string) int {
	l = strings.ReplaceAll(strings.TrimLeft(strings.TrimSpace(l), "> "), `\|`, "")
	return strings.Count(strings.TrimSuffix(strings.TrimPrefix(l, "|"), "|"), "|") + 1
}
