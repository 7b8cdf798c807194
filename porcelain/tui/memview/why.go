package memview

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// newWhy shows the quoted words of a fact in their place in the transcript, and
// why they do not hold where they do not.
func newWhy(id string) *sheet {
	s := &sheet{name: "why " + id, keys: []hint{{"c", "correct"}, {"f", "forget"}, {"r", "recall"}}}
	s.begin = func(v *View) tea.Cmd {
		return read(v, s, "looking where it was said", func(ctx context.Context) (memory.Reason, error) {
			return v.d.Why(ctx, id)
		}, func(r memory.Reason, err error) tea.Cmd {
			s.put(func(width int) []typeset.Row { return whyRows(r, err, v.d.Colour, width) })
			return nil
		})
	}
	s.on = func(v *View, k press) tea.Cmd {
		if k.name == "enter" || k.name == "w" {
			return nil
		}
		return factKey(v, k.name, id)
	}
	return s
}

func whyRows(r memory.Reason, err error, colour bool, width int) []typeset.Row {
	if err != nil {
		return failed(err, width)
	}
	return pageRows(r.Print(memory.Style{Width: width, Colour: colour}), width)
}

// pageRows is a page that package memory has written.
func pageRows(page string, width int) []typeset.Row {
	page, more := cut(page, maxShown)
	var rows []typeset.Row
	for l := range strings.SplitSeq(strings.TrimRight(page, "\n"), "\n") {
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		rows = append(rows, typeset.Wrap(typeset.Painted(l), width, nil, typeset.None.Row(indent))...)
	}
	if more {
		rows = append(rows, typeset.Faint.Row(typeset.Fit("[only the beginning is shown here]", width)))
	}
	return rows
}

// newRecall shows the evidence of a fact as memory_recall gives it, a page at a time.
func newRecall(id string) *sheet {
	s := &sheet{name: "recall " + id}
	var starts []int64 // of the pages before the one that is seen
	var page recall.Page
	turn := func(v *View, offset int64, before []int64) tea.Cmd {
		return read(v, s, "reading the evidence", func(ctx context.Context) (recall.Page, error) {
			return v.d.Recall(ctx, id, offset)
		}, func(got recall.Page, err error) tea.Cmd {
			if err != nil {
				got = recall.Page{Offset: offset} // ctrl+r asks for it again
			}
			page, starts, s.at = got, before, 0
			s.keys = recallKeys(page, starts)
			s.put(func(width int) []typeset.Row { return recallRows(got, err, width) })
			return nil
		})
	}
	s.begin = func(v *View) tea.Cmd { return turn(v, page.Offset, starts) }
	s.on = func(v *View, k press) tea.Cmd {
		switch {
		case (k.name == "n" || k.name == "right") && page.NextOffset != nil:
			return turn(v, *page.NextOffset, append(starts, page.Offset))
		case (k.name == "p" || k.name == "left") && len(starts) > 0:
			last := len(starts) - 1
			return turn(v, starts[last], starts[:last:last])
		case k.name == "w":
			return v.open(newWhy(id))
		}
		return nil
	}
	return s
}

func recallKeys(page recall.Page, before []int64) (keys []hint) {
	if page.NextOffset != nil {
		keys = append(keys, hint{"n", "next page"})
	}
	if len(before) > 0 {
		keys = append(keys, hint{"p", "page before"})
	}
	return append(keys, hint{"w", "why"})
}

func recallRows(page recall.Page, err error, width int) []typeset.Row {
	if err != nil {
		return failed(err, width)
	}
	rows := flow("What memory_recall tells a model about it: untrusted words, with their proof.", typeset.Faint, width, "", "  ")
	if page.Status != source.Valid {
		return append(rows, flow(fmt.Sprintf("The evidence does not hold (%s: %s), so nothing of it is told. w says why.", page.Status, statusMeans(page.Status)),
			typeset.Red, width, "", "  ")...)
	}
	if page.FactText != nil {
		head := "fact"
		if page.Revision != nil {
			head = fmt.Sprintf("revision %d", *page.Revision)
		}
		rows = append(rows, flow(*page.FactText, typeset.Bold, width, head+": ", "  ")...)
	}
	if page.Source != nil {
		rows = append(rows, flow(fmt.Sprintf("session %s, %s", page.Source.SessionID, memory.Records(page.Source.Seqs)), typeset.Faint, width, "", "  ")...)
		rows = append(rows, flow(page.Source.Digest, typeset.Faint, width, "", "  ")...)
	}
	if page.SourceText != nil {
		end := ", the last of it"
		if page.NextOffset != nil {
			end = fmt.Sprintf(" to %d", *page.NextOffset-1)
		}
		rows = append(rows, nil)
		rows = append(rows, flow(fmt.Sprintf("source text, characters from %d%s:", page.Offset, end), typeset.Faint, width, "", "  ")...)
		rows = append(rows, flow(*page.SourceText, typeset.None, width, "", "")...)
	}
	return rows
}
