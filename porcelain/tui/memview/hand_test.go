package memview

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
)

// hand is a person at a view.
type hand struct {
	*View
	t *testing.T
	f *fake
}

// newHand opens a view; a nil fake is one with a bit of everything.
func newHand(t *testing.T, f *fake) *hand {
	t.Helper()
	if f == nil {
		f = newFake()
	}
	h := &hand{New(t.Context(), f.Deps), t, f}
	h.tick = func() tea.Cmd { return nil }
	h.run(h.Init())
	return h
}

// run runs a command, and what comes of it, one after the other.
func (h *hand) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if v := reflect.ValueOf(msg); v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem() == reflect.TypeFor[tea.Cmd]() {
		for i := range v.Len() {
			h.run(v.Index(i).Interface().(tea.Cmd))
		}
		return
	}
	if msg != nil {
		h.run(h.Update(msg))
	}
}

// press types; a name in the table is a key, anything else is typed letter by letter.
func (h *hand) press(keys ...string) {
	h.t.Helper()
	for _, k := range keys {
		for _, m := range presses(k) {
			h.run(h.Update(m))
		}
	}
}

func presses(k string) (msgs []tea.Msg) {
	special := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "tab": {Code: tea.KeyTab},
		"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "backspace": {Code: tea.KeyBackspace},
		"delete": {Code: tea.KeyDelete}, "space": {Code: tea.KeySpace, Text: " "}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
		"pgdown": {Code: tea.KeyPgDown}, "pgup": {Code: tea.KeyPgUp}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	}
	if m, ok := special[k]; ok {
		return []tea.Msg{m}
	}
	if rest, ok := strings.CutPrefix(k, "ctrl+"); ok && len(rest) == 1 {
		return []tea.Msg{tea.KeyPressMsg{Code: rune(rest[0]), Mod: tea.ModCtrl}}
	}
	for _, r := range k {
		msgs = append(msgs, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return msgs
}

// screen is what is seen, checked to fit.
func (h *hand) screen(width, height int) string {
	h.t.Helper()
	lines, x, y := h.View.View(width, height)
	if len(lines) > height || x >= width || y >= height {
		h.t.Fatalf("%d lines of %d, cursor %d %d", len(lines), height, x, y)
	}
	typesettest.Check(h.t, "screen", lines, width)
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// sees checks that words are on the screen, line breaks apart.
func (h *hand) sees(words ...string) {
	h.t.Helper()
	got := h.screen(100, 40)
	flat := strings.Join(strings.Fields(got), " ")
	for _, w := range words {
		if !strings.Contains(flat, w) {
			h.t.Errorf("%q is not on the screen:\n%s", w, got)
		}
	}
}
