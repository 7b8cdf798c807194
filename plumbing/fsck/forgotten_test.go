package fsck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForgotten(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(*world)
		want  []string
	}{
		{"counts alone", func(*world) {}, nil},
		{"notes", func(w *world) {
			w.write(w.memory("MEMORY.md"), "# a\n\n- the codeword is PELICAN, they say\n")
			w.write(w.memory("MEMORY.md.bak"), "\tthe codeword is PELICAN")
			w.write(w.memory("daily/2026-01-02.md"), "x\r\nthe codeword is PELICAN\r\n")
			w.write(w.memory("notes/a.md"), "the codeword is pelican")
			w.write(w.memory("scratchpad.md"), "PELICAN")
		}, []string{"still_stands 2026-01-02.md:2", "still_stands MEMORY.md.bak:1", "still_stands MEMORY.md:3"}},
		{"typed again", func(w *world) {
			w.append("s1", strings.ReplaceAll(strings.Split(talk, "\n")[0], "the codeword", "again, the codeword"))
		}, []string{"typed_again s1.jsonl:6"}},
		{"a fact", func(w *world) { w.remember("x\nsay: the codeword is PELICAN", 4, 4) }, []string{"still_stands facts.sqlite3"}},
		{"gone", func(w *world) { must(w.t, w.store.Delete(ctx, "s1")) }, []string{"unprovable s1.jsonl"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			f := w.remember("The codeword.", 1, 1)
			w.remember("Overlapping.", 1, 2)
			w.remember("A model's.", 2, 2)
			if got := w.codes(w.Forgotten); len(got) > 0 {
				t.Errorf("before the forget: %v", got)
			}
			w.forget(f)
			c.plant(w)
			want := append([]string{"inert_generation facts.sqlite3", "inert_messages s1.jsonl", "inert_overlap facts.sqlite3"}, c.want...)
			if c.name == "gone" {
				want = c.want // nothing is there to count
			}
			before := w.state()
			if d := cmp.Diff(want, w.codes(w.Forgotten)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(before, w.state()); d != "" {
				t.Errorf("it wrote:\n%s", d)
			}
		})
	}
}

func FuzzNeedles(f *testing.F) {
	f.Add("the codeword is PELICAN\nshort", "- the codeword is PELICAN!")
	f.Add("ääääääääääää", "xääääääääääää")
	f.Fuzz(func(t *testing.T, said, line string) {
		n := newNeedles()
		n.add(said)
		want := false
		for s := range strings.Lines(said) {
			s = strings.TrimSpace(s)
			want = want || len([]rune(s)) >= MinLine && strings.Contains(line, s)
		}
		if n.in(line) != want {
			t.Errorf("%q in %q: not %v", said, line, want)
		}
	})
}
