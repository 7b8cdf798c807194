package memory

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
)

// Hits is what a search found, at most note.MaxHits.
type Hits struct {
	Matches   []note.Match
	Truncated bool // there are more
}

// search looks for a regular expression in every note.
func search(ctx context.Context, d Deps, args []string) (Answer, error) {
	found, err := d.Notes.Search(ctx, args[0], note.SearchOptions{Limit: note.MaxHits})
	if err != nil {
		return Answer{}, err
	}
	hits := Hits{found.Matches, found.Truncated}
	a := Answer{Value: hits, No: len(hits.Matches) == 0, Warnings: skipped(found.Skipped)}
	a.print = func(p *page) {
		if a.No {
			p.line("", "", "Nothing in the notes matches. Facts are listed by "+d.Call.line("facts")+".", "")
		}
		expression, err := regexp.Compile(args[0])
		if err != nil { // the store's dialect is Go's; where it is not, nothing is marked
			expression = regexp.MustCompile(`$^`)
		}
		for _, m := range hits.Matches {
			p.match(m, expression)
		}
		if hits.Truncated {
			p.line("", "", fmt.Sprintf("[there are more than %d matches; a narrower pattern shows the others]", len(hits.Matches)), dim)
		}
	}
	return a, nil
}

// match writes a match on one line behind its file and line, or below them
// where little room is left, cut so that the first hit in it is seen.
func (p *page) match(m note.Match, expression *regexp.Regexp) {
	lead := fmt.Sprintf("%s:%d: ", oneLine(m.File), m.Line)
	room := p.width() - columns(lead)
	if room < leastText {
		p.line("", "  ", strings.TrimSuffix(lead, ": "), dim)
		lead, room = "  ", p.width()-2
	}
	p.WriteString(p.paint(dim, lead))
	for _, s := range window(spans(m.Text, expression), room) {
		code := ""
		if s.hit {
			code = hit
		}
		p.WriteString(p.paint(code, s.text))
	}
	p.WriteString("\n")
}

// span is a piece of a line as it is shown.
type span struct {
	text string
	hit  bool
}

// spans takes a line apart into what matches and what does not.
func spans(line string, expression *regexp.Regexp) []span {
	line = strings.TrimSuffix(line, "\r")
	var list []span
	at := 0
	for _, m := range expression.FindAllStringIndex(line, -1) {
		if m[0] == m[1] {
			continue
		}
		list = append(list, span{text: line[at:m[0]]}, span{line[m[0]:m[1]], true})
		at = m[1]
	}
	list = append(list, span{text: line[at:]})
	for i := range list {
		list[i].text = strings.ReplaceAll(strings.ReplaceAll(prompt.Show(list[i].text), "\t", "    "), "\n", " ")
	}
	return list
}

// window keeps the part of a line that fits into room columns, with the first
// hit in it and a third of the room before that.
func window(list []span, room int) []span {
	total, before := 0, 0
	for i, s := range list {
		if i == 0 {
			before = columns(s.text)
		}
		total += columns(s.text)
	}
	if total <= room {
		return list
	}
	if len(list) > 1 && before > room/3 {
		list[0].text = cutFront(list[0].text, room/3)
	}
	var kept []span
	for _, s := range list {
		n := columns(s.text)
		if n > room || n == room && s != list[len(list)-1] {
			s.text = cut(s.text+" ", room)
			return append(kept, s)
		}
		room -= n
		kept = append(kept, s)
	}
	return kept
}
