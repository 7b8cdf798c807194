package memview

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// factsTab is the facts, a page at a time.
type factsTab struct {
	list
	query  Query
	page   *Facts // nil: nothing was read yet
	err    error
	filter *editor // words that are being typed; nil: none
}

func newFacts() *factsTab { return &factsTab{} }

func (f *factsTab) title() string    { return "Facts" }
func (f *factsTab) editing() *editor { return f.filter }

func (f *factsTab) hints() []hint {
	if f.filter != nil {
		return []hint{{"enter", "filters"}, {"esc", "leaves it"}, {"ctrl+u", "empties"}}
	}
	if f.page != nil && len(f.page.Facts) == 0 && f.query.Words == "" {
		return []hint{{"a", "remember"}}
	}
	list := []hint{{"enter", "why"}, {"a", "remember"}, {"c", "correct"}, {"f", "forget"}, {"/", "filter"}}
	if f.page != nil && (f.page.More || f.page.Offset > 0) {
		list = append(list, hint{"n p", "pages"})
	}
	return append(list, hint{"r", "recall"})
}

func (f *factsTab) load(v *View) tea.Cmd { return f.read(v, f.query, f.at) }

// read reads a page; what is seen stays until it is there.
func (f *factsTab) read(v *View, q Query, at int) tea.Cmd {
	return read(v, f, "reading the facts and checking their evidence", func(ctx context.Context) (Facts, error) {
		return v.d.Facts(ctx, q)
	}, func(got Facts, err error) tea.Cmd {
		if f.err = err; err != nil {
			return nil
		}
		if len(got.Facts) == 0 && q.Offset > 0 { // the last ones of it were forgotten
			q.Offset = max(0, q.Offset-memory.FactsPage)
			return f.read(v, q, memory.FactsPage-1)
		}
		f.query, f.page, f.at = q, &got, at
		return nil
	})
}

func (f *factsTab) key(v *View, k press) tea.Cmd {
	if f.filter != nil {
		return f.typed(v, k)
	}
	if f.page == nil || f.err != nil {
		return nil
	}
	n := len(f.page.Facts)
	switch k.name {
	case "a":
		return v.open(newRemember("", nil))
	case "/":
		f.filter = newEditor(f.query.Words, 4096, true)
		return nil
	case "n", "right", "down", "j", "pgdown", "space":
		if k.name == "n" || k.name == "right" || f.at == n-1 {
			return f.turn(v, 1)
		}
	case "p", "left", "up", "k", "pgup", "b":
		if k.name == "p" || k.name == "left" || f.at == 0 {
			return f.turn(v, -1)
		}
	}
	if f.move(k.name, n, v.page-3) || n == 0 {
		return nil
	}
	return factKey(v, k.name, f.page.Facts[f.at].Fact.ID)
}

// undone shows all facts again.
func (f *factsTab) undone(v *View) (tea.Cmd, bool) {
	if f.query.Words == "" || f.filter != nil {
		return nil, false
	}
	return f.read(v, Query{}, 0), true
}

// turn goes to the next page, or the one before.
func (f *factsTab) turn(v *View, step int64) tea.Cmd {
	q := f.query
	q.Offset += step * memory.FactsPage
	switch {
	case step > 0 && f.page.More:
		return f.read(v, q, 0)
	case step < 0 && f.page.Offset > 0:
		q.Offset = max(0, q.Offset)
		return f.read(v, q, memory.FactsPage-1)
	}
	return nil
}

// typed takes a key for the words to filter by.
func (f *factsTab) typed(v *View, k press) tea.Cmd {
	switch k.name {
	case "esc":
		f.filter = nil
	case "enter":
		q := Query{Words: f.filter.text}
		f.filter = nil
		return f.read(v, q, 0)
	default:
		said, _ := f.filter.key(k)
		v.say(said)
	}
	return nil
}

// factKey does what a key says to a fact, wherever one is seen.
func factKey(v *View, k, id string) tea.Cmd {
	switch k {
	case "enter", "w":
		return v.open(newWhy(id))
	case "r":
		return v.open(newRecall(id))
	case "f":
		return v.open(newForget(id))
	case "c":
		return v.open(newCorrect(id, "", nil))
	}
	return nil
}

func (f *factsTab) draw(v *View, width, height int) drawn {
	var rows []typeset.Row
	if f.filter != nil {
		d := f.filter.draw(width, 1, "only facts with: ", "                 ")
		rest := f.body(v, width, height-1)
		return drawn{append(d.rows, rest...), d.x, d.y}
	}
	rows = f.body(v, width, height)
	return drawn{rows, -1, 0}
}

