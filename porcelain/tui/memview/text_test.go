package memview

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/porcelain/memory"
	"github.com/lecode/lecode/porcelain/tui/typeset"
	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
)

func TestFlow(t *testing.T) {
	for _, c := range []struct {
		in          string
		width       int
		first, next string
		want        []string
	}{
		{"", 5, "", "", []string{""}},
		{"one two three", 7, "", "", []string{"one two", "three"}},
		{"abcdefgh", 3, "", "", []string{"abc", "def", "gh"}},
		{"漢字漢字", 5, "", "", []string{"漢字", "漢字"}},
		{"漢", 1, "", "", []string{"…"}},
		{"a\tb\r\nc", 8, "", "", []string{"a   b", "c"}},
		{"one two", 6, "- ", "  ", []string{"- one", "  two"}},
		{"one two", 3, "--- ", "    ", []string{"one", "two"}},
		{"  indented words", 10, "", "", []string{"  indented", "words"}},
		{"a\n\nb\n", 5, "> ", "| ", []string{"> a", "| ", "| b", "| "}},
	} {
		var got []string
		for _, r := range flow(c.in, typeset.None, c.width, c.first, c.next) {
			got = append(got, r.Write(false))
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("flow(%q, %d): -want +got\n%s", c.in, c.width, d)
		}
	}
}

// TestLaidOut: no row is too wide, and none loses a letter, whatever the text.
func TestLaidOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := func(s string) string {
		return strings.Map(func(c rune) rune { return map[bool]rune{true: -1, false: c}[c == ' ' || c == '\n' || c == '\t'] }, s)
	}
	for range 3000 {
		width, text := 2+r.IntN(40), typesettest.Text(r, r.IntN(60))
		var lines []string
		for _, row := range flow(text, typeset.Red, width, "  - ", "    ") {
			lines = append(lines, row.Write(true))
		}
		typesettest.Check(t, "screen", lines, width)
		if width < 30 {
			continue // where a character may be wider than a line
		}
		var all strings.Builder
		for _, l := range flow(text, typeset.None, width, "", "") {
			all.WriteString(l.Write(false))
		}
		if d := cmp.Diff(letters(typeset.Clean(text)), letters(all.String())); d != "" {
			t.Fatalf("%q at %d: %s", text, width, d)
		}
	}
}

// TestNeverTooWide: with hostile text in everything that is shown, each screen fits each size.
func TestNeverTooWide(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	paths := [][]string{nil, {"w"}, {"r"}, {"f"}, {"f", "y"}, {"c"}, {"c", "enter"}, {"c", "enter", "space", "up", "enter"}, {"c", "enter", "enter", "enter"}, {"/", "a"},
		{"2"}, {"2", "enter"}, {"2", "/", "x", "enter"}, {"3"}, {"3", "enter"}, {"3", "down", "a"}, {"4"}, {"4", "enter"}, {"5"}, {"5", "enter"}, {"?"}}
	for round := range 8 {
		f := newFake()
		f.Colour = round%2 == 0
		f.texts = map[string]string{"": typesettest.Text(r, 20)}
		for _, keys := range paths {
			h := newHand(t, f)
			h.press(keys...)
			if e := h.top().editing(); e != nil {
				h.run(h.Update(tea.PasteMsg{Content: typesettest.Text(r, 40)}))
				h.press("up", "left", "backspace", "home", "end", "down", "delete", "ctrl+w")
				if !utf8.ValidString(e.text) || e.at < 0 || e.at > len(e.text) {
					t.Fatalf("the text broke: %q at %d", e.text, e.at)
				}
			}
			for range 6 {
				h.screen(40+r.IntN(120), 10+r.IntN(40))
				h.screen(1+r.IntN(39), 1+r.IntN(9))
				h.press([]string{"down", "pgdown", "end", "up"}[r.IntN(4)])
			}
		}
	}
}

