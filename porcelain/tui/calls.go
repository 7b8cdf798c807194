package tui

import (
	"strings"
	"time"

	"github.com/lecode/lecode/porcelain/agent"
)

const (
	maxOutput   = 64 << 10 // bytes kept of what a call prints
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

// find is the latest one of an ID: providers repeat theirs.
func (c calls) find(id string) *call {
	for i := len(c) - 1; i >= 0; i-- {
		if c[i].id == id {
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
	return strings.ToValidUTF8(text[:half], "") + "\n" + outputTurn + strings.ToValidUTF8(text[len(text)-half:], "")
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
	summary := line(c.summary)
	switch {
	case summary == "":
		summary = line(c.name)
	case !strings.HasPrefix(summary, c.name):
		summary = line(c.name) + ": " + summary
	}
	if c.child != "" {
		summary = "↳ " + summary
	}
	return summary
}

// mark is how it stands.
func (c *call) mark(spinner string) span {
	switch c.state {
	case worked:
		return span{"✓ ", green}
	case failed:
		return span{"✗ ", red}
	case denied:
		return span{"⊘ ", yellow}
	case interrupted:
		return span{"■ ", yellow}
	}
	return span{spinner + " ", cyan}
}

// live is a running call: its line, and the end of what it prints.
func (c *call) live(width int, spinner string) []row {
	rows := []row{{c.mark(spinner), {fit(c.title(), max(0, width-2)), noInk}}}
	if printed := strings.TrimRight(output(c.output), "\n"); printed != "" {
		lines := strings.Split(printed, "\n")
		for _, l := range lines[max(0, len(lines)-shownOutput):] {
			rows = append(rows, rowOf(faint, "  "+fit(untab(l, 0), max(0, width-2))))
		}
	}
	return rows
}

// block is a finished call in the scrollback: its line whole, and what a person wants to see at once.
func (c *call) block() block {
	title, why := c.title(), ""
	switch c.state {
	case denied:
		why = line(c.why)
	case failed:
		why, _, _ = strings.Cut(strings.TrimSpace(output(c.result)), "\n")
		why = line(why)
	}
	detail := ""
	if c.state == worked {
		detail = output(c.detail)
	}
	mark := c.mark("")
	return block{size: len(title) + len(why) + len(detail), near: true, rows: func(width int) []row {
		under := row{{"  ", noInk}}
		rows := wrap([]span{{title, noInk}}, width, row{mark}, under)
		if why != "" {
			rows = append(rows, wrap([]span{{why, faint}}, width, under, under)...)
		}
		return append(rows, capRows(detailRows(detail, width, under), shownDetail, "; ctrl+o shows them", under, width)...)
	}}
}

// whole is all there is of a call, for its page.
func (c *call) whole(width int) []row {
	under := row{{"  ", noInk}}
	var rows []row
	add := func(name, text string, of func(string) []row) {
		if text = strings.TrimRight(text, "\n"); text != "" {
			rows = append(rows, append(row{{"  ", noInk}}, span{name, faint}))
			rows = append(rows, of(text)...)
		}
	}
	lines := func(text string) []row { return wrap([]span{{text, noInk}}, width, under, under) }
	add("arguments", clean(c.arguments), lines)
	add("not allowed", clean(c.why), lines)
	add("detail", output(c.detail), func(text string) []row { return detailRows(text, width, under) })
	if c.state == running {
		add("output so far", output(c.output), lines)
	} else {
		add("result, as the model gets it", output(c.result), lines)
	}
	return rows
}
