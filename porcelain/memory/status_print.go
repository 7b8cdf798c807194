package memory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/plumbing/usage"
)

// Place is what a status page says of the project and its settings besides.
type Place struct {
	Project, Root, Kind string
	Checkout            *string
	Model               string
	Disabled            bool
	LearningOff         string // why learning is off; "": it is on
	ConfigDir, CacheDir string
	DayEnds             string // when the day's budget begins anew
}

// Print writes the status for a person to read.
func (s Status) Print(at Place, style Style) string {
	p := &page{s: style}
	p.entry("project", fmt.Sprintf("%s (%s)", at.Project, at.Kind), bold)
	p.entry("root", at.Root, "")
	if at.Checkout != nil && *at.Checkout != at.Root {
		p.entry("checkout", *at.Checkout, "")
	}
	p.memory(s, at)
	p.entry("model", at.Model, "")
	p.spending(s.Usage, at)
	p.entry("config", at.ConfigDir, dim)
	p.entry("cache", at.CacheDir, dim)
	return p.String()
}

// entry is a line with its name in front.
func (p *page) entry(name, text, code string) {
	const indent = "            "
	p.line((name + indent)[:len(indent)], indent, oneLine(text), code)
}

func (p *page) memory(s Status, at Place) {
	if at.Disabled {
		p.entry("memory", "disabled: memory.enabled is false", red)
	}
	if s.Sessions.Damaged > 0 {
		p.entry("sessions", s.Sessions.String(), red)
	} else {
		p.entry("sessions", s.Sessions.String(), "")
	}
	p.entry("facts", s.Facts.String(), "")
	p.entry("generation", fmt.Sprintf("%d: how often something was forgotten", s.Generation), "")
	p.entry("notes", notesLine(s.Notes), "")
	if u := s.Section; u != nil {
		line := fmt.Sprintf("%s of %s bytes, %s in it", grouped(u.Bytes), grouped(u.MaxBytes), counted(u.Facts, "fact"))
		if u.LeftOut > 0 {
			line += fmt.Sprintf("; %s cut or left out (`lecode prompt --explain`)", counted(u.LeftOut, "thing"))
		}
		p.entry("section", line, "")
	}
	if at.LearningOff != "" {
		p.entry("learning", "off: "+at.LearningOff, "")
	} else {
		p.entry("learning", "on: after each compaction", "")
	}
}

// String says the counts in words.
func (s Sessions) String() string {
	line := counted(s.Count, "session") + ", " + counted(s.Messages, "message")
	if s.Copies > 0 {
		line += fmt.Sprintf("; %d of them copies", s.Copies)
	}
	if s.Damaged > 0 {
		line += fmt.Sprintf("; %d damaged (`lecode fsck`)", s.Damaged)
	}
	return line
}

// String says the counts in words.
func (c FactCounts) String() string {
	if c.Total == 0 {
		return "none"
	}
	var parts []string
	for _, status := range []source.Status{source.Valid, source.Missing, source.Stale, source.Hidden, source.Unverified} {
		if n := c.Of[status]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, status))
		}
	}
	line := strings.Join(parts, ", ")
	if c.Looked < c.Total {
		return fmt.Sprintf("%s; of the %d newest: %s", grouped(c.Total), c.Looked, line)
	}
	return fmt.Sprintf("%d: %s", c.Total, line)
}

func notesLine(list []note.Info) string {
	var parts []string
	more := map[string]int64{}
	for _, n := range list {
		if folder, _, in := strings.Cut(n.File, "/"); in {
			more[folder]++
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s", n.File, Size(n.Bytes)))
	}
	for _, f := range []struct{ folder, noun string }{{"daily", "daily log"}, {"notes", "named note"}} {
		if more[f.folder] > 0 {
			parts = append(parts, counted(more[f.folder], f.noun))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func (p *page) spending(u Spending, at Place) {
	p.entry("today", spent(u.Today), "")
	p.entry("in all", spent(u.All), "")
	if u.DayLimit != nil {
		left := max(*u.DayLimit-u.TodayMemory, 0)
		code := ""
		if left == 0 {
			code = red
		}
		p.entry("budget", fmt.Sprintf("%s of %s tokens left for the memory's own calls until %s", grouped(left), grouped(*u.DayLimit), at.DayEnds), code)
	}
	line := spent(u.Recorded)
	if u.Unread > 0 {
		line += fmt.Sprintf("; %s too large to look at (`lecode sessions --usage`)", counted(u.Unread, "session"))
	}
	p.entry("recorded", line+"; as the sessions say, imported ones too", dim)
}

// spent is totals in words: what is unknown is said, never shown as nothing.
func spent(t usage.Totals) string {
	if t.Calls == 0 {
		return "no calls"
	}
	known := t.Calls - t.UnknownUsageCalls
	line := counted(t.Calls, "call") + ", "
	if known > 0 {
		line += grouped(t.Tokens()) + " tokens known"
	} else {
		line += "tokens unknown"
	}
	if t.UnknownUsageCalls > 0 && known > 0 {
		line += fmt.Sprintf(", %d of unknown usage", t.UnknownUsageCalls)
	}
	if t.UnknownUsageCalls > 0 && t.EstimatedTokens > 0 {
		line += fmt.Sprintf(" (at most %s by estimate)", grouped(t.EstimatedTokens))
	}
	return line + ", " + cost(t)
}

func cost(t usage.Totals) string {
	if t.Cost == nil {
		return "cost unknown"
	}
	line := "$" + strconv.FormatFloat(*t.Cost, 'f', 4, 64)
	if t.PricedCalls > 0 {
		line += fmt.Sprintf(" (%d by list price)", t.PricedCalls)
	}
	if t.UnknownCostCalls > 0 {
		line += fmt.Sprintf(" and %s of unknown cost", counted(t.UnknownCostCalls, "call"))
	}
	return line
}

// grouped writes a count with commas: 12,345.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var parts []string
	for len(digits) > 3 {
		parts = append(parts, digits[len(digits)-3:])
		digits = digits[:len(digits)-3]
	}
	parts = append(parts, digits)
	slices.Reverse(parts)
	return strings.Join(parts, ",")
}
