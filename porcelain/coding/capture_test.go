package coding

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// cleaned is what a cleaner makes of text that comes in pieces of n bytes.
func cleaned(text string, n int) (string, cleaner) {
	c := cleaner{}
	var out strings.Builder
	for len(text) > 0 {
		k := min(n, len(text))
		out.Write(c.clean([]byte(text[:k])))
		text = text[k:]
	}
	out.Write(c.end())
	return out.String(), c
}

func TestCleaner(t *testing.T) {
	long := strings.Repeat("x", maxRewritten)
	tests := map[string]struct {
		in, want string
		notes    []string
	}{
		"plain":               {in: "a\tb\nc\n", want: "a\tb\nc\n"},
		"no last newline":     {in: "a\nb", want: "a\nb"},
		"crlf":                {in: "a\r\nb\r\n", want: "a\nb\n"},
		"many returns":        {in: "a\r\r\nb\n", want: "a\nb\n"},
		"progress":            {in: "10%\r50%\r100%\ndone\n", want: "100%\ndone\n", notes: []string{"[lines that were written over are shown as they ended]"}},
		"progress at the end": {in: "10%\r50%\r", want: "50%\n", notes: []string{"[lines that were written over are shown as they ended]"}},
		"spinner":             {in: "|\b/\b-\bok\n", want: "ok\n"},
		"overstruck":          {in: "N\bNA\bA\n", want: "NA\n"},
		"backspace at start":  {in: "a\n\b\bb\n", want: "a\nb\n"},
		"backspace of a rune": {in: "aé\bx\n", want: "ax\n"},
		"colour":              {in: "\x1b[1;31mred\x1b[0m\n", want: "red\n"},
		"charset":             {in: "\x1b(Ba\n", want: "a\n"},
		"title":               {in: "\x1b]0;title\aa\x1b]8;;http://x\x1b\\b\n", want: "ab\n"},
		"title without end":   {in: "\x1b]0;title\na\n", want: "\na\n"},
		"cut sequence":        {in: "\x1b[3\na\n", want: "\na\n"},
		"escape before text":  {in: "\x1bé\n", want: "é\n"},
		"controls":            {in: "a\x00\x01\x7f\u0085b\n", want: "ab\n", notes: []string{"[4 control characters left out]"}},
		"not UTF-8":           {in: "a\xff\xfeb\xc3\n", want: "a\uFFFDb\uFFFD\n", notes: []string{"[3 bytes not UTF-8, replaced]"}},
		"cut character":       {in: "a\xe2\x82", want: "a\uFFFD", notes: []string{"[2 bytes not UTF-8, replaced]"}},
		"wide":                {in: "日本語 🎉\n", want: "日本語 🎉\n"},
		"long line stays":     {in: long + "y\rz\n", want: long + "yz\n"},
		"nothing":             {},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 3, 7, 1 << 20} {
				got, c := cleaned(tt.in, n)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Fatalf("in pieces of %d (-want +got):\n%s", n, diff)
				}
				if diff := cmp.Diff(tt.notes, c.notes()); diff != "" {
					t.Fatalf("notes (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// What comes is the same in whatever pieces, and is text.
func FuzzCleaner(f *testing.F) {
	f.Add("a\x1b[31mb\r\n\xff\xe2\x82\xac\b\x1b]0;x\a", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		whole, _ := cleaned(text, len(text)+1)
		if got, _ := cleaned(text, max(1, n%64)); got != whole {
			t.Errorf("%q: %q in pieces, %q whole", text, got, whole)
		}
		if !utf8.ValidString(whole) {
			t.Errorf("%q: %q is not UTF-8", text, whole)
		}
		for _, r := range whole {
			if r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 {
				t.Errorf("%q: %q holds %U", text, whole, r)
			}
		}
	})
}

func TestWindow(t *testing.T) {
	w := window{max: 8}
	var all string
	for _, s := range []string{"abc", "", "defgh", "i", "jk", strings.Repeat("0123456789", 3), "z"} {
		w.add([]byte(s))
		all += s
		if got, want := string(w.last()), all[max(0, len(all)-8):]; got != want {
			t.Errorf("after %q: last is %q, want %q", s, got, want)
		}
		if w.end() != int64(len(all)) {
			t.Errorf("after %q: the end is %d, want %d", s, w.end(), len(all))
		}
	}
	if b, lost := w.from(w.end() - 3); string(b) != all[len(all)-3:] || lost != 0 {
		t.Errorf("from near the end: %q, %d lost", b, lost)
	}
	if b, lost := w.from(1); string(b) != all[len(all)-8:] || lost != int64(len(all)-8-1) {
		t.Errorf("from the beginning: %q, %d lost", b, lost)
	}
	w.empty()
	if b, lost := w.from(w.end()); len(b) != 0 || lost != 0 {
		t.Errorf("emptied: %q, %d lost", b, lost)
	}
}

func TestCapped(t *testing.T) {
	line := strings.Repeat("é", 49) + "\n"
	tests := map[string]struct {
		in         string
		head, tail string // how these end and begin
	}{
		"lines":        {strings.Repeat(line, 1000), "é\n[… ", " …]\né"},
		"one line":     {strings.Repeat("é", 40_000), "é\n[… ", " …]\né"},
		"off by a bit": {"x" + strings.Repeat("é", 40_000), "é\n[… ", " …]\né"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := capped([]byte(tt.in))
			if !utf8.ValidString(got) || !strings.Contains(got, tt.head) || !strings.Contains(got, tt.tail) || len(got) > maxOutput+100 {
				t.Errorf("%d bytes, cut at %q", len(got), got[maxHead-20:maxHead+60])
			}
		})
	}
	if all := strings.Repeat("x", maxOutput); capped([]byte(all)) != all {
		t.Error("what fits was cut")
	}
}
