package prompt

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing/canon"
)

// checkSection is what holds of every section, whatever went in.
func checkSection(t *testing.T, in Input, s Section) {
	t.Helper()
	switch {
	case s.Type != "section" || s.Facts == nil || s.Omitted == nil:
		t.Errorf("type %q, facts %v, omitted %v", s.Type, s.Facts, s.Omitted)
	case s.Bytes != int64(len(s.Text)) || s.Bytes > max(in.MaxBytes, 0):
		t.Errorf("bytes %d, length %d, cap %d", s.Bytes, len(s.Text), in.MaxBytes)
	case !utf8.ValidString(s.Text):
		t.Error("not valid UTF-8")
	case s.Text != "" && !strings.HasSuffix(s.Text, "\n"):
		t.Error("the last line does not end")
	case Show(s.Text) != s.Text:
		t.Error("something invisible is left")
	}
	var labels []string
	var shown []Shown
	factBytes := 0
	for line := range strings.Lines(s.Text) {
		switch line[0] {
		case '#':
			labels = append(labels, line)
		case '{':
			var f Fact
			if err := json.Unmarshal([]byte(line), &f, json.RejectUnknownMembers(true)); err != nil {
				t.Errorf("a fact's line does not parse: %v", err)
			}
			if c, err := canon.Canonicalize([]byte(strings.TrimSuffix(line, "\n"))); err != nil || string(c)+"\n" != line {
				t.Errorf("a fact's line is not canonical: %v", err)
			}
			shown = append(shown, Shown{f.ID, f.Revision})
			factBytes += len(line)
		case '>':
			if line != ">\n" && !strings.HasPrefix(line, "> ") {
				t.Errorf("a note's line begins otherwise: %.40q", line)
			}
		case '[':
			if !strings.HasPrefix(line, "[truncated: ") || !strings.HasSuffix(line, " bytes; read the rest with memory_read]\n") {
				t.Errorf("not a marker: %.40q", line)
			}
		default:
			t.Errorf("a line of no kind: %.40q", line)
		}
	}
	if len(shown) > 0 {
		factBytes += len(labelFacts)
	}
	if int64(factBytes) > max(in.FactsMaxBytes, 0) {
		t.Errorf("%d bytes of facts, cap %d", factBytes, in.FactsMaxBytes)
	}
	if !slices.Equal(shown, s.Facts) {
		t.Errorf("the text shows %v, facts says %v", shown, s.Facts)
	}
	order := slices.DeleteFunc([]string{labelFacts, labelMemory, labelScratchpad}, func(l string) bool { return !slices.Contains(labels, l) })
	if !slices.Equal(labels, order) {
		t.Errorf("labels: %q", labels)
	}
}

// pieces are what texts are made of here: all that is special somewhere in this package.
func pieces() []string {
	return []string{"a", "words and words ", "\n", "\n", "\r\n", "\r", "\t", "漢字", "\\", "\"", "> ", "# ", "[", "{", "<U+202E>",
		labelFacts, labelMemory, "[truncated: 1 of 2 bytes; read the rest with memory_read]\n",
		"\u202E", "\u200B", "\u200D", "\uFE0F", "\uFE0E", "\uFEFF", "\u2028", "\u0085", "\x1b", "\x7f", "\u2066", "\u3164",
		"👩", "🏽", "❤", "1\uFE0F\u20E3", blackFlag + tagged("gbsct"), blackFlag, "\U000E0067", "\U000E007F", "\U0010FFFF"}
}

func randomText(r *rand.Rand, most int) string {
	var b strings.Builder
	all := pieces()
	for range r.IntN(most + 1) {
		for range 1 + r.IntN(4)*r.IntN(4) {
			b.WriteString(all[r.IntN(len(all))])
		}
		if r.IntN(8) == 0 {
			b.WriteString(strings.Repeat(all[r.IntN(len(all))], r.IntN(300)))
		}
	}
	return b.String()
}

func TestSectionProperties(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 13))
		in := Input{Memory: wholeNote(randomText(r, 60)), Scratchpad: wholeNote(randomText(r, 60))}
		if r.IntN(4) == 0 {
			in.Memory.Size += int64(r.IntN(1 << 20))
		}
		for i := range r.IntN(8) {
			in.Facts = append(in.Facts, testFact(i+1, randomText(r, 5)))
		}
		in.MaxBytes, in.FactsMaxBytes = int64(r.IntN(1<<(1+r.IntN(15)))), int64(r.IntN(1<<(1+r.IntN(14))))
		checkSection(t, in, Build(in))
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("fact", "memory\n", "pad", int64(900), int64(500))
	f.Add(hostile, hostile, hostile, int64(1200), int64(8192))
	f.Add("\xff", "\x00", "\uFEFF", int64(-1), int64(1))
	f.Fuzz(func(t *testing.T, fact, memory, pad string, limit, facts int64) {
		in := Input{Facts: []Fact{testFact(1, fact)}, Memory: wholeNote(memory), Scratchpad: wholeNote(pad), MaxBytes: limit, FactsMaxBytes: facts}
		checkSection(t, in, Build(in))
	})
}

