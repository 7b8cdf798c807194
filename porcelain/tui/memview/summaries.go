package memview

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/compact"
	"github.com/lecode/lecode/plumbing/session"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// summariesTab is the summaries of the session that is open, the latest first.
type summariesTab struct {
	list
	got   History
	known bool
	err   error
}

func newSummaries() *summariesTab { return &summariesTab{} }

func (s *summariesTab) title() string    { return "Summaries" }
func (s *summariesTab) editing() *editor { return nil }

func (s *summariesTab) hints() []hint {
	if len(s.got.Summaries) == 0 {
		return nil
	}
	return []hint{{"enter", "shows it"}}
}

func (s *summariesTab) load(v *View) tea.Cmd {
	return read(v, s, "reading the summaries and checking what they cover", v.d.Summaries, func(got History, err error) tea.Cmd {
		if s.err = err; err == nil {
			s.got, s.known = got, true
		}
		return nil
	})
}

func (s *summariesTab) key(v *View, k press) tea.Cmd {
	n := len(s.got.Summaries)
	if s.move(k.name, n, (v.page-2)/2) || k.name != "enter" || n == 0 {
		return nil
	}
	return v.open(newSummary(s.got.SessionID, s.got.Summaries[s.at]))
}

func (s *summariesTab) draw(v *View, width, height int) drawn {
	switch {
	case s.err != nil:
		return drawn{failed(s.err, width), -1, 0}
	case !s.known:
		return drawn{x: -1}
	case s.got.SessionID == "":
		return drawn{flow("No session is open yet: it begins with the first prompt.", typeset.None, width, "", ""), -1, 0}
	case len(s.got.Summaries) == 0:
		return drawn{flow("Nothing of this session was summed up yet. /compact does it now; else it is done when the session no longer fits the model.", typeset.None, width, "", ""), -1, 0}
	}
	rows := []typeset.Row{typeset.Faint.Row(typeset.Fit(fmt.Sprintf("session %s, %d so far, the latest first", oneLine(s.got.SessionID), len(s.got.Summaries)), width))}
	rows = append(rows, s.list.draw(len(s.got.Summaries), height-1, func(i int) []typeset.Row {
		return summaryItem(v, s.got.Summaries[i], i == s.at, width)
	})...)
	return drawn{rows, -1, 0}
}

// summaryItem is a summary on two lines.
func summaryItem(v *View, s Summary, chosen bool, width int) []typeset.Row {
	how := typeset.None
	if chosen {
		how = typeset.Bold
	}
	word, colour := standing(s)
	head := typeset.Row{mark(chosen), colour.Of(typeset.Pad(word, 11)), how.Of(covered(s))}
	if age := ageOf(v, s); age != "" {
		head = append(head, typeset.Faint.Of("  "+age))
	}
	about := fmt.Sprintf("record %d", s.Seq)
	if s.Prior != nil {
		about += fmt.Sprintf(", goes on from %d", s.Prior.Seq)
	}
	about += ", " + oneLine(s.Model) + ", " + tokens(s)
	return []typeset.Row{head.Fit(width), typeset.Faint.Row(typeset.Fit("             "+about, width))}
}

// standing says in a word whether a summary counts.
func standing(s Summary) (string, typeset.Ink) {
	switch {
	case s.InForce:
		return "in force", typeset.Green
	case s.Standing == session.Holds:
		return "replaced", typeset.Faint
	}
	return oneLine(string(s.Standing)), typeset.Red
}

// standingMeans says what a standing means.
func standingMeans(s Summary) string {
	switch s.Standing {
	case session.Holds:
		if s.InForce {
			return "it stands for what it covers in every request"
		}
		return "it holds, and a later one stands for what it covers"
	case session.Forgotten:
		return "something was forgotten since, so it is not used any more"
	case session.Malformed:
		return "it does not say what it covers, so it is not used"
	case session.Broken:
		return "the summary that it goes on from does not hold"
	case session.Hidden:
		return "a message that it covers was undone or forgotten"
	case session.Uncovered:
		return "a message became visible that it does not cover"
	case session.Changed:
		return "a message that it covers has other bytes"
	case session.Damaged:
		return "the session is corrupt: lecode fsck says where"
	}
	return oneLine(string(s.Standing))
}

