package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// Word is one word of /memory (seed, "/memory").
type Word struct {
	Name    string
	Usage   string // its arguments, as in "<fact-id> [offset]"
	Summary string
	Writes  bool // refused under LECODE_READONLY and in read-only modes

	least, most int // arguments; the last of most takes what follows, joined by spaces, where rest is set
	rest        bool
	run         func(context.Context, Deps, []string) (Answer, error)
}

// Words is the table of the words, in the order of the help; help and completion come from it.
func Words() []Word {
	return []Word{
		{Name: "show", Summary: "print MEMORY.md", run: show},
		{Name: "edit", Summary: "print all of MEMORY.md for manual editing", run: edit},
		{Name: "search", Usage: "<pattern>", Summary: "search the notes; the pattern is a regular expression (RE2)", least: 1, most: 1, rest: true, run: search},
		{Name: "log", Usage: "[date]", Summary: "print a daily log (YYYY-MM-DD, today by default)", most: 1, run: daily},
		{Name: "notes", Summary: "list named notes", run: notes},
		{Name: "facts", Usage: "[offset]", Summary: "list facts and the latest learning status", most: 1, run: facts},
		{Name: "recall", Usage: "<fact-id> [offset]", Summary: "print a fact with its evidence", least: 1, most: 2, run: recallFact},
		{Name: "read", Usage: "<session-id> <start-seq> <end-seq> [offset]", Summary: "print a range of a session", least: 3, most: 4, run: read},
		{Name: "correct", Usage: "<fact-id> <revision> <session-id> <start-seq> <end-seq> <text>", Summary: "give a fact a new text, with the range as its evidence", Writes: true, least: 6, most: 6, rest: true, run: correct},
		{Name: "forget", Usage: "<fact-id>", Summary: "forget a fact and all that it stands on, for good", Writes: true, least: 1, most: 1, run: forget},
		{Name: "help", Summary: "show this", run: help},
	}
}

// Find returns a word of the table.
func Find(name string) (Word, bool) {
	for _, w := range Words() {
		if w.Name == name {
			return w, true
		}
	}
	return Word{}, false
}

// line is the word with its arguments, as a person types it.
func (w Word) line() string {
	return strings.TrimSuffix(w.Name+" "+w.Usage, " ")
}

// arguments checks how many there are, and joins what the last one takes.
func (w Word) arguments(d Deps, args []string) ([]string, error) {
	if w.rest && len(args) > w.most {
		args = append(args[:w.most-1:w.most-1], strings.Join(args[w.most-1:], " "))
	}
	if len(args) >= w.least && len(args) <= w.most {
		return args, nil
	}
	return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s takes %s, not %d", w.Name, w.count(), len(args)),
		"usage: "+d.Call.line(w.line()))
}

func (w Word) count() string {
	switch {
	case w.most == 0:
		return "no argument"
	case w.least == w.most && w.most == 1:
		return "one argument"
	case w.least == w.most:
		return fmt.Sprintf("%d arguments", w.most)
	}
	return fmt.Sprintf("%d to %d arguments", w.least, w.most)
}

// help shows the table.
func help(_ context.Context, d Deps, _ []string) (Answer, error) {
	return Answer{Value: Words(), print: func(p *page) {
		for _, w := range Words() {
			p.line("", "    ", d.Call.line(w.line()), "")
			p.line("      ", "      ", w.Summary, dim)
		}
	}}, nil
}
