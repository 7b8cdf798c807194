package note

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

// naive is the meaning of a search: each line by itself, with package regexp.
func naive(text, pattern string) (hits []string) {
	re := regexp.MustCompile(pattern)
	text = strings.TrimPrefix(text, "\uFEFF")
	number := 0
	for line := range strings.Lines(text) {
		number++
		if content, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(content, "\r")
		}
		if at := re.FindStringIndex(line); at != nil {
			hits = append(hits, fmt.Sprintf("%d:%d", number, at[0]+1))
		}
	}
	return hits
}

// searched is what the store finds in the same form.
func searched(t testing.TB, s *Store, pattern string) (hits []string) {
	t.Helper()
	found, err := s.Search(ctx, pattern, SearchOptions{})
	must(t, err)
	for _, m := range found.Matches {
		hits = append(hits, fmt.Sprintf("%d:%d", m.Line, m.Column))
	}
	return hits
}

// patterns are of each kind: with and without a literal, with assertions, with runes beyond ASCII.
var patterns = []string{
	"tabs", "t", "a", "tabs|spaces", "(?i)TABS", "^", "$", "^$", "^a", "b$", `^\s*-`, `\btab\b`, `\Btab`, `[0-9]{4}-[0-9]{2}`, `\d+$`, `\w+@\w+`,
	"漢字", "[一-龥]+", "ü", "(?i)Ü", `\pL{3}`, "[^a-z]", ".", "..", "x*", "(a|b)+c", "(?:ab){2,3}", `a\nb`, `[^\n]b`, "\r", `\r$`, "a\rb", "tabs\r", "foo.*bar", "^(?:a|ab)$",
	"(?m)^a$", "(?s)a.b", `\Aa`, `b\z`, "s+", "(?U)a+", "[[:upper:]]", "K", "(?i)k", "ſ", "(?i)s", `\x{10FFFF}`, `a{2,}`, `()`, `|a`, "ta(b|p)s and", "tabs|haystack|kelvin", "(foo|tabs|ab) ", "(?:aa|ab)+c|漢字|UPPER", "ab|b", "tabs|^$",
}

const sample = "\uFEFFWe use tabs.\n\nno spaces\r\na\nab\r\naab c\r\r\nabab abc\n- 2026-12-02\n  - ada@example.com\n漢字 and ünder Ü\n" +
	"K kelvin, long ſ\nfoo x bar\rtabs\r\ntab tablet stab\nx\ta b\n  \n\U0010FFFF\nUPPER\naa\rb\nb"

func TestSearchIsRegexpByLine(t *testing.T) {
	for _, text := range []string{sample, sample + "\n", sample + "\r", "", "\n", "\r\n", "a", "\uFEFF", "\r", "\n\n\nb$\n"} {
		f := newFixture(t)
		f.plant(Memory, text)
		for _, pattern := range patterns {
			if d := cmp.Diff(naive(text, pattern), searched(t, f.Store, pattern)); d != "" {
				t.Errorf("%q in %.20q: %s", pattern, text, d)
			}
		}
	}
}

// Across the borders of pieces: many lines, so that the file takes several.
func TestSearchLargeFile(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 3*MaxLine; i++ {
		fmt.Fprintf(&b, "line %d ü%s\r\n", i, strings.Repeat("x", i%97))
		if i%1500 == 1499 {
			fmt.Fprintf(&b, "needle %d\n", i)
		}
	}
	f := newFixture(t)
	f.plant(Memory, b.String())
	for _, pattern := range []string{"needle", "^needle|nothing", "needle [0-9]*99$", "line 777[0-9] "} {
		want := naive(b.String(), pattern)
		if len(want) == 0 || len(want) > MaxHits {
			t.Fatalf("%s: %d lines", pattern, len(want))
		}
		if d := cmp.Diff(want, searched(t, f.Store, pattern)); d != "" {
			t.Errorf("%s: %s", pattern, d)
		}
	}
}

