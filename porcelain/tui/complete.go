package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

const (
	maxOffered = 50 // completions that are offered
	maxMenu    = 8  // of which so many are shown at once
)

// menu is what the word before the cursor may become.
type menu struct {
	offers []string // whole replacements of text[from:to]
	from   int
	to     int
	at     int
	moved  bool   // the person chose one
	exact  bool   // what is typed is one of them
	closed string // the text that it was closed at: it stays so until another is typed

	files  filesMsg // of the checkout, once somebody wanted them
	asked  bool     // for the files, since the last turn
	asking bool     // for the names that a command may be given
}

// filesMsg is the files of a checkout, and the same in lower case.
type filesMsg struct{ names, low []string }

// offersMsg is what a line that begins with a command may become.
type offersMsg struct {
	line   string
	offers []string
}

func (m *menu) open() bool { return len(m.offers) > 0 }

func (m *menu) close(text string) { m.offers, m.closed = nil, text }

// complete finds what the text may become. What is not known yet is asked for
// beside, since stores and folders are read for it.
func (s *Screen) complete() {
	m, in := &s.menu, &s.input
	m.offers, m.at, m.moved, m.exact = nil, 0, false, false
	if in.text == m.closed && in.text != "" || s.session == nil || len(s.asked) > 0 || s.quitting {
		return
	}
	m.closed = ""
	if word, from, ok := fileWord(in); ok {
		s.askFiles()
		m.from, m.to = from, in.at
		m.offers = m.files.ranked(word)
		return
	}
	if !strings.HasPrefix(in.text, "/") || in.at != len(in.text) || strings.Contains(in.text, "\n") {
		return
	}
	if !strings.Contains(in.text, " ") {
		s.offered(offersMsg{in.text, slash.Complete(in.text, slash.Source{})})
		return
	}
	s.askNames(in.text)
}

// askFiles asks for the files of the checkout, once after each turn.
func (s *Screen) askFiles() {
	files := s.session.Files
	if s.menu.asked || files == nil {
		return
	}
	s.menu.asked = true
	s.beside(func(ctx context.Context) any {
		m := filesMsg{names: files(ctx)}
		for _, f := range m.names {
			m.low = append(m.low, strings.ToLower(f))
		}
		return m
	})
}

// askNames asks what a command may be given, one line at a time.
func (s *Screen) askNames(line string) {
	if s.menu.asking {
		return
	}
	s.menu.asking = true
	names := s.session.Names
	s.beside(func(context.Context) any { return offersMsg{line, slash.Complete(line, names)} })
}

// offered shows what a line may become, or asks again where another is there by now.
func (s *Screen) offered(o offersMsg) {
	m, in := &s.menu, &s.input
	m.asking = false
	if o.line != in.text {
		s.complete()
		return
	}
	m.from, m.to, m.at, m.moved = 0, len(in.text), 0, false
	m.exact = slices.Contains(o.offers, in.text)
	m.offers = slices.DeleteFunc(o.offers, func(o string) bool { return o == in.text || !shown(o) })
	m.offers = m.offers[:min(len(m.offers), maxOffered)]
}

// fileWord is what follows an "@" before the cursor that begins a word.
func fileWord(in *input) (word string, from int, ok bool) {
	left := in.text[:in.at]
	i := strings.LastIndexByte(left, '@')
	if i < 0 || strings.ContainsAny(left[i:], " \n\t") {
		return "", 0, false
	}
	if i > 0 && !strings.ContainsAny(left[i-1:i], " \n\t(\"'") {
		return "", 0, false
	}
	return left[i+1:], i, true
}

// ranked are the files that a word may mean, the best first: those whose name
// begins with it, then those whose path holds it, then those that have its
// letters in order. Letters are compared whatever their case.
func (f filesMsg) ranked(word string) []string {
	word = strings.ToLower(word)
	var by [3][]string
	for i, low := range f.low {
		base := low[strings.LastIndexByte(low, '/')+1:]
		switch {
		case strings.HasPrefix(low, word), strings.HasPrefix(base, word):
			by[0] = append(by[0], f.names[i])
		case strings.Contains(low, word):
			by[1] = append(by[1], f.names[i])
		case subsequence(low, word):
			by[2] = append(by[2], f.names[i])
		}
		if len(by[0]) == maxOffered {
			break
		}
	}
	all := slices.Concat(by[0], by[1], by[2])
	all = slices.DeleteFunc(all, func(f string) bool { return !shown(f) })
	all = all[:min(len(all), maxOffered)]
	for i, f := range all {
		all[i] = "@" + f + " "
	}
	return all
}

func subsequence(text, word string) bool {
	for _, r := range word {
		_, rest, found := strings.Cut(text, string(r))
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// shown reports whether an offer can be read as it is: what it would put into the input must be what is seen.
func shown(offer string) bool {
	return utf8.ValidString(offer) && typeset.Clean(offer) == offer && !strings.Contains(offer, "\n")
}

// accept puts the chosen one in.
func (m *menu) accept(in *input) {
	offer := m.offers[m.at]
	in.text = in.text[:m.from] + offer + in.text[m.to:]
	in.at = m.from + len(offer)
	m.offers = nil
}

func (m *menu) move(by int) {
	m.at, m.moved = (m.at+by+len(m.offers))%len(m.offers), true
}

// asTyped reports whether enter takes the line as it is rather than an offer:
// it is a command already, or one whose argument has not been begun.
func (m *menu) asTyped(text string) bool {
	name, _, args := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	_, known := slash.Find(name)
	return !m.moved && strings.HasPrefix(text, "/") && (m.exact || known && (!args || strings.HasSuffix(text, " ")))
}

// runsAlone reports whether a line is a command that needs nothing behind it.
func runsAlone(text string) bool {
	c, ok := slash.Find(strings.TrimPrefix(text, "/"))
	return ok && (c.Usage == "" || c.Usage[0] == '[' || c.Name == "memory")
}

// view is the menu, the chosen one marked; a command has beside it what it does.
func (m *menu) view(width, height int) []typeset.Row {
	height = min(height, maxMenu, len(m.offers))
	if height <= 0 {
		return nil
	}
	shown := height
	if shown > 1 && len(m.offers) > shown {
		shown-- // the last row says how many there are
	}
	first := max(0, min(m.at-shown/2, len(m.offers)-shown))
	seen := m.offers[first : first+shown]
	wide := 0
	for _, o := range seen {
		wide = max(wide, typeset.Columns(o))
	}
	rows := make([]typeset.Row, 0, height)
	for i, o := range seen {
		mark, how := "  ", typeset.None
		if first+i == m.at {
			mark, how = "› ", typeset.Bold
		}
		r := how.Row(typeset.Untab(mark+o, 0))
		if does := slash.Describe(o); does != "" {
			r = typeset.Row{how.Of(mark + typeset.Pad(o, wide)), typeset.Faint.Of("  " + does)}
		}
		rows = append(rows, r.Fit(width))
	}
	if shown < height {
		rows = append(rows, typeset.Faint.Row(typeset.Fit(fmt.Sprintf("  … %d of %d", m.at+1, len(m.offers)), width)))
	}
	return rows
}
