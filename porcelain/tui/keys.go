package tui

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/permission"
	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// key does what a key says: for a page, a question, the menu or the input, in this order.
func (s *Screen) key(k tea.KeyPressMsg) tea.Cmd {
	key := k.Keystroke()
	leaving := s.leaving
	s.hint, s.leaving = "", false
	switch {
	case s.quitting:
		return nil
	case s.pageOnTop():
		return s.turnPage(k)
	case key == "ctrl+c":
		return s.ctrlC(leaving)
	case key == "ctrl+z":
		return tea.Suspend
	case key == "ctrl+l":
		return s.rewrite(s.printer.resize)
	case key == "ctrl+o" && len(s.asked) == 0:
		return s.show(newCallsPage(&s.calls, s.o.Colour))
	case key == "alt+m" && len(s.asked) == 0:
		if p := s.pageFor("/memory"); p != nil {
			return s.show(p)
		}
		return nil
	case s.asks():
		return s.answerKey(key)
	}
	s.typed++
	if len(s.asked) > 0 && key != "esc" {
		s.hint = questionWaits
	} else if cmd, ok := s.menuKey(key); ok {
		return cmd
	}
	if cmd, ok := s.lineKey(key); ok {
		return cmd
	}
	if !s.input.edit(key) && k.Text != "" {
		if !s.input.insert(k.Text) {
			s.hint = "the input is full: 1 MiB at most"
		}
	}
	s.complete()
	return nil
}

// ctrlC clears the line; where there is none it interrupts, and twice it leaves.
func (s *Screen) ctrlC(leaving bool) tea.Cmd {
	switch {
	case len(s.asked) > 0 && !leaving: // what is written stays; it is not seen now
		s.interrupt()
		s.leaving, s.hint = true, "ctrl+c again leaves"
	case s.input.text != "" && len(s.asked) == 0:
		s.history.add(s.input.take())
		s.menu.close("")
	case leaving:
		return s.quit()
	default:
		s.interrupt()
		s.leaving, s.hint = true, "ctrl+c again leaves"
	}
	return nil
}

// answerKey answers the question that is shown.
func (s *Screen) answerKey(key string) tea.Cmd {
	q := s.asked[0]
	answer := q.key(key, q.page(s.height))
	switch {
	case key == "esc" && s.turn != nil && s.page == nil:
		s.interrupt()
		return nil
	case key == "esc": // a page asked, or something else that no turn is
		answer = permission.Refuse
	case key == "enter" && answer == "":
		s.hint = "a letter answers, or an arrow and enter"
	}
	if answer == "" {
		return nil
	}
	if answer != permission.Refuse && q.small {
		s.hint = "" // the answers say so
		return nil
	}
	if answer != permission.Refuse && q.seen < q.must {
		s.hint = "there is more of it below: look at its end first (end or down), or deny it"
		return nil
	}
	s.asked = s.asked[1:]
	q.answer <- answer
	if answer == permission.Always {
		s.keep(q.need)
	}
	return nil
}

// keep writes an "always" into the settings, beside what runs.
func (s *Screen) keep(n permission.Need) {
	keep := s.session.Keep
	if keep == nil {
		return
	}
	s.beside(func(ctx context.Context) any {
		where, err := keep(ctx, n)
		switch {
		case errors.Is(err, plumbing.ErrNo):
			return note{typeset.Yellow, "allowed until the end: " + plumbing.Explain(err)}
		case err != nil:
			return note{typeset.Red, "allowed until the end, but not kept: " + plumbing.Explain(err)}
		}
		return note{typeset.Faint, "always allowed from now on: " + where}
	})
}

// menuKey does what a key says to an open menu; false: it means the input.
func (s *Screen) menuKey(key string) (tea.Cmd, bool) {
	if !s.menu.open() || key == "enter" && s.menu.asTyped(s.input.text) {
		return nil, false
	}
	switch key {
	case "up", "ctrl+p":
		s.menu.move(-1)
	case "down", "ctrl+n":
		s.menu.move(1)
	case "esc":
		s.menu.close(s.input.text)
	case "tab":
		s.menu.accept(&s.input)
		if text := s.input.text; strings.HasPrefix(text, "/") && !strings.Contains(text, " ") {
			s.input.insert(" ")
			s.complete() // what it may be given
		}
	case "enter":
		if s.input.text == "/" && !s.menu.moved {
			s.hint = "type a command, or choose one with the arrows"
			return nil, true
		}
		s.menu.accept(&s.input)
		if runsAlone(s.input.text) {
			return s.submit(s.input.take()), true
		}
	default:
		return nil, false
	}
	return nil, true
}

// lineKey does what a key says to the input as a whole.
func (s *Screen) lineKey(key string) (tea.Cmd, bool) {
	switch key {
	case "enter":
		if s.input.continued() {
			return nil, true
		}
		text := s.input.take()
		s.menu.close("")
		return s.submit(text), true
	case "esc":
		s.interrupt()
	case "ctrl+d":
		if s.input.text == "" {
			return s.quit(), true
		}
		s.input.edit("delete")
	case "up":
		s.older()
	case "down":
		s.newer()
	case "ctrl+p":
		if text, ok := s.history.older(s.input.text); ok {
			s.input.set(text)
		}
	case "ctrl+n":
		if text, ok := s.history.newer(); ok {
			s.input.set(text)
		}
	case "tab":
	default:
		return nil, false
	}
	return nil, true
}

// older goes a line up, or at the first one to what waits, and then to what was sent before.
func (s *Screen) older() {
	if s.input.up() {
		return
	}
	if n := len(s.queue); n > 0 && s.input.text == "" {
		s.input.set(s.queue[n-1])
		s.queue = s.queue[:n-1]
		return
	}
	if text, ok := s.history.older(s.input.text); ok {
		s.input.set(text)
		s.menu.close(text)
	}
}

func (s *Screen) newer() {
	if s.input.down() {
		return
	}
	if text, ok := s.history.newer(); ok {
		s.input.set(text)
		s.menu.close(text)
	}
}

// paste takes pasted text as it is; to a question it is nothing.
func (s *Screen) paste(m tea.PasteMsg) tea.Cmd {
	if s.pageOnTop() {
		return s.turnPage(m)
	}
	if s.asks() || s.quitting {
		return nil
	}
	s.typed++
	s.leaving, s.hint = false, ""
	if !s.input.insert(pasted(m.Content)) {
		s.hint = "the paste is too long: 1 MiB at most; nothing of it was taken"
	}
	s.complete()
	return nil
}
