package tui

import (
	"html"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// reader parses CommonMark with tables, strike-through and lists of things to
// do. Definitions of links stay text: they would be hidden.
var reader = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...), parser.WithInlineParsers(parser.DefaultInlineParsers()...))
	goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList))
	return p
})

// maxNested is how deep blocks and inlines are followed; what is deeper is shown as it was written.
const maxNested = 24

// markdown lays out a text. HTML is shown as it was written; nothing is dropped
// but the marks themselves. The rows are at most width wide, and there are none
// for a text without words.
func markdown(source string, width int) []typeset.Row {
	p := &sheet{source: []byte(source), width: max(1, width)}
	p.blocks(reader().Parse(text.NewReader(p.source)), nil, nil, false)
	return p.rows
}

// sheet is a text on its way to rows.
type sheet struct {
	source []byte
	width  int
	rows   []typeset.Row
	depth  int
}

// blocks lays out the blocks in a node. first begins its first row, next all others.
func (p *sheet) blocks(parent ast.Node, first, next typeset.Row, tight bool) {
	if p.depth++; p.depth > maxNested {
		p.literal(parent, first, next)
		p.depth--
		return
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if n.PreviousSibling() != nil && !tight {
			p.gap(next)
		}
		p.block(n, first, next)
		first = next
	}
	p.depth--
}

// gap is a row with nothing but the margin, where there is room for that.
func (p *sheet) gap(margin typeset.Row) {
	if margin = bare(margin); margin.Columns() > p.width {
		margin = nil
	}
	p.rows = append(p.rows, margin)
}

// bare is a margin without the space at its end.
func bare(r typeset.Row) typeset.Row {
	if len(r) == 0 || strings.TrimSpace(r[len(r)-1].Text) != "" {
		return r
	}
	return slices.Clone(r[:len(r)-1])
}

func (p *sheet) block(n ast.Node, first, next typeset.Row) {
	switch n := n.(type) {
	case *ast.Heading:
		spans := slices.Insert(p.inline(n, typeset.Bold), 0, typeset.Faint.Of(strings.Repeat("#", n.Level)+" "))
		p.wrap(spans, first, next)
	case *ast.Blockquote:
		bar := typeset.Faint.Of("│ ")
		p.blocks(n, append(slices.Clone(first), bar), append(slices.Clone(next), bar), false)
	case *ast.List:
		p.list(n, first, next)
	case *ast.FencedCodeBlock:
		info := ""
		if n.Info != nil {
			info = string(n.Info.Segment.Value(p.source))
		}
		p.code(n, info, first, next)
	case *ast.CodeBlock:
		p.code(n, "", first, next)
	case *ast.HTMLBlock:
		p.literal(n, first, next)
	case *ast.ThematicBreak:
		p.wrap(typeset.Faint.Row(strings.Repeat("─", max(1, min(24, p.width-next.Columns())))), first, next)
	default:
		if t, ok := tableOf(n); ok {
			p.table(t, first, next)
			return
		}
		if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
			p.blocks(n, first, next, false)
			return
		}
		p.wrap(p.inline(n, typeset.None), first, next)
	}
}

func (p *sheet) wrap(spans typeset.Row, first, next typeset.Row) {
	p.rows = append(p.rows, typeset.Wrap(spans, p.width, first, next)...)
}

func (p *sheet) list(l *ast.List, first, next typeset.Row) {
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = p.number(item, numbered(number, l)) + " "
			number++
		}
		if item.PreviousSibling() != nil && !l.IsTight {
			p.gap(next)
		}
		under := append(slices.Clone(next), typeset.None.Of(strings.Repeat(" ", len([]rune(mark)))))
		over := append(slices.Clone(first), typeset.Cyan.Of(mark))
		if item.FirstChild() == nil {
			p.wrap(nil, over, under)
		}
		p.blocks(item, over, under, l.IsTight)
		first = next
	}
}

// code shows code line by line, below what the fence says of it beyond the name
// of a language. A diff is coloured.
func (p *sheet) code(n ast.Node, info string, first, next typeset.Row) {
	bar := typeset.Faint.Of("▏ ")
	first, next = append(slices.Clone(first), bar), append(slices.Clone(next), bar)
	language, more, _ := strings.Cut(strings.TrimSpace(info), " ")
	if more != "" || strings.ContainsAny(language, "./{=:") {
		p.wrap(typeset.Faint.Row(typeset.Line(info)), first, next)
		first = next
	}
	lines := n.Lines()
	for i := range lines.Len() {
		seg := lines.At(i)
		l := strings.TrimRight(typeset.Clean(string(seg.Value(p.source))), "\n")
		i := typeset.Cyan
		if language == "diff" || language == "patch" {
			i = diffInk(l)
		}
		p.wrap(i.Row(l), first, next)
		first = next
	}
	if lines.Len() == 0 {
		p.wrap(nil, first, next)
	}
}

