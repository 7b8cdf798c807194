package memview

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// notesTab is the Markdown files, or the lines of them that a search found.
type notesTab struct {
	list
	listing *note.Listing // nil: nothing was read yet
	err     error
	pattern string      // what was searched for; "": nothing
	found   *note.Found // nil: all files are shown
	search  *editor     // a pattern that is being typed; nil: none
}

func newNotes() *notesTab { return &notesTab{} }

func (n *notesTab) title() string    { return "Notes" }
func (n *notesTab) editing() *editor { return n.search }

func (n *notesTab) hints() []hint {
	if n.search != nil {
		return []hint{{"enter", "searches"}, {"esc", "leaves it"}, {"ctrl+u", "empties"}}
	}
	list := []hint{{"enter", "shows it"}, {"/", "search"}}
	if n.found != nil {
		list = append(list, hint{"a", "all notes"})
	}
	return list
}

func (n *notesTab) load(v *View) tea.Cmd {
	if n.found != nil {
		return n.look(v, n.pattern, n.at)
	}
	return read(v, n, "listing the notes", v.d.Notes, func(got note.Listing, err error) tea.Cmd {
		if n.err = err; err == nil {
			n.listing = &got
		}
		return nil
	})
}

// look searches all notes. What is wrong with a pattern is said, and what is shown stays.
func (n *notesTab) look(v *View, pattern string, at int) tea.Cmd {
	return read(v, n, "searching the notes", func(ctx context.Context) (note.Found, error) {
		return v.d.SearchNotes(ctx, pattern)
	}, func(got note.Found, err error) tea.Cmd {
		if err != nil {
			v.say(explained(err))
			return nil
		}
		n.pattern, n.found, n.at = pattern, &got, at
		return nil
	})
}

func (n *notesTab) all(v *View) tea.Cmd {
	n.pattern, n.found, n.at = "", nil, 0
	return n.load(v)
}

// size is how many things there are to choose from.
func (n *notesTab) size() int {
	switch {
	case n.found != nil:
		return len(n.found.Matches)
	case n.listing != nil:
		return len(n.listing.Notes)
	}
	return 0
}

func (n *notesTab) key(v *View, k press) tea.Cmd {
	if n.search != nil {
		return n.typed(v, k)
	}
	switch {
	case n.move(k.name, n.size(), v.page-2):
	case k.name == "/":
		n.search = newEditor(n.pattern, note.MaxPattern, true)
	case k.name == "a" && n.found != nil:
		return n.all(v)
	case k.name == "enter" && n.size() > 0:
		if n.found != nil {
			m := n.found.Matches[n.at]
			return v.open(newNote(m.File, m.Line))
		}
		return v.open(newNote(n.listing.Notes[n.at].File, 0))
	}
	return nil
}

func (n *notesTab) typed(v *View, k press) tea.Cmd {
	switch k.name {
	case "esc":
		n.search = nil
	case "enter":
		pattern := n.search.text
		n.search = nil
		if pattern == "" {
			return n.all(v)
		}
		return n.look(v, pattern, 0)
	default:
		said, _ := n.search.key(k)
		v.say(said)
	}
	return nil
}

func (n *notesTab) draw(v *View, width, height int) drawn {
	if n.search != nil {
		d := n.search.draw(width, 1, "lines that match: ", "                  ")
		return drawn{append(d.rows, n.body(v, width, height-1)...), d.x, d.y}
	}
	return drawn{n.body(v, width, height), -1, 0}
}

func (n *notesTab) body(v *View, width, height int) []typeset.Row {
	switch {
	case n.err != nil:
		return failed(n.err, width)
	case n.found != nil:
		return n.hits(width, height)
	case n.listing == nil:
		return nil
	}
	rows := skippedRows(n.listing.Skipped, width)
	if len(n.listing.Notes) == 0 {
		return append(rows, flow("There are no notes yet. The agent writes them, or you: `echo '- We use tabs.' | lecode note write --append MEMORY.md`.", typeset.None, width, "", "")...)
	}
	rows = rows[:min(len(rows), height/2)]
	return append(rows, n.list.draw(len(n.listing.Notes), height-len(rows), func(i int) []typeset.Row {
		return []typeset.Row{noteRow(v, n.listing.Notes[i], i == n.at, width)}
	})...)
}

func skippedRows(list []note.Skipped, width int) (rows []typeset.Row) {
	for _, s := range list {
		rows = append(rows, flow(oneLine(s.File)+" is left out: "+explained(s.Err), typeset.Yellow, width, "", "  ")...)
	}
	return rows
}