func FuzzShow(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p + p)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Show(text)
		if again := Show(got); again != got {
			t.Errorf("%q shown is %q, shown again %q", text, got, again)
		}
		seen := unicode.ReplacementChar
		for _, r := range got {
			afterSelector := r == joiner && (seen == emojiSelector || seen == textSelector)
			if unseen(r) && unseen(seen) && !afterSelector && !(isTag(seen) && isTag(r)) {
				t.Errorf("%U %U in a row in %q", seen, r, got)
			}
			seen = r
		}
	})
}

func isTag(r rune) bool { return r > tagOffset && r <= cancelTag }

// A26: caps hold on the encoded bytes, with whole facts, and what is left out is reported.
func TestStarvation(t *testing.T) {
	var fifty []Fact
	for i := range 50 {
		fifty = append(fifty, testFact(i+1, strings.Repeat("x", 4096)))
	}
	cjk := strings.Repeat("漢字仮名", 32768/12)
	for _, c := range []struct {
		name           string
		in             Input
		facts, omitted int
	}{
		{"50 facts of the largest size", defaults(Input{Facts: fifty}), 1, 49},
		{"too large encoded", defaults(Input{Facts: []Fact{testFact(1, strings.Repeat("\\", 4096)), testFact(2, "small")}}), 1, 1},
		{"512 backslashes", defaults(Input{Facts: []Fact{testFact(1, strings.Repeat("\\", 512))}}), 1, 0},
		{"CJK", defaults(Input{Facts: []Fact{testFact(1, "small")}, Memory: wholeNote(cjk), Scratchpad: wholeNote(cjk)}), 1, 2},
		{"no room at all", Input{Facts: fifty[:2], Memory: wholeNote("x"), Scratchpad: wholeNote("y")}, 0, 4},
		{"no room for facts", Input{Facts: fifty[:2], Memory: wholeNote("x"), MaxBytes: 1000}, 0, 2},
		{"less than a label", Input{Facts: fifty[:1], Memory: wholeNote("x"), MaxBytes: 20, FactsMaxBytes: 20}, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Build(c.in)
			checkSection(t, c.in, s)
			if len(s.Facts) != c.facts || len(s.Omitted) != c.omitted {
				t.Errorf("%d facts, %d omitted: %v", len(s.Facts), len(s.Omitted), s.Omitted)
			}
		})
	}
}

// Every cap from nothing to more than enough: the section never exceeds it, and a
// note that could be told whole is.
func TestEveryCap(t *testing.T) {
	in := Input{Facts: []Fact{testFact(1, "a fact")}, Memory: wholeNote(hostile), Scratchpad: wholeNote("- 漢字\n- b\n")}
	in.MaxBytes, in.FactsMaxBytes = 1<<20, 1<<20
	whole := Build(in)
	for limit := int64(0); limit <= whole.Bytes; limit++ {
		in.MaxBytes = limit
		s := Build(in)
		checkSection(t, in, s)
		if (s.Text == whole.Text) != (limit == whole.Bytes) || (len(s.Omitted) == 0) != (limit == whole.Bytes) {
			t.Errorf("cap %d: %d of %d bytes, omitted %v", limit, s.Bytes, whole.Bytes, s.Omitted)
		}
	}
}

// The marker's N is right: what a note shows is exactly its first N bytes.
func TestMarkerCounts(t *testing.T) {
	text := strings.Repeat("ab漢\r\n\n- c\u202E\n", 200)
	for limit := int64(300); limit < 1500; limit += 7 {
		s := Build(Input{Memory: wholeNote(text), MaxBytes: limit})
		_, marker, ok := strings.Cut(s.Text, "\n[truncated: ")
		var n, m int
		if _, err := fmt.Sscanf(marker, "%d of %d bytes", &n, &m); !ok || err != nil || m != len(text) {
			t.Fatalf("cap %d: %v: %q", limit, err, marker)
		}
		body := strings.TrimPrefix(s.Text[:len(s.Text)-len(marker)-len("[truncated: ")], labelMemory)
		prefix := Build(defaults(Input{Memory: wholeNote(text[:n])}))
		if want := strings.TrimPrefix(prefix.Text, labelMemory); body != want {
			t.Errorf("cap %d shows %q, its first %d bytes are %q", limit, body, n, want)
		}
		if s.Omitted[0].Bytes != int64(m-n) || limit-s.Bytes > lineWindow {
			t.Errorf("cap %d: %d bytes, omitted %v", limit, s.Bytes, s.Omitted)
		}
	}
}
