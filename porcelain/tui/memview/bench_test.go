package memview

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/source"
)

// BenchmarkKey is a key press and the screen after it, on what has most to lay out.
func BenchmarkKey(b *testing.B) {
	f := newFake()
	f.facts = nil
	for i := range 20 {
		f.facts = append(f.facts, listed(fmt.Sprintf("f-%024d", i), strings.Repeat("漢字 words ", 300), source.Valid, ""))
	}
	f.Deps.Note = func(context.Context, string) (note.Note, error) {
		return note.Note{Text: strings.Repeat("漢字 and more words in a line\n", 20_000)}, nil
	}
	for name, keys := range map[string][]string{"facts": nil, "note": {"2", "enter"}, "messages": {"c", "enter"}, "text": {"c", "enter", "enter"}} {
		b.Run(name, func(b *testing.B) {
			h := &hand{View: New(b.Context(), f.Deps), f: f}
			h.tick = func() tea.Cmd { return nil }
			h.run(h.Init())
			for _, k := range keys {
				for _, m := range presses(k) {
					h.run(h.Update(m))
				}
			}
			down, up := presses("down")[0], presses("up")[0]
			for b.Loop() {
				h.run(h.Update(down))
				h.View.View(120, 40)
				h.run(h.Update(up))
				h.View.View(120, 40)
			}
		})
	}
	b.Run("note laid out", func(b *testing.B) {
		n, _ := f.Deps.Note(context.Background(), "")
		for b.Loop() {
			noteRows(n, 0, 120)
		}
	})
}
