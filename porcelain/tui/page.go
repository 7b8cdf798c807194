package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Page is a view that takes the whole screen, such as the list of calls or the
// memory. The conversation goes on behind it, and what is printed waits until it
// is closed.
type Page interface {
	Init() tea.Cmd
	// Update takes a key, a paste, or a message that one of its commands gave.
	Update(msg tea.Msg) tea.Cmd
	// View is at most height lines, none wider than width. x and y place the
	// cursor; x below 0 hides it.
	View(width, height int) (lines []string, x, y int)
	// Done reports whether the person has left it.
	Done() bool
	// Close ends what it does, without waiting for it; it is called once.
	Close()
	// Wait waits, after Close, until nothing of it runs.
	Wait()
}

// pageFor is the page that a line opens instead of being run; nil: none. A
// further page plugs in here, and where a key opens it in Screen.key.
func (s *Screen) pageFor(text string) Page {
	if s.session != nil && s.session.Memory != nil && strings.TrimSpace(text) == "/memory" {
		return s.session.Memory(s.ctx)
	}
	return nil
}

// pageOnTop reports whether a page has the screen and the keys. A question goes
// before it: what a page asked for may be what the question is about.
func (s *Screen) pageOnTop() bool { return s.page != nil && len(s.asked) == 0 }

// show opens a page.
func (s *Screen) show(p Page) tea.Cmd {
	s.leavePage()
	s.page = p
	s.printer.held = true
	return p.Init()
}
