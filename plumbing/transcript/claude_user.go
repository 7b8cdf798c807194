package transcript

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// said collects the content of one user line under who it comes from.
type said struct {
	results    []any // from tools
	typed      []any
	made       []any // what a program wrote
	files      []any // images and documents, before it is known whose
	left       leftovers
	typedFirst bool // the first words of the line were typed
	sure       bool // the client itself says whether they were
	open       bool // a wrapper of an earlier block was not closed
}

// part is one of the records that a line becomes.
type part struct {
	role, origin string
	content      []any
}

// user makes the records of a user line: tool results, typed words, a
// program's words, or two of these.
func (r *claudeRun) user(p parsed, m object) error {
	parts, left := r.parts(p, m)
	if len(parts) == 0 {
		return r.foreign(p)
	}
	for i, part := range parts {
		rec := r.base(p, nil)
		if i == 0 {
			rec.Foreign = remains(p.object, m, left)
		}
		if len(parts) > 1 {
			rec.Split = &split{Part: i + 1, Parts: len(parts)}
		}
		rec.Content, rec.Origin, rec.Role, rec.Type = part.content, part.origin, part.role, typeMessage
		if err := r.e.put(rec, p.at); err != nil {
			return err
		}
	}
	if len(parts) > 1 {
		r.e.report.SplitLines++
	}
	return nil
}

// parts sorts the content of a user line by who it comes from. What stands
// beside a tool result is never typed: a prompt for a compaction, a reminder.
func (r *claudeRun) parts(p parsed, m object) ([]part, leftovers) {
	items, _ := m.array("content")
	s := &said{}
	typed, sure := r.typed(p)
	typed = typed && !hasResult(items)
	s.sure = sure
	if text, ok := m.str("content"); ok {
		s.words(text, typed)
	}
	for _, v := range items {
		r.userBlock(s, v, typed)
	}
	return s.parts(typed), s.left
}

// parts is at most two: files go with the typed words, or with whatever else there is.
func (s *said) parts(typed bool) []part {
	if typed && (len(s.typed) > 0 || len(s.made) == 0) {
		s.typed = append(s.typed, s.files...)
	} else {
		s.made = append(s.made, s.files...)
	}
	var out []part
	add := func(role, origin string, content []any) {
		if len(content) > 0 {
			out = append(out, part{role, origin, content})
		}
	}
	add(roleTool, originGenerated, s.results)
	if s.typedFirst {
		add(roleUser, originUser, s.typed)
	}
	add(roleUser, originSynthetic, s.made)
	if !s.typedFirst {
		add(roleUser, originUser, s.typed)
	}
	return out
}

// words files a text under who it comes from.
func (s *said) words(text string, typed bool) {
	if text == "" {
		return
	}
	if !typed || s.open {
		s.made = append(s.made, textBlock{text, blockText})
		return
	}
	pieces, open := splitWords(text, s.sure)
	s.open = open
	for _, w := range pieces {
		if w.made {
			s.made = append(s.made, textBlock{w.text, blockText})
			continue
		}
		s.typedFirst = s.typedFirst || len(s.made) == 0
		s.typed = append(s.typed, textBlock{w.text, blockText})
	}
}

// userBlock files one block of a user line.
func (r *claudeRun) userBlock(s *said, v jsontext.Value, typed bool) {
	o := decodeObject(v)
	if o.text("type") == "text" && o.ptr("text") != nil {
		s.words(o.text("text"), typed)
		s.left.add(o.without("type", "text"))
		return
	}
	if o.text("type") == "tool_result" {
		b, rest := r.result(o)
		s.results = append(s.results, b)
		s.left.add(rest)
		return
	}
	if f, rest := claudeFile(o); f != nil {
		s.files = append(s.files, f)
		s.left.add(rest)
		return
	}
	count(r.e.report.UnknownBlocks, o.text("type"))
	s.left.whole(v)
}

// hasResult reports whether a tool result is among the blocks.
func hasResult(items []jsontext.Value) bool {
	for _, v := range items {
		if decodeObject(v).text("type") == "tool_result" {
			return true
		}
	}
	return false
}

// result reads a tool result: text, text and images, or nothing.
func (r *claudeRun) result(o object) (resultBlock, object) {
	b := resultBlock{Files: []fileBlock{}, ID: o.ptr("tool_use_id"), IsError: o.yes("is_error"), Type: blockResult}
	if b.ID != nil {
		if name, ok := r.names.get(*b.ID); ok {
			b.Name = &name
		}
	}
	rest := o.without("type")
	if b.ID != nil {
		rest = rest.without("tool_use_id")
	}
	if k := o["is_error"].Kind(); k == 't' || k == 'f' {
		rest = rest.without("is_error")
	}
	switch o["content"].Kind() {
	case '"':
		b.Text = o.text("content")
		rest = rest.without("content")
	case '[':
		rest = rest.with("content", r.resultItems(&b, o))
	}
	if strings.HasPrefix(strings.TrimSpace(b.Text), "<persisted-output>") {
		r.e.report.External++
	}
	return b, rest
}

// resultItems reads the items of a tool result into b: its texts, a line end
// between two, and its images. It returns what is left over.
func (r *claudeRun) resultItems(b *resultBlock, o object) any {
	var texts []string
	var left leftovers
	items, _ := o.array("content")
	for _, v := range items {
		item := decodeObject(v)
		if item.text("type") == "text" && item.ptr("text") != nil {
			texts = append(texts, item.text("text"))
			left.add(item.without("type", "text"))
			continue
		}
		if f, rest := claudeFile(item); f != nil {
			b.Files = append(b.Files, f.(fileBlock))
			left.add(rest)
			continue
		}
		count(r.e.report.UnknownBlocks, "tool_result/"+item.text("type"))
		left.whole(v)
	}
	b.Text = strings.Join(texts, "\n")
	return left.value()
}
