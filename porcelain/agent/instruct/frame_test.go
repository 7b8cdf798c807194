package instruct

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/prompt"
)

func TestFramed(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for _, c := range []struct {
		name, text string
		size       int64
		room       int
		want       string
		cut        bool
	}{
		{"whole, to the byte", "ab\n\ncd", 0, 12, "> ab\n>\n> cd\n", false},
		{"a byte less", "ab\n\ncd", 0, 11, "", true},
		{"CRLF and a BOM", "\uFEFFa\r\n\r\nb\r\n", 0, 100, "> a\n>\n> b\n", false},
		{"lone CR", "a\rb\n", 0, 100, "> a<U+000D>b\n", false},
		{"nothing", "", 0, 100, "", false},
		{"the file is longer", "a\nb\n", 9, 100, "> a\n> b\n" + marker(4, 9), true},
		{"cut at a line end", strings.Repeat("0123456789\n", 30), 0, 200, strings.Repeat("> 0123456789\n", 11) + marker(121, 330), true},
		{"cut in a long line", "x\n" + long, 0, 1000, "> x\n> " + strings.Repeat("é", 467) + "\n" + marker(936, 2002), true},
		{"no room", "abc\n", 0, 3, "", true},
		{"less than none", "abc\n", 0, -5, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, cut := framed("> ", c.text, c.size, c.room)
			if got != c.want || cut != c.cut {
				t.Errorf("%v, %d bytes\n%q\n%q", cut, len(got), got, c.want)
			}
		})
	}
}

func FuzzFramed(f *testing.F) {
	f.Add(hostile, 5000, int64(0))
	f.Add(hostile, 300, int64(9000))
	f.Add("\uFEFF\r\n\r\r\n\xff", 60, int64(1))
	f.Fuzz(func(t *testing.T, text string, room int, more int64) {
		room, more = room%(1<<20), more%(1<<40)
		size := int64(len(text)) + max(more, 0)
		got, cut := framed("> ", text, size, room)
		if len(got) > max(room, 0) || !utf8.ValidString(got) || got != "" && got[len(got)-1] != '\n' || prompt.Show(got) != got {
			t.Fatalf("%d bytes in %d: %q", len(got), room, got)
		}
		for line := range strings.Lines(got) {
			if line != ">\n" && !strings.HasPrefix(line, "> ") && (!cut || !strings.HasSuffix(got, line) || !strings.HasPrefix(line, "[truncated: ")) {
				t.Fatalf("a line out of the frame: %q", line)
			}
		}
	})
}
