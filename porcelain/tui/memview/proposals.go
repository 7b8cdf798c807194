package memview

import (
	"context"
	"fmt"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// proposalsTab is the latest learning, and what it left for the person to decide.
type proposalsTab struct {
	list
	found *learned.Found // nil: none is recorded
	known bool
	err   error
}

func newProposals() *proposalsTab { return &proposalsTab{} }

func (p *proposalsTab) title() string    { return "Proposals" }
func (p *proposalsTab) editing() *editor { return nil }

func (p *proposalsTab) hints() []hint {
	if p.chosen() == nil {
		return nil
	}
	return []hint{{"enter", "why"}, {"a", "accept"}}
}

func (p *proposalsTab) load(v *View) tea.Cmd {
	return read(v, p, "looking for what was learned last", v.d.Learning, func(got *learned.Found, err error) tea.Cmd {
		if p.err = err; err == nil {
			p.found, p.known = got, true
		}
		return nil
	})
}

// chosen is the proposal that is marked; nil: there is none.
func (p *proposalsTab) chosen() *learned.Proposal {
	if p.found == nil || p.at >= len(p.found.Proposals) {
		return nil
	}
	return &p.found.Proposals[p.at]
}

func (p *proposalsTab) key(v *View, k press) tea.Cmd {
	it := p.chosen()
	if it == nil || p.move(k.name, len(p.found.Proposals), (v.page-4)/2) {
		return nil
	}
	switch k.name {
	case "enter", "w":
		return v.open(newQuoted(*it))
	case "a":
		return takeUp(v, *it)
	}
	return nil
}

// takeUp begins the correction that a proposal is, or says how to remember it.
func takeUp(v *View, it learned.Proposal) tea.Cmd {
	if len(it.Conflicts) > 0 && fact.CheckID(it.Conflicts[0].ID) == nil && it.Source.Check() == nil {
		return v.open(newCorrect(it.Conflicts[0].ID, it.Text, &it.Source))
	}
	if it.Source.Check() == nil {
		return v.open(newRemember(it.Text, &it.Source))
	}
	return v.open(newSheet("take it up", func(width int) []typeset.Row { return rememberRows(it, width) }))
}

func rememberRows(it learned.Proposal, width int) []typeset.Row {
	rows := flow(it.Text, typeset.Bold, width, "", "  ")
	rows = append(rows, nil)
	rows = append(rows, flow("It contradicts no fact, so there is nothing to correct. Only you can say that it is so:", typeset.None, width, "", "")...)
	return append(rows, flow("say it to the agent in words that stand for themselves, and remember those.", typeset.None, width, "", "  ")...)
}

func (p *proposalsTab) draw(v *View, width, height int) drawn {
	if p.err != nil {
		return drawn{failed(p.err, width), -1, 0}
	}
	if !p.known {
		return drawn{x: -1}
	}
	if p.found == nil {
		return drawn{flow("Nothing was learned yet: no session has recorded it. Learning follows a summary, where memory.auto_learn is on; the line below the conversation says whether it is, `lecode config --setup` asks for it.", typeset.None, width, "", ""), -1, 0}
	}
	rows := learningRows(v, p.found, width)
	if len(p.found.Proposals) == 0 {
		return drawn{append(rows, nil, typeset.None.Row(typeset.Fit("It left nothing to decide.", width))), -1, 0}
	}
	rows = append(rows[:min(len(rows), height/2)], nil)
	rows = append(rows, p.list.draw(len(p.found.Proposals), height-len(rows), func(i int) []typeset.Row {
		it := p.found.Proposals[i]
		how := typeset.None
		if i == p.at {
			how = typeset.Bold
		}
		item := append(typeset.Row{mark(i == p.at)}, how.Of(oneLine(it.Text)))
		return []typeset.Row{item.Fit(width), typeset.Faint.Row(typeset.Fit("    "+proposalWhy(it), width))}
	})...)
	return drawn{rows, -1, 0}
}

// learningRows tells what came of a learning, in words.
func learningRows(v *View, f *learned.Found, width int) []typeset.Row {
	head := fmt.Sprintf("Latest learning: %s. ", outcomeWords(f.Outcome))
	where := fmt.Sprintf("Session %s, record %d", f.SessionID, f.Seq)
	if !f.Time.IsZero() {
		where += ", " + memory.Age(v.d.Now(), f.Time)
	}
	if f.Model != "" {
		where += ", by " + f.Model
	}
	rows := append(flow(head, typeset.None, width, "", "  "), flow(oneLine(where), typeset.Faint, width, "", "  ")...)
	for _, made := range f.Facts {
		rows = append(rows, flow(fmt.Sprintf("%s, revision %d: %s", made.ID, made.Revision, madeWords(made.Outcome)), typeset.None, width, "  ", "    ")...)
	}
	for _, code := range slices.Sorted(maps.Keys(f.ReasonCounts)) {
		rows = append(rows, flow(fmt.Sprintf("%s rejected: %s", counted(f.ReasonCounts[code], "candidate"), reasonWords(code)), typeset.Faint, width, "  ", "    ")...)
	}
	return rows
}

// newQuoted shows the words that a proposal was made from.
func newQuoted(it learned.Proposal) *sheet {
	s := &sheet{name: "its words", keys: []hint{{"a", "accept"}}}
	s.begin = func(v *View) tea.Cmd {
		return read(v, s, "looking where it was said", func(ctx context.Context) (Quoted, error) {
			return v.d.Quoted(ctx, it.Source)
		}, func(q Quoted, err error) tea.Cmd {
			s.put(func(width int) []typeset.Row { return quotedProposal(it, q, err, width) })
			return nil
		})
	}
	s.on = func(v *View, k press) tea.Cmd {
		if k.name == "a" {
			return takeUp(v, it)
		}
		return nil
	}
	return s
}

func quotedProposal(it learned.Proposal, q Quoted, err error, width int) []typeset.Row {
	rows := append(flow(it.Text, typeset.Bold, width, "", "  "), flow("Not remembered: "+proposalWhy(it)+".", typeset.None, width, "", "  ")...)
	if it.Cropped {
		rows = append(rows, flow("The words that were quoted begin or end within a sentence.", typeset.Yellow, width, "", "  ")...)
	}
	for _, c := range it.Conflicts {
		rows = append(rows, flow(fmt.Sprintf("It contradicts %s, revision %d.", c.ID, c.Revision), typeset.Yellow, width, "", "  ")...)
	}
	rows = append(rows, nil)
	if err != nil {
		return append(rows, failed(err, width)...)
	}
	rows = append(rows, flow(fmt.Sprintf("session %s, %s:", it.Source.SessionID, memory.Records(it.Source.Seqs)), typeset.Faint, width, "", "  ")...)
	if q.Status != source.Valid {
		return append(rows, flow(fmt.Sprintf("They do not hold (%s), so they are not told.", q.Status), typeset.Red, width, "", "  ")...)
	}
	return append(rows, quotedRows(q.Messages, 200, width)...)
}
