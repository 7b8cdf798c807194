package budget

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// exact counts with two public vocabularies and returns the larger count, and that of o200k.
type exact struct{ cl100k, o200k tokenizer.Codec }

func newExact(t testing.TB) exact {
	t.Helper()
	a, err := tokenizer.Get(tokenizer.Cl100kBase)
	if err != nil {
		t.Fatal(err)
	}
	b, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	return exact{a, b}
}

func (e exact) count(t testing.TB, text string) (most, o200k int64) {
	t.Helper()
	a, err := e.cl100k.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.o200k.Count(text)
	if err != nil {
		t.Fatal(err)
	}
	return int64(max(a, b)), int64(b)
}

// TestEstimateError holds the estimate against exact counts, and prints by how
// much it is off, in per cent of the larger count: of each sample, and of all
// samples of a kind together.
func TestEstimateError(t *testing.T) {
	e := newExact(t)
	t.Logf("%-28s %7s %12s %7s %7s %7s %7s", "kind", "samples", "bytes/token", "min", "median", "max", "o200k")
	for _, k := range kinds(t) {
		var off, offO200k []float64
		var size, tokens int64
		for _, s := range k.samples {
			most, o200k := e.count(t, s)
			got := Tokens(s)
			size, tokens = size+int64(len(s)), tokens+most
			off = append(off, percent(got, most))
			offO200k = append(offO200k, percent(got, o200k))
			if got < most && !k.loose {
				t.Errorf("%s: estimated %d, the count is %d, of %.60q", k.name, got, most, s)
			}
		}
		slices.Sort(off)
		slices.Sort(offO200k)
		t.Logf("%-28s %7d %12.2f %+6.0f%% %+6.0f%% %+6.0f%% %+6.0f%%", k.name, len(off), float64(size)/float64(tokens),
			off[0], off[len(off)/2], off[len(off)-1], offO200k[len(off)/2])
	}
}

func percent(got, want int64) float64 { return 100*float64(got)/float64(max(want, 1)) - 100 }

// TestTokensOfShortTexts: what is a token by itself is counted as one at least,
// and nothing as more than its bytes.
func TestTokensOfShortTexts(t *testing.T) {
	for text, most := range map[string]int64{"": 0, "a": 1, " ": 1, "\n": 1, "0": 1, "é": 2, "界": 3, "\xff": 1, "\x00": 1, "hi": 2, "hello": 5, "🎉": 4} {
		got := Tokens(text)
		if got > most || text != "" && got < 1 {
			t.Errorf("Tokens(%q) = %d, want 1 to %d", text, got, most)
		}
	}
}

// TestTokensAddUp: parts are together never less than the whole by more than
// what their seam can save, so that whoever adds up lines stays safe.
func TestTokensAddUp(t *testing.T) {
	e := newExact(t)
	for _, k := range kinds(t) {
		if k.loose {
			continue
		}
		for _, s := range k.samples[:min(4, len(k.samples))] {
			sum := int64(0)
			for line := range strings.Lines(s) {
				sum += Tokens(line)
			}
			if most, _ := e.count(t, s); sum < most {
				t.Errorf("%s: line by line %d, the count is %d", k.name, sum, most)
			}
		}
	}
}

// TestTokensSpeed: linear in the size, and without memory of its own.
func TestTokensAllocatesNothing(t *testing.T) {
	text := strings.Repeat("The quick brown fox, getHTTPName(0x1f) 界 ", 100)
	if n := testing.AllocsPerRun(10, func() { Tokens(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzTokens: never more than the bytes, never less than a sixteenth of a
// token a byte in a run, never 0 for something.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"", "a", "getUserName(), 0x1F", "\xff\xfe界é", "aaaa  \n\t--==", "i\u200d\ufe0f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := Tokens(s)
		if n > int64(len(s)) || n < 0 || s != "" && n == 0 {
			t.Errorf("%d tokens for %d bytes", n, len(s))
		}
		if twice := Tokens(s + s); twice < n {
			t.Errorf("twice the text is %d tokens, once %d", twice, n)
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []struct{ name, text string }{
		{"English", strings.Repeat("The build failed again because the path was wrong, so run the tests first. ", 2000)},
		{"Go", strings.Repeat("\tif err := l.checkHeader(false); err != nil {\n\t\treturn nil, err\n\t}\n", 2000)},
		{"Chinese", strings.Repeat(languages["Chinese"], 200)},
		{"hex", func() string {
			var s strings.Builder
			for range 10000 {
				fmt.Fprintf(&s, "%08x", r.Uint32())
			}
			return s.String()
		}()},
	} {
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(text.text)))
			for b.Loop() {
				Tokens(text.text)
			}
		})
	}
}
