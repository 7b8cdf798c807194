package tui

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/porcelain/slash"
	"github.com/lecode/lecode/porcelain/tui/typeset"
	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
)

func TestEdit(t *testing.T) {
	for _, c := range []struct {
		start string // | is the cursor
		keys  []string
		want  string
	}{
		{"one two|", []string{"ctrl+w"}, "one |"},
		{"one two|", []string{"alt+b", "alt+b"}, "|one two"},
		{"|one two", []string{"alt+f"}, "one| two"},
		{"a\nbc|d", []string{"ctrl+u"}, "a\n|d"},
		{"a|b\ncd", []string{"ctrl+k", "ctrl+k"}, "a|cd"},
		{"e\u0301👩‍👩‍👧|", []string{"backspace"}, "e\u0301|"},
		{"e\u0301|", []string{"left"}, "|e\u0301"},
		{"|漢字", []string{"right", "delete"}, "漢|"},
		{"word|", []string{"ctrl+w", "ctrl+y", "ctrl+y"}, "wordword|"},
		{"é, è|", []string{"ctrl+w"}, "é, |"},
		{"“é” x|", []string{"alt+b", "alt+b"}, "“|é” x"},
		{"ab|", []string{"home", "ctrl+j"}, "\n|ab"},
		{"", []string{"backspace", "delete", "left", "right", "ctrl+w", "ctrl+k"}, "|"},
	} {
		before, after, _ := strings.Cut(c.start, "|")
		in := input{text: before + after, at: len(before)}
		for _, k := range c.keys {
			in.edit(k)
		}
		if got := in.text[:in.at] + "|" + in.text[in.at:]; got != c.want {
			t.Errorf("%q %v: %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestUpDown(t *testing.T) {
	in := input{}
	in.set("long line\nab\n漢字漢字")
	var at []string
	for in.up() {
		at = append(at, in.text[in.at:min(len(in.text), in.at+1)])
	}
	for in.down() {
	}
	if d := cmp.Diff([]string{"\n", "n"}, at); d != "" || in.at == 0 {
		t.Errorf("at %d: %s", in.at, d)
	}
}

// TestPaste: newlines, tabs and what is not seen are kept byte for byte, and shown visibly.
func TestPaste(t *testing.T) {
	s, f, printed := newTest(t)
	s.send(t, printed, tea.PasteMsg{Content: "a:\r\n\tb\u200b\x1b[31m"})
	golden(t, "paste.txt", s.text())
	s.send(t, printed, press("enter")...)
	s.wait(t, printed, "prompt", func() bool { return s.turn == nil && len(f.said()) == 1 })
	if got := f.said()[0]; got != "a:\n\tb\u200b\x1b[31m" {
		t.Errorf("sent %q", got)
	}
	s.send(t, printed, tea.PasteMsg{Content: strings.Repeat("x", maxInput+1)})
	if s.input.text != "" || !strings.Contains(s.hint, "too long") {
		t.Errorf("%d bytes taken, hint %q", len(s.input.text), s.hint)
	}
}

func TestNewlines(t *testing.T) {
	s, _, printed := newTest(t)
	s.send(t, printed, press("a", "alt+enter", "b", "ctrl+j", `c\`, "enter", "d")...)
	if s.input.text != "a\nb\nc\nd" || s.turn != nil {
		t.Errorf("%q", s.input.text)
	}
}

func TestHistory(t *testing.T) {
	s, f, printed := newTest(t)
	s.send(t, printed, arrived{saidMsg{"long ago"}})
	for _, p := range []string{"one", "two"} {
		s.send(t, printed, press(p, "enter")...)
		s.wait(t, printed, p, func() bool { return s.turn == nil && slices.Contains(f.said(), p) })
	}
	var got []string
	s.send(t, printed, press("draft")...)
	for _, k := range []string{"up", "up", "up", "up", "down", "down", "down", "down"} {
		s.send(t, printed, press(k)...)
		got = append(got, s.input.text)
	}
	if d := cmp.Diff([]string{"two", "one", "long ago", "long ago", "one", "two", "draft", "draft"}, got); d != "" {
		t.Error(d)
	}
}

// TestInputView: the cursor is on the screen wherever it is in the text.
func TestInputView(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		in := input{}
		in.set(pasted(typesettest.Text(r, r.IntN(60))))
		for range r.IntN(30) {
			in.edit([]string{"left", "ctrl+left", "home"}[r.IntN(3)])
			in.up()
		}
		width, height := 4+r.IntN(40), 1+r.IntN(10)
		rows, x, y := in.view(width, height, "> ", typeset.None)
		if y < 0 || y >= len(rows) || x < 0 || x >= width || len(rows) > height {
			t.Fatalf("%q at %d, %d×%d: cursor %d,%d in %d rows", in.text, in.at, width, height, x, y, len(rows))
		}
		typesettest.Check(t, "input", typeset.Lines(rows, false), width)
	}
}

func TestMenu(t *testing.T) {
	s, f, printed := newTest(t)
	s.session.Files = func(context.Context) []string {
		return []string{"cmd/main.go", "main.txt", "x/domain.go", "bad\x1bname"}
	}
	s.send(t, printed, press("look at @main")...)
	s.wait(t, printed, "files", s.menu.open)
	golden(t, "menu.txt", s.text())
	s.history.add("sent before")
	s.send(t, printed, press("down", "up", "down", "tab")...)
	if s.input.text != "look at @main.txt " {
		t.Errorf("%q", s.input.text)
	}
	for _, c := range []struct {
		keys      []string
		ran, left string
	}{
		{[]string{"/usa", "enter"}, "/usage", ""},
		{[]string{"/mode", "enter"}, "/mode", ""}, // not /model
		{[]string{"/mode ", "enter"}, "/mode ", ""},
		{[]string{"/mode", "down", "enter"}, "/model", ""},
		{[]string{"/res", "enter"}, "", "/resume"},
		{[]string{"/usa", "tab"}, "", "/usage "},
		{[]string{"/", "enter"}, "", "/"},
		{[]string{"/", "down", "up", "enter"}, "/chain", ""},
	} {
		s, _, printed := newTest(t)
		s.send(t, printed, press(c.keys...)...)
		if c.ran != "" {
			s.wait(t, printed, "end", func() bool { return s.turn == nil })
		}
		if ran := strings.Contains(printed.String(), "ran "+c.ran); ran != (c.ran != "") || s.input.text != c.left {
			t.Errorf("%q: input %q, printed %q", c.keys, s.input.text, printed)
		}
	}
	s.send(t, printed, press("ctrl+c")...)
	s.session.Names = slash.Source{Models: func() []string { return []string{"tape", "bad\u200bname"} }}
	s.send(t, printed, press("ctrl+c", "/model ")...)
	s.wait(t, printed, "models", s.menu.open)
	if d := cmp.Diff([]string{"/model tape"}, s.menu.offers); d != "" {
		t.Error(d)
	}
	s.turn = &turn{cancel: func() { t.Error("esc that closes the menu ends the turn") }}
	s.send(t, printed, press("esc")...)
	s.turn = nil
	if s.menu.open() || len(f.said()) > 0 {
		t.Error("esc does not close the menu")
	}
	s.send(t, printed, press("ctrl+c", "mail@main")...)
	if s.menu.open() {
		t.Error("an address is taken for a file")
	}
}

func FuzzInput(f *testing.F) {
	f.Add("a\nb", "left up ctrl+w")
	f.Add("é漢👩‍👩‍👧", "ctrl+left delete backspace")
	f.Fuzz(func(t *testing.T, text, keys string) {
		in := input{}
		in.set(text)
		for k := range strings.FieldsSeq(keys) {
			if !in.edit(k) {
				in.up()
			}
			if in.at < 0 || in.at > len(in.text) {
				t.Fatalf("the cursor is at %d of %d", in.at, len(in.text))
			}
		}
		in.view(20, 5, "> ", typeset.None)
	})
}

// TestDraftIsKept: what was being written comes back, also after something older was sent.
func TestDraftIsKept(t *testing.T) {
	s, _, printed := newTest(t)
	s.turn = &turn{cancel: func() {}}
	s.send(t, printed, press("sent", "enter", "a draft", "up", "up", "enter")...)
	if d := cmp.Diff([]string{"sent", "a draft", "sent"}, s.history.sent); d != "" {
		t.Error(d)
	}
}

// TestWaitingIsNotMixed: what waited for a turn that was interrupted keeps its
// kind: words for the agent never become part of a line for the shell.
func TestWaitingIsNotMixed(t *testing.T) {
	for _, c := range []struct {
		queue       []string
		draft, want string
	}{
		{[]string{"one", "two"}, "", "one\ntwo"},
		{[]string{"one"}, "draft", "one\ndraft"},
		{[]string{"!echo x", "touch it"}, "", "touch it"},
		{[]string{"look", "!date", "/usage"}, "", "look"},
		{[]string{"touch it"}, "!echo ", "!echo "},
		{[]string{"touch it"}, "/model ", "/model "},
	} {
		s, _, printed := newTest(t)
		of := &turn{cancel: func() {}}
		s.turn, s.queue = of, c.queue
		s.input.set(c.draft)
		s.send(t, printed, arrived{ended{of: of, err: context.Canceled}})
		if s.input.text != c.want || len(s.queue) > 0 {
			t.Errorf("%q and %q: input %q", c.queue, c.draft, s.input.text)
		}
	}
}
