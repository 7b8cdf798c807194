package memview

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/source"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// newInjected shows what a request carries of the memory, and what was left out and why.
func newInjected() *sheet {
	s := &sheet{name: "Prompt"}
	var got Injected
	s.begin = func(v *View) tea.Cmd {
		return read(v, s, "making the memory section", v.d.Injected, func(in Injected, err error) tea.Cmd {
			got, s.keys = in, nil
			if err != nil {
				s.put(func(width int) []typeset.Row { return failed(err, width) })
				return nil
			}
			if in.Gathered.Section.Text != "" {
				s.keys = []hint{{"enter", "as it is sent"}}
			}
			s.put(func(width int) []typeset.Row { return injectedRows(in, width) })
			return nil
		})
	}
	s.on = func(v *View, k press) tea.Cmd {
		if k.name != "enter" || len(s.keys) == 0 {
			return nil
		}
		text := told(got)
		return v.open(newSheet("the section", func(width int) []typeset.Row { return flow(text, typeset.None, width, "", "  ") }))
	}
	return s
}

func injectedRows(in Injected, width int) []typeset.Row {
	if in.Disabled {
		return flow("The memory is disabled (memory.enabled), so a request carries nothing of it.", typeset.None, width, "", "")
	}
	g := in.Gathered
	head := "What the next request will carry of the memory, as it is now."
	if in.Last {
		head = "What the last request carried of the memory."
	}
	rows := flow(head, typeset.Bold, width, "", "  ")
	rows = append(rows, flow(fmt.Sprintf("%d of %d bytes (memory.max_bytes); generation %d", g.Section.Bytes, in.Caps.MaxBytes, g.Generation), typeset.Faint, width, "", "  ")...)
	rows = append(rows, nil)
	rows = append(rows, toldRows(in, width)...)
	rows = append(rows, nil)
	return append(rows, leftOutRows(g, width)...)
}

// toldRows is what stands in the section: each fact, and the notes by their names.
func toldRows(in Injected, width int) []typeset.Row {
	g, caps := in.Gathered, in.Caps
	texts, bytes := sectionFacts(g.Section.Text)
	rows := flow(fmt.Sprintf("In it: %s, %d of %d bytes (memory.facts_max_bytes)", counted(int64(len(g.Section.Facts)), "fact"), bytes, caps.FactsMaxBytes), typeset.Bold, width, "", "  ")
	for _, f := range g.Section.Facts {
		if in.Gone[f.ID] {
			rows = append(rows, flow(notTold, typeset.Yellow, width, "  - ", "    ")...)
		} else {
			rows = append(rows, flow(oneLine(texts[f.ID]), typeset.Green, width, "  + ", "    ")...)
		}
		rows = append(rows, flow(fmt.Sprintf("%s, revision %d", f.ID, f.Revision), typeset.Faint, width, "    ", "    ")...)
	}
	notes := noteLines(g.Section.Text)
	if notes > 0 {
		rows = append(rows, flow(counted(notes, "line")+" of MEMORY.md and scratchpad.md", typeset.Green, width, "  + ", "    ")...)
	}
	if len(g.Section.Facts) == 0 && notes == 0 {
		rows = append(rows, typeset.Faint.Row("  nothing"))
	}
	return rows
}

// notTold stands for a fact that a request carried and that may not be told now.
const notTold = "(not told any more: it was forgotten since, or its evidence does not hold)"

// told is the section without what may not be told any more.
func told(in Injected) string {
	var b strings.Builder
	for l := range strings.Lines(in.Gathered.Section.Text) {
		if strings.HasPrefix(l, "{") && in.Gone[gjson.Get(l, "id").Str] {
			l = notTold + "\n"
		}
		b.WriteString(l)
	}
	return b.String()
}

// sectionFacts reads the texts of the facts in a section, by ID, and how many
// bytes their lines take: a fact is the one line that begins with a brace.
func sectionFacts(section string) (texts map[string]string, bytes int) {
	texts = map[string]string{}
	for l := range strings.Lines(section) {
		if strings.HasPrefix(l, "{") {
			texts[gjson.Get(l, "id").Str] = gjson.Get(l, "text").Str
			bytes += len(l)
		}
	}
	return texts, bytes
}

// noteLines counts the lines of notes in a section.
func noteLines(section string) (n int64) {
	for l := range strings.Lines(section) {
		if strings.HasPrefix(l, ">") {
			n++
		}
	}
	return n
}

// leftOutRows is what could have been told and was not, or not all of it.
func leftOutRows(g prompt.Gathered, width int) []typeset.Row {
	rows := []typeset.Row{typeset.Bold.Row("Left out:")}
	for _, l := range g.Looked {
		if l.Why == nil || capped(*l.Why) {
			continue // those that found no room are told below, with their size
		}
		how := typeset.Yellow
		if l.Status != nil {
			how = statusInk(*l.Status)
		}
		rows = append(rows, flow(fmt.Sprintf("%s, revision %d: %s", l.ID, l.Revision, leftOutWords(*l.Why)), how, width, "  - ", "    ")...)
	}
	for _, o := range g.Section.Omitted {
		rows = append(rows, flow(fmt.Sprintf("%s, %s: %s", oneLine(o.What), counted(o.Bytes, "byte"), leftOutWords(o.Why)), typeset.Yellow, width, "  - ", "    ")...)
	}
	for _, w := range g.Warnings {
		rows = append(rows, flow(oneLine(w.What)+": "+explained(w.Err), typeset.Yellow, width, "  - ", "    ")...)
	}
	if len(rows) == 1 {
		rows = append(rows, typeset.Faint.Row(typeset.Fit("  nothing that was looked at", width)))
	}
	if len(g.Looked) >= prompt.MaxLooked {
		rows = append(rows, flow(fmt.Sprintf("Only the %d newest facts are looked at for a request.", prompt.MaxLooked), typeset.Faint, width, "", "  ")...)
	}
	return rows
}

func capped(why string) bool { return why == prompt.WhyMaxBytes || why == prompt.WhyFactsMaxBytes }

// leftOutWords says why something is not in a section.
func leftOutWords(why string) string {
	switch why {
	case prompt.WhyMaxBytes:
		return "no room in the section (memory.max_bytes)"
	case prompt.WhyFactsMaxBytes:
		return "no room among the facts (memory.facts_max_bytes)"
	case prompt.WhyNotText:
		return "it is not UTF-8 text"
	case prompt.WhyRefused:
		return "it may not be read"
	case string(source.Hidden), string(source.Stale), string(source.Missing), string(source.Unverified):
		return why + ": " + statusMeans(source.Status(why))
	}
	return oneLine(why)
}
