package tool

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
)

// A result is never over its cap, whatever is in the files, and says so where it was cut.
func TestReadIsCapped(t *testing.T) {
	w := newWorld(t)
	for name, text := range map[string]string{
		"lines":           strings.Repeat("A line of some words.\n", 10_000),
		"one line":        strings.Repeat("x", 300_000),
		"wide characters": strings.Repeat("漢", 100_000),
		"invisible":       strings.Repeat("\u200b", 30_000),
		"line ends":       strings.Repeat("\r\n", 80_000),
		"lone CRs":        strings.Repeat("\r", 80_000),
		"just over":       strings.Repeat("x", MaxText),
	} {
		w.write("MEMORY.md", text)
		got := w.must("memory_read", `{"file":"MEMORY.md"}`)
		checkCut(t, name, text, got)
		if len(got) < MaxText-maxTail {
			t.Errorf("%s: %d bytes only", name, len(got))
		}
	}
	w.write("MEMORY.md", strings.Repeat("x", MaxText-1))
	if got := w.must("memory_read", `{"file":"MEMORY.md"}`); len(got) != MaxText || strings.Contains(got, "truncated") {
		t.Errorf("what fits is cut to %d bytes", len(got))
	}
}

// checkCut holds a page that was cut against the file: a whole beginning of it,
// shown as it should be, and a marker that counts it.
func checkCut(t *testing.T, name, text, got string) {
	t.Helper()
	var n, of int
	i := strings.LastIndex(got, "\n[truncated: ")
	if i < 0 || len(got) > MaxText || !utf8.ValidString(got) {
		t.Fatalf("%s: %d bytes, ending in %q", name, len(got), got[max(0, len(got)-90):])
	}
	if _, err := fmt.Sscanf(got[i:], "\n[truncated: %d of %d bytes; search the rest with memory_search]\n", &n, &of); err != nil {
		t.Fatalf("%s: %q: %v", name, got[i:], err)
	}
	if of != len(text) || n <= 0 || n >= of {
		t.Fatalf("%s: %d of %d bytes; the file has %d", name, n, of, len(text))
	}
	want := prompt.Show(strings.ReplaceAll(strings.TrimPrefix(text[:n], bom), "\r\n", "\n"))
	if shown := got[:i+1]; shown != want && shown != want+"\n" {
		t.Fatalf("%s: what is shown is not the first %d bytes", name, n)
	}
	if start := strings.LastIndexByte(text[:n], '\n') + 1; start > 0 && start < n && n-start <= maxTail {
		t.Errorf("%s: cut %d bytes into a line", name, n-start)
	}
}

// pieces is what random texts are made of: all kinds of lines and of characters that are shown otherwise.
var pieces = []string{"a", "word ", "\n", "\r\n", "\r", "\t", "漢", "é", "\u200b", "\u202e", "\ufeff", "👩\u200d💻", "1\ufe0f\u20e3", "\x01", "\u2028",
	"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", strings.Repeat("long ", 900), strings.Repeat("\u200b", 700), strings.Repeat("\n", 500)}

func randomText(r *rand.Rand, bytes int) string {
	var b strings.Builder
	few := 1 + r.IntN(len(pieces))
	for b.Len() < bytes {
		b.WriteString(pieces[r.IntN(few)])
	}
	return b.String()
}

// TestCapsHold reads and searches random files, small and large.
func TestCapsHold(t *testing.T) {
	w := newWorld(t)
	r := rand.New(rand.NewPCG(4, 2))
	cut := 0
	for i := range 40 {
		text := randomText(r, r.IntN(160_000))
		w.write("notes/r.md", text)
		got := w.must("memory_read", `{"file":"notes/r.md"}`)
		want := prompt.Show(strings.ReplaceAll(strings.TrimPrefix(text, bom), "\r\n", "\n"))
		if !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		switch {
		case strings.TrimPrefix(text, bom) == "":
		case len(want) <= MaxText && got != want:
			t.Fatalf("text %d of %d bytes is not shown whole", i, len(text))
		case len(want) > MaxText:
			cut++
			checkCut(t, fmt.Sprintf("text %d", i), text, got)
		}
		for _, pattern := range []string{".", "a", "^$", "word|漢"} {
			found := w.must("memory_search", `{"pattern":"`+pattern+`"}`)
			hits := strings.Count("\n"+found, "\nnotes/r.md:")
			if len(found) > MaxText || hits > note.MaxHits || !strings.HasSuffix(found, "\n") || !utf8.ValidString(found) || found != prompt.Show(found) {
				t.Fatalf("text %d, pattern %q: %d hits in %d bytes", i, pattern, hits, len(found))
			}
			if (hits == 0) != strings.HasPrefix(found, "No hits.\n") {
				t.Fatalf("text %d, pattern %q: %d hits: %.80q", i, pattern, hits, found)
			}
		}
	}
	if cut < 10 {
		t.Errorf("only %d texts were cut", cut)
	}
}

