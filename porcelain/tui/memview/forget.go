package memview

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// newForget says what a forget would do, asks, and then shows its receipt.
func newForget(id string) *sheet {
	s := &sheet{name: "forget " + id}
	known := false
	var refused error
	var plan Forgetting
	show := func() {
		s.put(func(width int) []typeset.Row {
			var rows []typeset.Row
			if refused != nil {
				rows = append(failed(refused, width), typeset.Faint.Row("y tries again, esc leaves it."), nil)
			}
			return append(rows, forgettingRows(plan, width)...)
		})
	}
	s.begin = func(v *View) tea.Cmd {
		return read(v, s, "working out what a forget would do", func(ctx context.Context) (Forgetting, error) {
			return v.d.Foresee(ctx, id)
		}, func(got Forgetting, err error) tea.Cmd {
			if err != nil {
				known, s.keys = false, nil
				s.put(func(width int) []typeset.Row { return failed(err, width) })
				return nil
			}
			known, plan, s.keys = true, got, []hint{{"y", "forgets it"}}
			show()
			return nil
		})
	}
	s.on = func(v *View, k press) tea.Cmd {
		if k.name != "y" || !known {
			return nil
		}
		return write(v, s, "forgetting the fact", func(ctx context.Context) (fact.Receipt, error) {
			return v.d.Forget(ctx, id)
		}, func(r fact.Receipt, err error) tea.Cmd {
			if err != nil {
				refused, s.at = err, 0
				show()
				v.stale() // who knows how far it came
				return s.begin(v)
			}
			return v.changed(newSheet("receipt", func(width int) []typeset.Row { return receiptRows(r, width) }))
		})
	}
	return s
}

// bullets writes things one below the other.
func bullets(list []string, width int) (rows []typeset.Row) {
	for _, l := range list {
		rows = append(rows, flow(oneLine(l), typeset.None, width, "  - ", "    ")...)
	}
	return rows
}

func forgettingRows(f Forgetting, width int) []typeset.Row {
	rows := flow("Forget "+f.Fact.ID+"? y forgets it for good, esc keeps it.", typeset.Bold, width, "", "  ")
	if f.Status == source.Valid {
		rows = append(rows, flow(f.Fact.Current().Text, typeset.None, width, "  | ", "  | ")...)
	} else {
		rows = append(rows, flow(fmt.Sprintf("(its text is not told: %s)", f.Status), typeset.Faint, width, "  | ", "  | ")...)
	}
	rows = append(rows, nil, typeset.Bold.Row("Forgotten for good:"))
	gone := []string{"the fact with " + counted(int64(len(f.Fact.Revisions)), "revision")}
	for _, p := range positions(f.Positions) {
		gone = append(gone, p+": no model is shown them again, nor any copy of them")
	}
	rows = append(rows, bullets(gone, width)...)
	rows = append(rows, nil, typeset.Bold.Row("What else ends with it:"))
	rows = append(rows, bullets(f.ends(), width)...)
	for _, l := range f.Stops {
		rows = append(rows, flow(oneLine(l.Fact.Current().Text), typeset.None, width, "      "+l.Fact.ID+"  ", "        ")...)
	}
	rows = append(rows, nil, typeset.Bold.Row("What stays on disk:"))
	return append(rows, bullets(f.Remains, width)...)
}

// ends says what a forget takes with it besides the fact.
func (f Forgetting) ends() []string {
	list := []string{"what a model said until now is not used again in this project"}
	of := "this session"
	if f.SessionID != "" {
		of = "session " + f.SessionID
	}
	switch {
	case f.Summaries == 1:
		list = append(list, "1 summary of "+of+" no longer counts")
	case f.Summaries > 1:
		list = append(list, fmt.Sprintf("%d summaries of %s no longer count", f.Summaries, of))
	}
	looked := ""
	if !f.All {
		looked = fmt.Sprintf(" (of the %d that were looked at; there are more)", f.Looked)
	}
	if len(f.Stops) == 0 {
		return append(list, "no other fact stops holding"+looked)
	}
	verb := "stop"
	if len(f.Stops) == 1 {
		verb = "stops"
	}
	return append(list, fmt.Sprintf("%s %s holding%s, for standing on the same records or on a model's words:",
		counted(int64(len(f.Stops)), "other fact"), verb, looked))
}

// receiptRows is a receipt whole.
func receiptRows(r fact.Receipt, width int) []typeset.Row {
	if !r.Changed {
		return flow(fmt.Sprintf("%s was forgotten before; nothing changed (generation %d).", r.FactID, r.Generation), typeset.None, width, "", "  ")
	}
	rows := flow(fmt.Sprintf("Forgot %s with %s.", r.FactID, counted(r.Revisions, "revision")), typeset.Bold, width, "", "  ")
	rows = append(rows, nil, typeset.Bold.Row("Excluded for good:"))
	excluded := positions(r.Positions)
	if len(excluded) == 0 {
		excluded = []string{"nothing: the fact stood on nothing"}
	}
	rows = append(rows, bullets(excluded, width)...)
	rows = append(rows, nil)
	rows = append(rows, flow(fmt.Sprintf("Generation: %d, before %d. What a model said until now is not used again in this project.",
		r.Generation, r.GenerationBefore), typeset.None, width, "", "  ")...)
	if len(r.Remains) > 0 {
		rows = append(rows, nil, typeset.Bold.Row("Still on disk:"))
		rows = append(rows, bullets(r.Remains, width)...)
	}
	return append(append(rows, nil), flow("To check: lecode fsck --forgotten", typeset.Faint, width, "", "  ")...)
}
