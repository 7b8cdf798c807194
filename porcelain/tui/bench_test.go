package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/porcelain/agent"
)

// BenchmarkKey is a key press until it is drawn, in a session of 10,000 messages
// and with an answer coming in, 100 pieces a second: two pieces a frame.
func BenchmarkKey(b *testing.B) {
	f := &fake{standing: agent.Standing{Model: "tape", Window: 128_000}}
	s := newScreen(context.Background(), Options{Now: func() time.Time { return noon }, Colour: true})
	s.session = &Session{Agent: f}
	s.Update(tea.WindowSizeMsg{Width: 100, Height: 40})
	for i := range 10_000 {
		s.history.add(fmt.Sprintf("prompt %d", i))
		s.print(answer(fmt.Sprintf("Answer **%d**: %s.", i, strings.Repeat("words ", 40))))
		s.drain()
	}
	s.turn = &turn{cancel: func() {}, began: noon}
	words := strings.Fields(strings.Repeat("one **two** `three` four, ", 20) + "\n\n")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			s.Update(arrived{agent.Streamed{Text: words[i%len(words)] + " "}, agent.Streamed{Text: words[(i+1)%len(words)] + " "}})
			if i%400 == 0 {
				s.Update(arrived{agent.Streamed{Text: "\n\n"}})
			}
			s.drain()
		}
		s.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
		s.View()
		if i%60 == 0 {
			s.input.take()
		}
	}
}

// BenchmarkLongBlock is a piece of a code block that has no end yet.
func BenchmarkLongBlock(b *testing.B) {
	t := stream{}
	t.add("```go\n" + strings.Repeat("x := f(1, 2, \"three\")\n", 5000))
	for b.Loop() {
		t.add("y := 1\n")
		t.view(100)
	}
}