func TestSearchOrderAndLimit(t *testing.T) {
	f := newFixture(t)
	for _, file := range []string{"notes/b.md", "notes/a.md", "daily/2026-12-01.md", "daily/2026-12-02.md", Scratchpad, Memory} {
		f.plant(file, strings.Repeat("x\n", 9))
	}
	for limit, want := range map[int64]bool{0: true, 9: true, 50: true} {
		found, err := f.Search(ctx, "x", SearchOptions{Limit: limit})
		must(t, err)
		if limit == 0 {
			limit = MaxHits
		}
		if int64(len(found.Matches)) != limit || found.Truncated != want {
			t.Errorf("%d of %d, %v", len(found.Matches), limit, found.Truncated)
		}
		order := []string{Memory, Scratchpad, "daily/2026-12-02.md", "daily/2026-12-01.md", "notes/a.md", "notes/b.md"}
		for i, m := range found.Matches {
			if m.File != order[i/9] || m.Line != int64(i%9+1) {
				t.Errorf("match %d is %s:%d", i, m.File, m.Line)
			}
		}
	}
	f = newFixture(t)
	f.plant(Memory, strings.Repeat("x\n", 50)+"y\n")
	if found, err := f.Search(ctx, "x", SearchOptions{}); err != nil || len(found.Matches) != 50 || found.Truncated {
		t.Errorf("just fifty: %d, %v, %v", len(found.Matches), found.Truncated, err)
	}
	for _, o := range []SearchOptions{{Limit: -1}, {Limit: 51}, {Context: -1}, {Context: 21}} {
		_, err := f.Search(ctx, "x", o)
		fails(t, "limits", err, plumbing.ErrInvalid, "50", "20")
	}
}

func TestSearchContext(t *testing.T) {
	f := newFixture(t)
	f.plant(Memory, "1\n2\nx\r\n4\r\nx\n6\n7\n8")
	found, err := f.Search(ctx, "x", SearchOptions{Context: 3})
	must(t, err)
	want := []Match{
		{File: Memory, Line: 3, Column: 1, Text: "x", Before: []string{"1", "2"}, After: []string{"4", "x", "6"}},
		{File: Memory, Line: 5, Column: 1, Text: "x", Before: []string{"2", "x", "4"}, After: []string{"6", "7", "8"}},
	}
	if d := cmp.Diff(want, found.Matches); d != "" {
		t.Error(d)
	}
	// At the limit the lines after it still come.
	found, err = f.Search(ctx, "x", SearchOptions{Context: 3, Limit: 1})
	must(t, err)
	if d := cmp.Diff(want[:1], found.Matches); d != "" || !found.Truncated {
		t.Error(d, found.Truncated)
	}
}

// The lines around a match at the border of two pieces come from both.
func TestSearchContextAcrossPieces(t *testing.T) {
	f := newFixture(t)
	filler := strings.Repeat("f\n", MaxLine/2-3)
	for shift := range 12 {
		text := filler + strings.Repeat("g\n", shift) + "1\n2\nneedle\n4\n5\n" + filler
		f.plant(Memory, text)
		found, err := f.Search(ctx, "needle", SearchOptions{Context: 2, Limit: 1})
		must(t, err)
		want := []Match{{File: Memory, Line: int64(MaxLine/2-3+shift) + 3, Column: 1, Text: "needle", Before: []string{"1", "2"}, After: []string{"4", "5"}}}
		if d := cmp.Diff(want, found.Matches); d != "" {
			t.Error(shift, d)
		}
	}
}

