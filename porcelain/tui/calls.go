package tui

import (
	"strings"
	"time"

	"github.com/lecode/lecode/porcelain/agent"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

const (
	maxOutput   = 64 << 10 // bytes kept of what a call prints
	maxTitle    = 4 << 10  // bytes of a line of it, and of the end of its output while it runs
	maxCalls    = 100      // kept to be looked at
	shownDetail = 40       // rows of a detail, such as a diff, in the scrollback
	shownOutput = 3        // rows of what a running call prints
	outputTurn  = "… cut here; the end follows\n"
)

// call is a call of a tool, from its beginning on.
type call struct {
	id, child string
	name      string
	summary   string
	arguments string
	output    string // what it printed while it ran
	result    string
	detail    string
	state     callState
	why       string // it was not allowed
	began     time.Time
	took      time.Duration
}

type callState int

const (
	running callState = iota
	worked
	failed
	denied
	interrupted
)

// calls are those of the screen's time, the oldest first.
type calls []*call

func (c *calls) begin(v agent.Calling, now time.Time) {
	*c = append(*c, &call{id: v.CallID, child: v.Child, name: v.Name, summary: v.Summary, arguments: capped(string(v.Arguments)), began: now})
	if len(*c) > maxCalls {
		*c = append(calls(nil), (*c)[len(*c)-maxCalls:]...)
	}
}

// running are those that have no result yet.
func (c calls) running() (list []*call) {
	for _, one := range c {
		if one.state == running {
			list = append(list, one)
		}
	}
	return list
}

// find is the latest one of an ID, of a task or of the turn itself: providers repeat theirs.
func (c calls) find(child, id string) *call {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].child == child && c[i].id == id {
			return c[i]
		}
	}
	return nil
}

// capped keeps the beginning and the end of a long text.
func capped(text string) string {
	if len(text) <= maxOutput {
		return text
	}
	half := maxOutput / 2
	return typeset.Head(text, half) + "\n" + outputTurn + typeset.Tail(text, half)
}

// end gives it its result.
func (c *call) end(v agent.Called, now time.Time) {
	c.result, c.detail = capped(v.Result.Text), capped(v.Result.Detail)
	c.took = now.Sub(c.began)
	switch {
	case c.state == denied:
	case v.Result.IsError:
		c.state = failed
	default:
		c.state = worked
	}
}

// title is its line, without the mark.
func (c *call) title() string {
	summary := typeset.Line(strings.ReplaceAll(strings.TrimSpace(typeset.Head(c.summary, maxTitle)), "\n", " ⏎ "))
	switch {
	case summary == "":
		summary = typeset.Line(c.name)
	case !strings.HasPrefix(summary+" ", c.name+" "):
		summary = typeset.Line(c.name) + ": " + summary
	}
	if c.child != "" {
		summary = "↳ " + summary
	}
	return summary
}

// mark is how it stands.
func (c *call) mark(spinner string) typeset.Span {
	switch c.state {
	case worked:
		return typeset.Green.Of("✓ ")
	case failed:
		return typeset.Red.Of("✗ ")
	case denied:
		return typeset.Yellow.Of("⊘ ")
	case interrupted:
		return typeset.Yellow.Of("■ ")
	}
	return typeset.Cyan.Of(spinner + " ")
}

// live is a running call: its line, and the end of what it prints.
func (c *call) live(width int, spinner string) []typeset.Row {
	rows := []typeset.Row{{c.mark(spinner), typeset.None.Of(typeset.Fit(c.title(), max(0, width-2)))}}
	if printed := strings.TrimRight(typeset.Output(typeset.Tail(c.output, maxTitle)), "\n"); printed != "" {
		lines := strings.Split(printed, "\n")
		for _, l := range lines[max(0, len(lines)-shownOutput):] {
			rows = append(rows, typeset.Faint.Row("  "+typeset.Fit(typeset.Untab(l, 0), max(0, width-2))))
		}
	}
	return rows
}

// block is a finished call in the scrollback: its line whole, and what a person wants to see at once.
func (c *call) block() block {
	title, why := c.title(), ""
	switch c.state {
	case denied:
		why = typeset.Line(c.why)
	case failed:
		why, _, _ = strings.Cut(strings.TrimSpace(typeset.Output(c.result)), "\n")
		why = typeset.Line(why)
	}
	detail := ""
	if c.state == worked {
		detail = typeset.Output(c.detail)
	}
	mark := c.mark("")
	return block{size: len(title) + len(why) + len(detail), near: true, rows: func(width int) []typeset.Row {
		under := typeset.None.Row("  ")
		rows := typeset.Wrap(typeset.None.Row(title), width, typeset.Row{mark}, under)
		if why != "" {
			rows = append(rows, typeset.Wrap(typeset.Faint.Row(why), width, under, under)...)
		}
		return append(rows, capRows(detailRows(detail, width, under), shownDetail, "; ctrl+o shows them", under, width)...)
	}}
}

// whole is all there is of a call, for its page.
func (c *call) whole(width int) []typeset.Row {
	under := typeset.None.Row("  ")
	var rows []typeset.Row
	add := func(name, text string, of func(string) []typeset.Row) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			rows = append(rows, append(typeset.None.Row("  "), typeset.Faint.Of(name)))
			rows = append(rows, of(text)...)
		}
	}
	lines := func(text string) []typeset.Row {
		return typeset.Wrap(typeset.None.Row(text), width, under, under)
	}
	add("arguments", typeset.Clean(c.arguments), lines)
	add("not allowed", typeset.Clean(c.why), lines)
	add("detail", typeset.Output(c.detail), func(text string) []typeset.Row { return detailRows(text, width, under) })
	if c.state == running {
		add("output so far", typeset.Output(c.output), lines)
	} else {
		add("result, as the model gets it", typeset.Output(c.result), lines)
	}
	return rows
}
