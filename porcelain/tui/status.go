package tui

import (
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing/usage"
	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// barCells is how wide the bar of the context is.
const barCells = 8

// part is a piece of the status line; the one with the greatest rank is dropped first.
type part struct {
	text string
	ink  typeset.Ink
	rank int
}

// status is the line that tells at a glance how things stand. What does not fit
// is dropped in a fixed order: session, what learning came to, branch, facts,
// mode, cost, context; a mode that is not the usual one last; of the model the beginning stays.
func status(st agent.Standing, place, learned string, width int) typeset.Row {
	parts := []part{{typeset.Line(st.Model), typeset.Bold, 0}}
	add := func(text string, i typeset.Ink, rank int) {
		if text != "" {
			parts = append(parts, part{text, i, rank})
		}
	}
	used, how := contextUsed(st)
	add(used, how, 2)
	add(cost(st.Usage), typeset.None, 3)
	add(modeName(st.Mode))
	add(memoryState(st), typeset.None, 5)
	add(typeset.Line(learned), typeset.Faint, 7)
	add(typeset.Line(place), typeset.Cyan, 6)
	add(shortID(st.SessionID), typeset.Faint, 8)
	for {
		r := joined(parts)
		if r.Columns() <= width {
			return r
		}
		if len(parts) == 1 {
			return typeset.Bold.Row(typeset.Fit(parts[0].text, width))
		}
		parts = without(parts)
	}
}

// without drops the part of the greatest rank.
func without(parts []part) []part {
	last := 0
	for i, p := range parts {
		if p.rank > parts[last].rank {
			last = i
		}
	}
	return append(parts[:last], parts[last+1:]...)
}

func joined(parts []part) typeset.Row {
	var r typeset.Row
	for i, p := range parts {
		if i > 0 {
			r = append(r, typeset.Faint.Of(" · "))
		}
		r = append(r, p.ink.Of(p.text))
	}
	return r
}

// contextUsed is how much of the window the last request took: a bar and a percentage.
func contextUsed(st agent.Standing) (string, typeset.Ink) {
	if st.Window <= 0 {
		return "", typeset.None
	}
	percent := min(999, st.Tokens*100/st.Window)
	full := int(min(barCells, (percent*barCells+99)/100))
	how := typeset.Green
	switch {
	case percent >= 85:
		how = typeset.Red
	case percent >= 60:
		how = typeset.Yellow
	}
	return strings.Repeat("▓", full) + strings.Repeat("░", barCells-full) + fmt.Sprintf(" %d%% of %s", percent, count(st.Window)), how
}

// count is a number of tokens, short.
func count(n int64) string {
	switch {
	case n >= 1_000_000:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1e6), ".0") + "M"
	case n >= 1000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// cost is what the session cost as far as it is known; what is not is marked, never shown as nothing.
func cost(t usage.Totals) string {
	switch {
	case t.Calls == 0:
		return ""
	case t.Cost == nil:
		return "$?"
	}
	text := fmt.Sprintf("$%.2f", *t.Cost)
	if *t.Cost > 0 && *t.Cost < 0.01 {
		text = "<$0.01"
	}
	if t.UnknownCostCalls > 0 {
		text += "+?"
	}
	return text
}

func modeName(m permission.Mode) (string, typeset.Ink, int) {
	switch m {
	case permission.Auto:
		return string(m), typeset.Yellow, 1 // what it may do without asking counts more than what it costs
	case permission.ReadOnly:
		return string(m), typeset.Cyan, 1
	}
	return string(m), typeset.None, 4
}

func memoryState(st agent.Standing) string {
	learning := "learning on"
	if st.LearningOff != "" {
		learning = "learning off"
	}
	return plural(int(st.Facts), "fact") + ", " + learning
}

// shortID is the end of a session's ID, which tells it from the others of a day.
func shortID(id string) string {
	if id == "" {
		return "new session"
	}
	if len(id) > 12 {
		return "…" + typeset.Line(strings.ToValidUTF8(id[len(id)-8:], ""))
	}
	return typeset.Line(id)
}