func covered(s Summary) string {
	if s.First == 0 {
		return fmt.Sprintf("up to record %d", s.CoveredThrough)
	}
	return fmt.Sprintf("records %d-%d", s.First, s.CoveredThrough)
}

func ageOf(v *View, s Summary) string {
	if s.Time.IsZero() {
		return ""
	}
	return memory.Age(v.d.Now(), s.Time)
}

// tokens says what the call for a summary took; what is unknown is said.
func tokens(s Summary) string {
	if s.Input == nil || s.Output == nil {
		return "tokens unknown"
	}
	return fmt.Sprintf("%d+%d tokens", *s.Input, *s.Output)
}

// newSummary shows what a summary says, and what of the records it does not carry.
func newSummary(sessionID string, sum Summary) *sheet {
	s := &sheet{name: fmt.Sprintf("summary %d", sum.Seq)}
	s.begin = func(v *View) tea.Cmd {
		s.put(func(width int) []typeset.Row { return summaryRows(v, sum, width) })
		return read(v, s, "comparing it with what it covers", func(ctx context.Context) (compact.Loss, error) {
			return v.d.Loss(ctx, sessionID, sum.Seq)
		}, func(l compact.Loss, err error) tea.Cmd {
			s.put(func(width int) []typeset.Row {
				rows := append(summaryRows(v, sum, width), nil)
				if err != nil {
					return append(rows, failed(err, width)...)
				}
				return append(rows, lossRows(l, width)...)
			})
			return nil
		})
	}
	return s
}

func summaryRows(v *View, s Summary, width int) []typeset.Row {
	word, colour := standing(s)
	rows := flow(word+": "+standingMeans(s), colour, width, "", "  ")
	about := fmt.Sprintf("new in it: %s; by %s, %s", covered(s), s.Model, tokens(s))
	if age := ageOf(v, s); age != "" {
		about += ", " + age
	}
	rows = append(rows, flow(oneLine(about), typeset.Faint, width, "", "  ")...)
	rows = append(rows, nil)
	return append(rows, flow(s.Text, typeset.None, width, "  | ", "  | ")...)
}

// lossRows is what of the covered records a summary does not carry, by kind.
func lossRows(l compact.Loss, width int) []typeset.Row {
	if len(l.Lost) == 0 {
		return flow("It carries every path, name, number, error, command and rule of these records that can be told from their words.", typeset.Green, width, "", "  ")
	}
	rows := flow("What it does not carry of them ("+counted(int64(len(l.Lost)), "detail")+"; the log still has them):", typeset.Bold, width, "", "  ")
	for _, kind := range compact.Kinds {
		var lost []compact.Lost
		for _, d := range l.Lost {
			if d.Kind == kind {
				lost = append(lost, d)
			}
		}
		if len(lost) == 0 && l.Carried[kind] == 0 {
			continue
		}
		rows = append(rows, flow(fmt.Sprintf("%s: %d lost, %d carried", kindWords(kind), len(lost), l.Carried[kind]), typeset.Cyan, width, "", "  ")...)
		for _, d := range lost {
			rows = append(rows, flow(fmt.Sprintf("%s  (%s)", oneLine(d.Text), memory.Records(d.Seqs)), typeset.None, width, "  - ", "    ")...)
		}
	}
	return rows
}

func kindWords(k compact.Kind) string {
	switch k {
	case compact.Path:
		return "paths"
	case compact.Identifier:
		return "names"
	case compact.Number:
		return "numbers"
	case compact.ErrorText:
		return "error texts"
	case compact.Command:
		return "commands"
	case compact.Rule:
		return "rules"
	}
	return oneLine(string(k))
}