// literal shows a block as it was written.
func (p *sheet) literal(n ast.Node, first, next typeset.Row) {
	var b strings.Builder
	if n.Type() == ast.TypeBlock {
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			b.Write(seg.Value(p.source))
		}
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		b.Write(h.ClosureLine.Value(p.source))
	}
	if from, to := p.extent(n); b.Len() == 0 && from >= 0 { // it has no lines of its own
		b.Write(p.source[from:to])
	}
	p.wrap(typeset.None.Row(strings.TrimRight(typeset.Clean(b.String()), "\n")), first, next)
}

// inline is the text in a block.
func (p *sheet) inline(parent ast.Node, i typeset.Ink) typeset.Row {
	var spans typeset.Row
	if p.depth++; p.depth <= 2*maxNested {
		for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
			spans = append(spans, p.piece(n, i)...)
		}
	} else if from, to := p.extent(parent); from >= 0 {
		spans = typeset.Row{i.Of(inlineText(p.source[from:to]))}
	}
	p.depth--
	return spans
}

func (p *sheet) piece(n ast.Node, i typeset.Ink) typeset.Row {
	switch n := n.(type) {
	case *ast.Text:
		t := p.resolve(n)
		switch {
		case n.HardLineBreak():
			t += "\n"
		case n.SoftLineBreak():
			t += " "
		}
		return i.Row(t)
	case *ast.String:
		return i.Row(inlineText(n.Value))
	case *ast.CodeSpan:
		return p.inline(n, i.And(typeset.Cyan))
	case *ast.Emphasis:
		if n.Level > 1 {
			return p.inline(n, i.And(typeset.Bold))
		}
		return p.inline(n, i.And(typeset.Italic))
	case *ast.Link:
		return p.link(p.inline(n, i.And(typeset.Blue)), n.Destination, n.Title)
	case *ast.Image:
		return p.link(append(i.Row("image: "), p.inline(n, i.And(typeset.Blue))...), n.Destination, n.Title)
	case *ast.AutoLink:
		return i.And(typeset.Blue).Row(inlineText(n.Label(p.source)))
	case *ast.RawHTML:
		var b strings.Builder
		for j := range n.Segments.Len() {
			seg := n.Segments.At(j)
			b.Write(seg.Value(p.source))
		}
		return i.Row(inlineText([]byte(b.String())))
	}
	return p.extended(n, i)
}

// link is the words of a link, and where it goes unless that is what they say, with its title.
func (p *sheet) link(words typeset.Row, to, title []byte) typeset.Row {
	var said strings.Builder
	for _, w := range words {
		said.WriteString(w.Text)
	}
	behind := resolved(to)
	if said.String() == behind {
		behind = ""
	}
	if title := resolved(title); title != "" {
		behind = strings.TrimSpace(behind + ` "` + title + `"`)
	}
	if behind != "" {
		words = append(words, typeset.Faint.Of(" ("+behind+")"))
	}
	return words
}

// resolve is what a text says once escapes and entities are read; in code nothing is either.
func (p *sheet) resolve(n *ast.Text) string {
	value := n.Segment.Value(p.source)
	if _, code := n.Parent().(*ast.CodeSpan); code || n.IsRaw() {
		return inlineText(value)
	}
	return resolved(value)
}

// resolved reads escapes and entities, which may name any character: so what
// comes of it is made visible, not what was written.
func resolved(value []byte) string {
	var b strings.Builder
	for i := 0; i < len(value); {
		switch end := entity(value[i:]); {
		case value[i] == '\\' && i+1 < len(value) && util.IsPunct(value[i+1]):
			b.WriteByte(value[i+1])
			i += 2
		case end > 0:
			b.WriteString(html.UnescapeString(string(value[i : i+end])))
			i += end
		default:
			b.WriteByte(value[i])
			i++
		}
	}
	return inlineText([]byte(b.String()))
}

// entity is the length of an entity that value begins with; 0: it begins with none.
func entity(value []byte) int {
	if value[0] != '&' {
		return 0
	}
	for i, c := range value {
		switch {
		case c == ';':
			return i + 1
		case i > 32 || i > 0 && c != '#' && !util.IsAlphaNumeric(c):
			return 0
		}
	}
	return 0
}

// inlineText is text within a line: a newline that an entity or code brings is a space.
func inlineText(value []byte) string {
	return strings.ReplaceAll(typeset.Clean(string(value)), "\n", " ")
}