func TestSearchLongLines(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("ü", 2000)
	f.plant(Memory, long+"needle"+long+"\nshort needle\n")
	found, err := f.Search(ctx, "needle", SearchOptions{Context: 1})
	must(t, err)
	if len(found.Matches) != 2 || len(found.Skipped) != 0 {
		t.Fatalf("%+v", found)
	}
	m := found.Matches[0]
	if m.Column != 4001 || !m.Cut || len(m.Text) > MaxText || !strings.Contains(m.Text, "üneedleü") || m.After[0] != "short needle" {
		t.Errorf("%+v", m)
	}
	if m := found.Matches[1]; m.Cut || len(m.Before[0]) > MaxText || !strings.HasPrefix(m.Before[0], "üüü") {
		t.Errorf("%+v", m)
	}
	// A line that is longer than a piece is searched in its beginning, and that is said; what follows counts on.
	f.plant(Memory, "a\nneedle"+strings.Repeat("ü", MaxLine)+"needle\nb\nneedle\n")
	found, err = f.Search(ctx, "needle", SearchOptions{Context: 1})
	must(t, err)
	if len(found.Matches) != 2 || found.Matches[0].Line != 2 || found.Matches[1].Line != 4 || len(found.Skipped) != 1 {
		t.Fatalf("%d matches, %v", len(found.Matches), found.Skipped)
	}
	fails(t, "long line", found.Skipped[0].Err, plumbing.ErrInvalid, "line 2 of", "262144")
	if d := cmp.Diff([]string{"b"}, found.Matches[1].Before); d != "" {
		t.Error(d)
	}
}

// What is not text is named and left out, wherever in it that shows, and the rest is searched.
func TestSearchNotText(t *testing.T) {
	for name, text := range map[string]string{
		"NUL": "needle\x00\n", "UTF-16": "\xff\xfen\x00\n\x00", "UTF-16 BE": "\xfe\xff\x00n", "Latin-1": "needle \xfc\n",
		"late": "needle\n" + strings.Repeat("x\n", MaxLine) + "\xff", "cut at the end": "needle \xe6\xbc", "late NUL": "needle\n" + strings.Repeat("ü", MaxLine) + "\x00",
		"in a long line": strings.Repeat("x", MaxLine) + "\xff\xfe\n",
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.plant(Memory, text)
			f.plant(Scratchpad, "the needle\n")
			found, err := f.Search(ctx, "needle", SearchOptions{Context: 1})
			must(t, err)
			if len(found.Matches) != 1 || found.Matches[0].File != Scratchpad || found.Truncated {
				t.Errorf("%+v", found.Matches)
			}
			l, err := f.List(ctx)
			must(t, err)
			if len(l.Notes) != 1 || l.Notes[0].File != Scratchpad {
				t.Errorf("%+v", l.Notes)
			}
			_, err = f.Read(ctx, Memory)
			fails(t, "read", err, plumbing.ErrInvalid, Memory, "not text")
			for _, list := range [][]Skipped{found.Skipped, l.Skipped} {
				if len(list) == 0 || list[len(list)-1].File != Memory {
					t.Fatalf("%v", list)
				}
				fails(t, "skipped", list[len(list)-1].Err, plumbing.ErrInvalid, Memory, "not text")
			}
		})
	}
}

// A pattern that would explode a backtracking engine takes linear time, also one with more states than are kept.
func TestSearchExplosive(t *testing.T) {
	f := newFixture(t)
	text := strings.Repeat(strings.Repeat("a", 1000)+"b\n", 4) + "ab" + strings.Repeat("a", 30) + "c\n"
	f.plant(Memory, text)
	for _, pattern := range []string{`(a+)+$`, `(a|a)*c`, `(x+x+)+y`, `(.*a){12}c`, `[ab]*a[ab]{14}c`, `(a?){100}a{100}c`, `(?:(?:a|b)?a.){60}$`} {
		if d := cmp.Diff(naive(text, pattern), searched(t, f.Store, pattern)); d != "" {
			t.Errorf("%s: %s", pattern, d)
		}
	}
}