func TestSearchIsCapped(t *testing.T) {
	w := newWorld(t)
	w.write("MEMORY.md", strings.Repeat("hit "+strings.Repeat("\u200b", 2000)+"\n", 60))
	got := w.must("memory_search", `{"pattern":"hit"}`)
	n := strings.Count(got, "MEMORY.md:")
	if len(got) > MaxText || n != note.MaxHits || !strings.HasSuffix(got, more(note.MaxHits)) || strings.Count(got, " […]\n") != n {
		t.Errorf("%d hits in %d bytes", n, len(got))
	}
	name := "notes/" + strings.Repeat("n", 240) + ".md"
	w.write("MEMORY.md", "")
	w.write(name, strings.Repeat(strings.Repeat("x", 3000)+"\n", 60))
	got = w.must("memory_search", `{"pattern":"x"}`)
	if n = strings.Count(got, name); n != note.MaxHits || len(got) > MaxText {
		t.Errorf("%d long hits in %d bytes", n, len(got))
	}
	found := note.Found{Matches: []note.Match{{File: "MEMORY.md", Line: 1, Text: "one"}, {File: "MEMORY.md", Line: 2, Text: "two"}, {File: "MEMORY.md", Line: 3, Text: "three"}}}
	whole := hits(found, MaxText)
	for room := len(more(1)); room <= len(whole); room++ {
		got := hits(found, room)
		n := strings.Count(got, "MEMORY.md:")
		if len(got) > room || room < len(whole) && !strings.HasSuffix(got, more(n)) || room == len(whole) && got != whole {
			t.Errorf("room %d: %q", room, got)
		}
	}
	w.write(name, strings.Repeat("hit\n", 51))
	if got := w.must("memory_search", `{"pattern":"hit"}`); strings.Count(got, name) != 50 || !strings.HasSuffix(got, "[truncated: 50 hits shown, more lines match; make the pattern narrower]\n") {
		t.Errorf("of 51 hits: %s", got)
	}
	w.write(name, strings.Repeat("hit\n", 50))
	if got := w.must("memory_search", `{"pattern":"hit"}`); strings.Count(got, name) != 50 || strings.Contains(got, "truncated") {
		t.Error("50 hits are said to be cut")
	}
}

// Pages of memory_list are within both caps and together name every fact once.
func TestListPages(t *testing.T) {
	w := newWorld(t)
	w.say(slices.Repeat([]string{"More."}, 198)...)
	want := map[string]bool{}
	for i := range 45 {
		want[w.remember(fmt.Sprintf("Fact %d.", i), 1, 200)] = true // a ref of 200 positions each
	}
	pages, offset := 0, int64(0)
	for {
		got := w.must("memory_list", fmt.Sprintf(`{"offset":%d}`, offset))
		facts := gjson.Get(got, "facts").Array()
		if len(got) > ListBytes || len(facts) > ListCount || len(facts) == 0 || gjson.Get(got, "total").Int() != 45 {
			t.Fatalf("page at %d: %d facts in %d bytes", offset, len(facts), len(got))
		}
		for _, f := range facts {
			id := f.Get("id").Str
			if !want[id] {
				t.Errorf("%s is unknown or there twice", id)
			}
			delete(want, id)
		}
		pages++
		next := gjson.Get(got, "next_offset")
		if next.Type == gjson.Null {
			break
		}
		offset = next.Int()
	}
	if len(want) > 0 || pages < 3 {
		t.Errorf("%d facts are on none of %d pages", len(want), pages)
	}
	if got := w.must("memory_list", `{"offset":45}`); !strings.Contains(got, `"facts":[],"learning":null,"next_offset":null`) {
		t.Errorf("past the end: %s", got)
	}
}

func TestRecallIsCapped(t *testing.T) {
	w := newWorld(t)
	w.say(strings.Repeat("\\\"漢", 10_000))
	for _, limit := range []int{1, 4096, 8192, 1 << 40} {
		got := w.must("memory_recall", fmt.Sprintf(`{"end_seq":3,"limit":%d,"session_id":"s1","start_seq":3}`, limit))
		if len(got) > 16_384 || gjson.Get(got, "status").Str != "valid" {
			t.Errorf("limit %d: %d bytes, %s", limit, len(got), gjson.Get(got, "status"))
		}
	}
}