func noteRow(v *View, n note.Info, chosen bool, width int) typeset.Row {
	how, what := typeset.None, ""
	if chosen {
		how = typeset.Bold
	}
	if width >= 60 {
		what = "  " + typeset.Pad(noteKind(n.File), 24)
	}
	behind := typeset.PadLeft(memory.Size(n.Bytes), 9) + " " + typeset.PadLeft(memory.Age(v.d.Now(), n.Modified), 7)
	return typeset.Row{mark(chosen), how.Of(typeset.Pad(oneLine(n.File), width-2-typeset.Columns(what+behind))), typeset.Faint.Of(what), typeset.Faint.

		// noteKind says what a file is for.
		Of(behind)}
}

func noteKind(file string) string {
	switch {
	case file == note.Memory:
		return "in every prompt"
	case file == note.Scratchpad:
		return "in every prompt, behind"
	case strings.HasPrefix(file, "daily/"):
		return "log of a day"
	}
	return "named note"
}

func (n *notesTab) hits(width, height int) []typeset.Row {
	head := fmt.Sprintf("%s for %s", counted(int64(len(n.found.Matches)), "line"), oneLine(n.pattern))
	if n.found.Truncated {
		head += ", and more: a narrower pattern shows them"
	}
	rows := append(flow(head, typeset.Faint, width, "", "  "), skippedRows(n.found.Skipped, width)...)
	if len(n.found.Matches) == 0 {
		return append(rows, typeset.None.Row(typeset.Fit("Nothing in the notes matches.", width)))
	}
	rows = rows[:min(len(rows), height/2)]
	return append(rows, n.list.draw(len(n.found.Matches), height-len(rows), func(i int) []typeset.Row {
		m := n.found.Matches[i]
		how := typeset.None
		if i == n.at {
			how = typeset.Bold
		}
		return []typeset.Row{
			typeset.Row{mark(i == n.at), typeset.Cyan.Of(fmt.Sprintf("%s:%d", oneLine(m.File), m.Line))}.Fit(width),
			{how.Of(typeset.Fit("    "+oneLine(m.Text), width))},
		}
	})...)
}

// newNote shows a file, from a line on where one is named.
func newNote(file string, line int64) *sheet {
	s := &sheet{name: file}
	s.begin = func(v *View) tea.Cmd {
		return read(v, s, "reading "+file, func(ctx context.Context) (note.Note, error) {
			return v.d.Note(ctx, file)
		}, func(n note.Note, err error) tea.Cmd {
			if err != nil {
				s.put(func(width int) []typeset.Row { return failed(err, width) })
				return nil
			}
			s.put(func(width int) []typeset.Row { return noteRows(n, line, width) })
			s.seek = func(width int) int { return rowOfLine(n, line, width) }
			return nil
		})
	}
	return s
}

// noteRows is a note with the line that was looked for marked.
func noteRows(n note.Note, line int64, width int) []typeset.Row {
	rows := flow(fmt.Sprintf("%s, %s", counted(n.Bytes, "byte"), n.Modified.UTC().Format("2006-01-02 15:04:05 UTC")), typeset.Faint, width, "", "  ")
	if strings.TrimSpace(n.Text) == "" {
		return append(rows, typeset.Faint.Row("(empty)"))
	}
	body, more := cut(strings.TrimPrefix(n.Text, "\ufeff"), maxShown)
	at := int64(0)
	for l := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(body, "\r\n", "\n"), "\n"), "\n") {
		how := typeset.None
		if at++; at == line {
			how = typeset.Reverse
		}
		rows = append(rows, flow(l, how, width, "", "  ")...)
	}
	if more {
		rows = append(rows, flow(fmt.Sprintf("[the first %d of %d bytes; all of it: lecode note read %s]", len(body), n.Bytes, oneLine(n.File)), typeset.Faint, width, "", "  ")...)
	}
	return rows
}

// rowOfLine is the row at which a line of a note begins; 0 where none is looked for.
func rowOfLine(n note.Note, line int64, width int) int {
	if line <= 1 {
		return 0
	}
	before := strings.SplitAfterN(strings.TrimPrefix(n.Text, "\ufeff"), "\n", int(line))
	n.Text = strings.Join(before[:len(before)-1], "")
	return max(0, len(noteRows(n, 0, width))-2)
}