// When the states have been thrown away too often, the regular expression itself goes on.
func TestSearchGivesUpStates(t *testing.T) {
	p, err := compile(`[ab]*a[ab]{14}c`)
	must(t, err)
	finder := newFinder(p)
	var b strings.Builder
	for i := range 12000 {
		fmt.Fprintf(&b, "%s\n", strings.NewReplacer("0", "a", "1", "b").Replace(fmt.Sprintf("%020b", i*7919)))
	}
	b.WriteString("aaaaaaaaaaaaaaaaaac\n")
	data := []byte(b.String())
	start, _, ok := finder.next(data, 0)
	if !ok || start != len(data)-20 || finder.auto != nil {
		t.Errorf("%d of %d, %v, automaton %v", start, len(data), ok, finder.auto != nil)
	}
}

func TestSearchPatternInvalid(t *testing.T) {
	f := newFixture(t)
	for pattern, says := range map[string]string{
		"": "empty", "a\nb": "newline", "a\x00": "NUL", "a\xff": "UTF-8", strings.Repeat("x", MaxPattern+1): "4096",
		"a(?=b)": "lookahead", "a(?!b)": "negative lookahead", "(?<=a)b": "lookbehind", "(?<!a)b": "negative lookbehind",
		`(a)\1`: "backreference", `(?P<n>a)\k<n>`: "named backreference", "(?P<n>a)(?P=n)": "named backreference", `(a)\g1`: "backreference",
		"(?>a)": "atomic group", "a++": "possessive", "a*+": "possessive", "a?+": "possessive", "a{2}+": "possessive", "(?#x)a": "comment",
		`a\Z`: `\Z`, `\Ga`: `\G`, `a\Kb`: `\K`, `\R`: `\R`, `\X`: `\X`, `\h`: `\h`, `\u0041`: `\u`, `\e`: `\e`,
		"a{1001}": "1,000 repetitions", "a{2,1001}": "1,000 repetitions", "(?x)a": "flag x", "(?(1)a)": "condition", "(?R)": "recursion", "(a)(?1)": "recursion",
		"(a": "missing closing )", "a)": "unexpected )", "[a": "missing closing ]", "*a": "missing argument", "a**": "invalid nested repetition",
		"[b-a]": "invalid character class range", `a\`: "trailing backslash", `\pX`: "invalid character class range", "(?i": "Perl syntax", "x{2}{1000}{1000}": "",
		strings.Repeat("(", 2000) + strings.Repeat(")", 2000): "nests", `[\Z]`: "invalid escape", "((a{100}){100}){100}": "",
	} {
		_, err := f.Search(ctx, pattern, SearchOptions{})
		fails(t, fmt.Sprintf("%.40q", pattern), err, plumbing.ErrInvalid, says)
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%.40q: a message of %d bytes", pattern, len(err.Error()))
		}
	}
	for pattern, text := range map[string]string{`\(\?=`: "(?=", `[(?=]`: "x=", `\Qa++\E`: "a++", `a{,3}`: "a{,3}", `\d`: "1", "(?<n>a)": "a", "[[:alpha:]]": "b", `\z`: "", "[]+]+": "]"} {
		f.plant(Memory, text+"\n")
		if got := searched(t, f.Store, pattern); len(got) != 1 {
			t.Errorf("%s in %q: %v", pattern, text, got)
		}
	}
	f.plant(Memory, "٣ ü\n")
	if got := searched(t, f.Store, `\d|\w`); got != nil { // the dialect's \d and \w are ASCII
		t.Error(got)
	}
}

// FuzzSearch: a search is package regexp on each line, whatever way it takes.
func FuzzSearch(f *testing.F) {
	for _, p := range patterns {
		f.Add(sample, p)
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		p, err := compile(pattern)
		if err != nil || notText([]byte(text)) != "" || len(text) > 10_000 {
			return
		}
		q := query{find: newFinder(p), opt: SearchOptions{Limit: 1 << 40}, buf: make([]byte, MaxLine)}
		must(t, q.file(ctx, Memory, strings.NewReader(text)))
		var got []string
		for _, m := range q.found.Matches {
			got = append(got, fmt.Sprintf("%d:%d", m.Line, m.Column))
		}
		if d := cmp.Diff(naive(text, pattern), got); d != "" {
			t.Errorf("%q in %q: %s", pattern, text, d)
		}
	})
}
