package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/tui/typeset"
)

const (
	keptBlocks = 100     // that can be laid out anew when the width changes
	keptBytes  = 1 << 18 // of text in them
	resizeRest = 80 * time.Millisecond
	pageRest   = 60 * time.Millisecond // for the terminal to be back from another screen
)

// block is something finished that goes to the scrollback.
type block struct {
	rows func(width int) []typeset.Row
	size int  // bytes that it holds
	near bool // no blank line before it where the one before is near too
}

// printer moves blocks to the scrollback, in order and a few lines at a time:
// the library makes room for what it prints on the screen, so that it must fit
// beside the live part.
type printer struct {
	lines  []string // not printed yet
	first  []string // being printed
	busy   bool     // a print is under way
	held   bool     // another screen is shown
	begun  bool     // something was printed
	near   bool     // the last block is near
	kept   []block
	bytes  int
	resize int // counts changes of width, so that only the last is acted on
	drawn  int // the one that the screen was written for
}

type (
	printedMsg struct{}
	resizedMsg int      // the width has not changed since
	resumedMsg struct{} // the other screen is gone
)

// print puts a block into the scrollback.
func (s *Screen) print(b block) {
	p := &s.printer
	rows := b.rows(s.width)
	if len(rows) == 0 {
		return
	}
	p.kept, p.bytes = append(p.kept, b), p.bytes+b.size
	n := 0
	for ; len(p.kept)-n > 1 && (len(p.kept)-n > keptBlocks || p.bytes > keptBytes); n++ {
		p.bytes -= p.kept[n].size
	}
	p.kept = slices.Delete(p.kept, 0, n)
	if p.begun && !(p.near && b.near) {
		p.lines = append(p.lines, "")
	}
	p.begun, p.near = true, b.near
	p.lines = append(p.lines, typeset.Lines(rows, s.o.Colour)...)
}

// say puts a note of the program's own, or of the agent's, into the scrollback.
func (s *Screen) say(i typeset.Ink, text string) {
	text = typeset.Clean(text)
	s.print(block{size: len(text), near: true, rows: func(width int) []typeset.Row {
		return typeset.Wrap(i.Row(strings.TrimRight(text, "\n")), width, typeset.Faint.Row("· "), typeset.None.Row("  "))
	}})
}

// flush prints the next lines.
func (s *Screen) flush() tea.Cmd {
	p := &s.printer
	if p.busy || p.held || s.away || s.quitting || len(p.lines) == 0 || s.height == 0 {
		return nil
	}
	n := min(len(p.lines), s.height-s.liveMax())
	chunk := printable(p.lines[:n])
	p.first, p.lines, p.busy = p.lines[:n], p.lines[n:], true
	return tea.Sequence(tea.Println(chunk), func() tea.Msg { return printedMsg{} })
}

// chunks prints lines, as many at a time as there is room for.
func (s *Screen) chunks(lines []string) (cmds []tea.Cmd) {
	for len(lines) > 0 {
		n := min(len(lines), max(1, s.height-s.liveMax()))
		cmds = append(cmds, tea.Println(printable(lines[:n])))
		lines = lines[n:]
	}
	return cmds
}

// printable is lines as the library prints them: it prints nothing for an empty string.
func printable(lines []string) string { return cmp.Or(strings.Join(lines, "\n"), " ") }

// liveMax is how many rows the live part has at most: the rest is room to print in.
func (s *Screen) liveMax() int { return s.height - max(1, s.height/3) }

// resized takes the size of the terminal. A change of width makes a terminal
// break lines that are on the screen anew, and nobody can tell how: so once it
// rests the screen is written again.
func (s *Screen) resized(m tea.WindowSizeMsg) tea.Cmd {
	if m.Width <= 0 || m.Height <= 0 { // the terminal does not know
		m.Width, m.Height = 80, 24
	}
	changed := s.width != 0 && s.width != m.Width
	if s.width == 0 && s.session == nil {
		s.open()
	}
	s.width, s.height = m.Width, m.Height
	if !changed {
		return nil
	}
	s.printer.resize++
	n := s.printer.resize
	return tea.Tick(resizeRest, func(time.Time) tea.Msg { return resizedMsg(n) })
}

// rewrite moves what is on the screen into the scrollback, since what a program
// printed there is nowhere else, and writes the end of what was printed again.
// What is not printed yet goes first.
func (s *Screen) rewrite(n int) tea.Cmd {
	p := &s.printer
	if p.held || s.away || s.height == 0 {
		return nil
	}
	if p.busy || len(p.lines) > 0 {
		return tea.Tick(frame, func(time.Time) tea.Msg { return resizedMsg(n) })
	}
	p.drawn, p.busy = n, true
	lines := s.lastLines(s.height - len(s.frame().rows))
	first := min(1, len(lines))
	away := fmt.Sprintf("\x1b[%dS\x1b[H\x1b[J", s.height)
	cmds := append([]tea.Cmd{tea.Println(away + strings.Join(lines[:first], ""))}, s.chunks(lines[first:])...)
	return tea.Sequence(append(cmds, tea.ClearScreen, func() tea.Msg { return printedMsg{} })...)
}

// lastLines are the last ones that were printed, laid out for the width as it is.
func (s *Screen) lastLines(room int) []string {
	var lines []string
	kept := s.printer.kept
	for i := len(kept) - 1; i >= 0 && len(lines) < room; i-- {
		above := typeset.Lines(kept[i].rows(s.width), s.o.Colour)
		if i > 0 && !(kept[i-1].near && kept[i].near) {
			above = append([]string{""}, above...)
		}
		lines = append(above, lines...)
	}
	return lines[max(0, len(lines)-max(0, room)):]
}
