package tui

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

const (
	maxOffered = 50 // completions that are offered
	maxMenu    = 6  // of which so many are shown at once
)

// menu is what the word before the cursor may become.
type menu struct {
	offers []string // whole replacements of text[from:to]
	from   int
	to     int
	at     int
	closed string // the text that it was closed at: it stays so until another is typed

	files []string // of the checkout, once somebody wanted them
	asked bool
}

type filesMsg []string

func (m *menu) open() bool { return len(m.offers) > 0 }

func (m *menu) close(text string) { m.offers, m.closed = nil, text }

// look finds what the text may become; it gives a command where it has to ask first.
func (m *menu) look(in *input, s *Session, ctx context.Context) tea.Cmd {
	m.offers, m.at = nil, 0
	if in.text == m.closed && in.text != "" || s == nil {
		return nil
	}
	m.closed = ""
	if word, from, ok := fileWord(in); ok {
		if !m.asked && s.Files != nil {
			m.asked = true
			return func() tea.Msg { return filesMsg(s.Files(ctx)) }
		}
		m.from, m.to = from, in.at
		m.offers = ranked(m.files, word)
		return nil
	}
	if strings.HasPrefix(in.text, "/") && in.at == len(in.text) && !strings.Contains(in.text, "\n") {
		m.from, m.to = 0, len(in.text)
		m.offers = slices.DeleteFunc(slash.Complete(in.text, s.Names), func(o string) bool { return o == in.text || !shown(o) })
		m.offers = m.offers[:min(len(m.offers), maxOffered)]
	}
	return nil
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
func ranked(files []string, word string) []string {
	word = strings.ToLower(word)
	var by [3][]string
	for _, f := range files {
		low := strings.ToLower(f)
		base := low[strings.LastIndexByte(strings.TrimSuffix(low, "/"), '/')+1:]
		switch {
		case strings.HasPrefix(low, word), strings.HasPrefix(base, word):
			by[0] = append(by[0], f)
		case strings.Contains(low, word):
			by[1] = append(by[1], f)
		case subsequence(low, word):
			by[2] = append(by[2], f)
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

func (m *menu) move(by int) { m.at = (m.at + by + len(m.offers)) % len(m.offers) }

// view is the menu, the chosen one marked.
func (m *menu) view(width, height int) []typeset.Row {
	height = min(height, maxMenu, len(m.offers))
	if height <= 0 {
		return nil
	}
	first := max(0, min(m.at-height/2, len(m.offers)-height))
	rows := make([]typeset.Row, 0, height)
	for i := first; i < first+height; i++ {
		mark, how := "  ", typeset.None
		if i == m.at {
			mark, how = "› ", typeset.Bold
		}
		rows = append(rows, how.Row(typeset.Fit(typeset.Untab(mark+m.offers[i], 0), width)))
	}
	return rows
}