// body is the line above, the facts, and below them the chosen one, where there is room.
func (f *factsTab) body(v *View, width, height int) []typeset.Row {
	if f.err != nil {
		rows := failed(f.err, width)
		return append(rows, typeset.Faint.Row("ctrl+r reads again"))[:min(len(rows)+1, height)]
	}
	if f.page == nil {
		return nil
	}
	rows := []typeset.Row{f.above(width)}
	for _, w := range f.page.Warnings {
		rows = append(rows, flow(w, typeset.Yellow, width, "", "  ")...)
	}
	if len(f.page.Facts) == 0 {
		rows = append(rows, f.none(width)...)
		return rows[:min(len(rows), height)]
	}
	rows = rows[:min(len(rows), height/2)]
	var below []typeset.Row
	if height >= 14 {
		below = append([]typeset.Row{nil}, f.chosen(v, width)...)
		below = below[:min(len(below), height/3)]
	}
	files := slices.ContainsFunc(f.page.Facts, func(l memory.Listed) bool { return l.File != nil })
	rows = append(rows, f.list.draw(len(f.page.Facts), height-len(rows)-len(below), func(i int) []typeset.Row {
		return []typeset.Row{factRow(v, f.page.Facts[i], i == f.at, files, width)}
	})...)
	return append(rows, below...)
}

func (f *factsTab) above(width int) typeset.Row {
	n := int64(len(f.page.Facts))
	said := "no facts"
	if n > 0 {
		said = fmt.Sprintf("%d-%d", f.page.Offset+1, f.page.Offset+n)
		if f.page.Total != nil {
			said = fmt.Sprintf("%s of %s", said, counted(*f.page.Total, "fact"))
		} else if f.page.More {
			said += ", and more"
		}
	}
	if f.query.Words != "" {
		said += " with “" + oneLine(f.query.Words) + "”"
	}
	return typeset.Faint.Row(typeset.Fit(said, width))
}

func (f *factsTab) none(width int) []typeset.Row {
	if f.query.Words != "" {
		return flow("No fact's text holds these words, letter by letter. / changes them; empty words show all facts.", typeset.None, width, "", "")
	}
	return flow("There are no facts yet. Say something worth remembering to the agent, then press a here: you choose the words that say it, "+
		"and they are its evidence. Where memory.auto_learn is on, the agent learns by itself too, after each summary.", typeset.None, width, "", "")
}

// factRow is a fact on one line: status, text, and as far as there is room,
// what of its file, age and source.
func factRow(v *View, l memory.Listed, chosen, files bool, width int) typeset.Row {
	text, how := factText(l)
	if chosen {
		how = how.And(typeset.Bold)
	}
	var behind typeset.Row
	switch {
	case files && width >= 60:
		state := ""
		if l.File != nil {
			state = *l.File
		}
		said := ""
		if state != "" {
			said = "file: " + state
		}
		behind = append(behind, fileInk(state).Of("  "+typeset.Pad(said, 13)))
	case l.File != nil && *l.File != learned.Same:
		text = "[file: " + *l.File + "] " + text
	}
	behind = append(behind, typeset.Faint.Of(" "+typeset.PadLeft(memory.Age(v.d.Now(), l.Fact.Current().Created), 7)))
	if width >= 80 {
		behind = append(behind, typeset.Faint.Of("  "+typeset.Pad(from(l, 14+min(10, (width-80)/4)), 14+min(10, (width-80)/4))))
	}
	r := typeset.Row{mark(chosen), statusInk(l.Status).Of(typeset.Pad(string(l.Status), 11))}
	r = append(r, how.Of(typeset.Pad(text, width-13-behind.Columns())))
	return append(r, behind...)
}

// from is where a fact was said, in so many columns.
func from(l memory.Listed, width int) string {
	ref := l.Fact.Current().Source()
	if ref == nil {
		return "(no source)"
	}
	seqs := " " + memory.Ranges(ref.Seqs)
	return typeset.Fit(typeset.Fit(oneLine(ref.SessionID), max(4, width-typeset.Columns(seqs)))+seqs, width)
}

// chosen is more of the fact that is marked.
func (f *factsTab) chosen(v *View, width int) []typeset.Row {
	l := f.page.Facts[max(0, min(f.at, len(f.page.Facts)-1))]
	current := l.Fact.Current()
	said := fmt.Sprintf("%s, revision %d, %s", l.Fact.ID, current.Number, string(l.Status))
	if l.File != nil {
		said += ", file: " + *l.File
	}
	if ref := current.Source(); ref != nil {
		said += ", session " + oneLine(ref.SessionID) + " " + memory.Ranges(ref.Seqs)
	}
	text, how := factText(l)
	if how == typeset.None {
		beginning, _ := cut(current.Text, 4*width)
		rows := flow(beginning, typeset.None, width, "", "")
		rows = rows[:min(len(rows), 3)]
		return append(flow(said, typeset.Faint, width, "", "  "), rows...)
	}
	return append(flow(said, typeset.Faint, width, "", "  "), flow(text+": "+statusMeans(l.Status), typeset.Faint, width, "", "  ")...)
}
