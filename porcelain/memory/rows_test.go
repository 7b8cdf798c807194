package memory

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRows(t *testing.T) {
	head := []column{{"FACT", false}, {"REV", true}, {"SOURCE", false}, {"TEXT", false}}
	cells := [][]string{
		{"f-1", "2", "s1 3-5", "日本語で書く日本語で書く日本語で書く"},
		{"f-22", "10", "0198c0de-7000-7000-8000-000000000001 7", ""},
	}
	for width, want := range map[int]string{
		90: `
FACT  REV  SOURCE                                  TEXT
f-1     2  s1 3-5                                  日本語で書く日本語で書く日本語で書く
f-22   10  0198c0de-7000-7000-8000-000000000001 7
`,
		76: `
FACT  REV  SOURCE                                  TEXT
f-1     2  s1 3-5                                  日本語で書く日本語で書く…
f-22   10  0198c0de-7000-7000-8000-000000000001 7
`,
		60: `
FACT  REV  SOURCE
  TEXT
f-1     2  s1 3-5
  日本語で書く日本語で書く日本語で書く
f-22   10  0198c0de-7000-7000-8000-000000000001 7
`,
		40: `
FACT  REV
  SOURCE
  TEXT
f-1     2
  s1 3-5
  日本語で書く日本語で書く日本語で書く
f-22   10
  0198c0de-7000-7000-8000-000000000001 7
`,
	} {
		p := &page{s: Style{Width: width}}
		p.rows(head, cells)
		if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), p.String()); diff != "" {
			t.Errorf("width %d: %s", width, diff)
		}
		fits(t, p.String(), width)
	}
}

// TestNarrowRows: what has no place on the first line shares the next ones.
func TestNarrowRows(t *testing.T) {
	p := &page{s: Style{Width: 40}}
	p.rows([]column{{"FACT", false}, {"REV", true}, {"STATUS", false}, {"AGE", true}, {"SOURCE", false}, {"TEXT", false}}, [][]string{
		{"f-389be60f8ecb7a82970dc891", "2", "valid", "45 min", "s1 3-5", strings.Repeat("tabs ", 20)},
		{"f-489be60f8ecb7a82970dc891", "11", "unverified", "now", "-", "-"},
		{"f-589be60f8ecb7a82970dc891", "1", "valid", "3 d", "an-id-that-is-longer-than-a-whole-line-is-wide 3", "x"},
	})
	want := `
FACT                        REV
  STATUS         AGE
  SOURCE
  TEXT
f-389be60f8ecb7a82970dc891    2
  valid       45 min
  s1 3-5
  tabs tabs tabs tabs tabs tabs tabs ta…
f-489be60f8ecb7a82970dc891   11
  unverified     now
  -
  -
f-589be60f8ecb7a82970dc891    1
  valid          3 d
  an-id-that-is-longer-than-a-whole-line
  -is-wide 3
  x
`
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), p.String()); diff != "" {
		t.Error(diff)
	}
	fits(t, p.String(), 40)
}

// TestWindow: a long line is cut so that the first hit is seen, escapes made visible, and nothing is too wide.
func TestWindow(t *testing.T) {
	long := strings.Repeat("before ", 20) + "HIT\x1b[2J" + strings.Repeat(" after", 20)
	for _, c := range []struct {
		line, pattern, want string
		room                int
	}{
		{"use tabs\r", "tabs", "use [tabs]", 20},
		{"a\tb", "b", "a    [b]", 20},
		{long, `HIT\x1b`, "…e before [HIT<U+001B>][2J afte…", 30},
		{"tabs tabs tabs tabs", "tabs", "[tabs] [tabs] [t…]", 12},
		{strings.Repeat("x", 50), "x+", "[xxxxxxxxx…]", 10},
		{strings.Repeat("日", 20), "本", "日日日日…", 9},
		{"exactly twelv", "t", "exac[t]ly [t]welv", 13},
		{"no hit", "$^", "no hit", 10},
	} {
		text, width := "", 0
		for _, s := range window(spans(c.line, regexp.MustCompile(c.pattern)), c.room) {
			width += columns(s.text)
			if s.hit {
				s.text = "[" + s.text + "]"
			}
			text += s.text
		}
		if text != c.want || width > c.room {
			t.Errorf("%q in %d: %q (%d columns), want %q", c.pattern, c.room, text, width, c.want)
		}
	}
}
