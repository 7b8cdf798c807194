package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/source"
)

// recallFact shows a page of what a fact stands on.
func recallFact(ctx context.Context, d Deps, args []string) (Answer, error) {
	from, err := offset(args, 1)
	if err != nil {
		return Answer{}, err
	}
	page, err := recall.Fact(ctx, recall.Deps{Facts: d.Facts, Sources: d.Sources}, args[0], from, recall.DefaultLimit)
	return d.evidence(page, "recall "+args[0]), err
}

// read shows a page of a range of a session.
func read(ctx context.Context, d Deps, args []string) (Answer, error) {
	start, end, err := bounds(args[1], args[2])
	if err != nil {
		return Answer{}, err
	}
	from, err := offset(args, 3)
	if err != nil {
		return Answer{}, err
	}
	page, err := recall.Range(ctx, recall.Deps{Facts: d.Facts, Sources: d.Sources}, args[0], start, end, from, recall.DefaultLimit)
	return d.evidence(page, strings.Join(append([]string{"read"}, args[:3]...), " ")), err
}

// bounds reads the first and the last seq of a range.
func bounds(first, last string) (start, end int64, err error) {
	if start, err = number("start-seq", first, 1); err != nil {
		return 0, 0, err
	}
	end, err = number("end-seq", last, 1)
	return start, end, err
}

// evidence is a page as an answer; again is the words that asked for it.
func (d Deps) evidence(found recall.Page, again string) Answer {
	return Answer{Value: found, No: found.Status != source.Valid, print: func(p *page) {
		p.evidence(found)
		if found.NextOffset != nil {
			p.line("", "", "more: "+d.Call.line(fmt.Sprintf("%s %d", again, *found.NextOffset)), dim)
		}
	}}
}

// evidence writes what was asked about, whether it holds, and the records.
func (p *page) evidence(e recall.Page) {
	head := "a range of a session"
	if e.FactID != nil {
		head = "fact " + oneLine(*e.FactID)
		if e.Revision != nil {
			head += fmt.Sprintf(", revision %d", *e.Revision)
		}
	}
	p.line("", "  ", head, bold)
	if e.Status != source.Valid {
		p.line("", "", fmt.Sprintf("Its evidence does not hold (%s), so nothing of it is told.", e.Status), red)
	}
	if e.FactText != nil {
		text := *e.FactText
		if e.FactTextTruncated != nil && *e.FactTextTruncated {
			text += "…"
		}
		p.text("  | ", text, "", nil)
	}
	if e.Source != nil {
		p.line("", "  ", fmt.Sprintf("session %s, %s", oneLine(e.Source.SessionID), Records(e.Source.Seqs)), dim)
		p.line("", "  ", e.Source.Digest, dim)
	}
	if e.SourceText != nil {
		p.records(*e.SourceText, e.Offset == 0 && e.NextOffset == nil)
	}
}

// records writes the records of a whole page one by one, and a part of the
// array as it is: pages are put together before they are taken apart.
func (p *page) records(array string, whole bool) {
	if !whole || !gjson.Valid(array) {
		p.text("", array, "", nil)
		return
	}
	gjson.Parse(array).ForEach(func(_, r gjson.Result) bool {
		m := Message{Seq: r.Get("seq").Int(), Role: r.Get("role").Str, Origin: r.Get("origin").Str}
		if t := r.Get("time"); t.Exists() {
			m.Time = &t.Str
		}
		p.line("  ", "    ", fmt.Sprintf("%d  %s, %s", m.Seq, m.Speaker(), When(m.Time)), bold)
		r.Get("content").ForEach(func(_, block gjson.Result) bool {
			p.text("    ", blockText(block), "", nil)
			return true
		})
		return true
	})
}

// blockText is a content block as a person reads it; what holds no text is shown as JSON.
func blockText(block gjson.Result) string {
	switch block.Get("type").Str {
	case "text":
		return block.Get("text").Str
	case "tool_call":
		return "calls " + block.Get("name").Str + " " + block.Get("arguments").Raw
	case "tool_result":
		failed := ""
		if block.Get("is_error").Bool() {
			failed = " failed"
		}
		return block.Get("name").Str + failed + " says:\n" + block.Get("text").Str
	}
	return prompt.Show(block.Raw)
}