// TestEditor: keys move by what a reader counts as characters.
func TestEditor(t *testing.T) {
	for _, c := range []struct {
		text string
		keys []string
		want string // with | for the cursor
	}{
		{"one two", []string{"ctrl+w"}, "one |"},
		{"one two", []string{"left", "left", "ctrl+u"}, "|wo"},
		{"one two", []string{"home", "right", "ctrl+k"}, "o|"},
		{"ae\u0301漢", []string{"backspace", "backspace"}, "a|"},
		{"👩‍👩‍👧‍👦x", []string{"home", "delete"}, "|x"},
		{"ab\ncd", []string{"home", "backspace"}, "ab|cd"},
		{"abc\nd", []string{"up", "X"}, "aX|bc\nd"},
		{"abc\ndefg", []string{"home", "left", "down", "X"}, "abc\ndefX|g"},
		{"", []string{"left", "backspace", "up", "delete", "right", "ctrl+w", "é"}, "é|"},
		{"x", []string{"alt+enter", "y"}, "x\ny|"},
	} {
		e := newEditor(c.text, 100, false)
		for _, k := range c.keys {
			for _, m := range presses(k) {
				e.key(pressed(m.(tea.KeyPressMsg)))
			}
		}
		if got := e.text[:e.at] + "|" + e.text[e.at:]; got != c.want {
			t.Errorf("%q %v: %q, want %q", c.text, c.keys, got, c.want)
		}
	}
	one := newEditor("", 10, true)
	if _, ok := one.key(press{"alt+enter", ""}); ok || one.paste("a\r\nb\n") != "" || one.text != "a b" {
		t.Errorf("one line: %q", one.text)
	}
	if one.insert("12345678") == "" || one.text != "a b" {
		t.Errorf("too long: %q", one.text)
	}
}

// TestEditorRow: a cursor behind a full row stands at the beginning of the next.
func TestEditorRow(t *testing.T) {
	e := newEditor("abcdef", 100, false)
	d := e.draw(5, 10, "> ", "  ")
	if len(d.rows) != 3 || d.x != 2 || d.y != 2 {
		t.Errorf("%d rows, cursor %d %d", len(d.rows), d.x, d.y)
	}
}

// TestConcurrently: while commands end in any order, what is shown is whole, and the last answer stays.
func TestConcurrently(t *testing.T) {
	f := newFake()
	v := New(t.Context(), f.Deps)
	v.tick = func() tea.Cmd { return nil }
	msgs := make(chan tea.Msg)
	var work sync.WaitGroup
	var run func(cmd tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		work.Go(func() {
			msg := cmd()
			if batch, ok := msg.(tea.BatchMsg); ok {
				for _, c := range batch {
					run(c)
				}
				return
			}
			msgs <- msg
		})
	}
	run(v.Init())
	keys := []string{"ctrl+r", "tab", "w", "esc", "1", "f", "y", "esc", "c", "enter", "esc", "esc", "4", "5", "enter", "esc", "ctrl+r", "1"}
	for i := range 400 {
		if keys[i%len(keys)] == "esc" && len(v.stack) == 0 {
			continue // it would leave
		}
		for _, m := range presses(keys[i%len(keys)]) {
			run(v.Update(m))
		}
		select {
		case m := <-msgs:
			run(v.Update(m))
		default:
		}
		lines, _, _ := v.View(80, 24)
		typesettest.Check(t, "screen", lines, 80)
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	for open := true; open; {
		select {
		case m := <-msgs:
			run(v.Update(m))
		case <-done:
			open = false
		}
	}
	if n := len(v.running); n > 0 {
		t.Errorf("%d jobs run for ever", n)
	}
}

// TestWordsOfCodes: every code has words of its own; one that nobody knows is shown as it is.
func TestWordsOfCodes(t *testing.T) {
	for _, s := range []string{outcomeWords("x\n"), reasonWords("x\n"), leftOutWords("x\n"), madeWords("x\n")} {
		if s != "x" {
			t.Errorf("%q", s)
		}
	}
	if got := fmt.Sprint(memory.Size(42), memory.Size(12_345), since(noon, "2026-12-01T12:00:00.000Z"), since(noon, "x"), memory.Age(noon, noon)); got != "42 B12 KiB24 hnow" && got != "42 B 12 KiB 24 h  now" {
		t.Errorf("%q", got)
	}
}
