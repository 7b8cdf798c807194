package memview

import (
	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

// press is a key: its name, and what it types.
type press struct{ name, text string }

// pressed names a key by what it types, whatever the keyboard's layout, and
// otherwise as Bubble Tea does.
func pressed(m tea.KeyPressMsg) press {
	switch {
	case m.Text == " ":
		return press{"space", m.Text}
	case m.Text != "" && m.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModSuper|tea.ModHyper) == 0:
		return press{m.Text, m.Text}
	}
	name := m.Keystroke()
	if m.Code == tea.KeyKpEnter {
		name = "enter"
	}
	return press{name, ""}
}

// newHelp lists the keys of a screen.
func newHelp(of screen) *sheet {
	return newSheet("keys", func(width int) []typeset.Row {
		rows := []typeset.Row{typeset.Bold.Row("Keys of “" + oneLine(of.title()) + "”")}
		list := append(append([]hint{}, of.hints()...),
			hint{"↑ ↓", "or k j: move, or scroll"}, hint{"pgup pgdn", "or b space: a screen at a time"}, hint{"home end", "or g G: first and last"},
			hint{"tab 1-5", "the other parts, from their tops"}, hint{"ctrl+r", "reads anew"}, hint{"esc q", "goes back; at the top leaves"}, hint{"ctrl+c", "leaves at once"})
		for _, h := range list {
			rows = append(rows, flow(h.does, typeset.None, width, typeset.Pad("  "+h.key, 12)+" ", "             ")...)
		}
		return rows
	})
}
