package tui

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/porcelain/tui/typeset"
	"github.com/lecode/lecode/porcelain/tui/typeset/typesettest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s: -want +got\n%s", name, d)
	}
}

// seen is rows with colours as marks that can be read.
func seen(rows []typeset.Row) string {
	text := strings.Join(typeset.Lines(rows, true), "\n") + "\n"
	return strings.NewReplacer("\x1b[0m", "⟩", "\x1b[", "⟨").Replace(text)
}

const sample = "# Title with `code`\n\nA paragraph with **bold**, *slanted*, ~~gone~~ and a [link](https://example.org/a?b=1),\nsoft break, and a hard one\\\nhere. <b>HTML</b> and Vec<String> stay; &lt;entities&gt; are read, &#27;[2J too.\n\n" +
	"- one\n- two with a lot of words that have to be wrapped somewhere\n  1. nested\n  2. again\n- [x] done\n\n3. three\n\n4. four\n\n> quoted\n> words\n\n```go\nfunc main() {\n\tprintln(\"x\")\n}\n```\n\n```diff\n-old\n+new\n```\n\n" +
	"| Name | Count |\n|---|--:|\n| 漢字 | 12 |\n| b | 3 |\n\n---\n\n<div>\n  raw\n</div>\n\nEnd ❤️ שלום.\n"

func TestMarkdown(t *testing.T) {
	golden(t, "markdown_60.txt", seen(markdown(sample, 60)))
	golden(t, "markdown_20.txt", seen(markdown(sample, 20)))
}

func TestMarkdownIsNeverTooWide(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		width, text := 1+r.IntN(60), typesettest.Text(r, r.IntN(80))
		typesettest.Check(t, text, typeset.Lines(markdown(text, width), true), width)
	}
	deep := strings.Repeat("> ", 3000) + strings.Repeat("*a ", 3000) + "\n" + strings.Repeat("[", 5000)
	typesettest.Check(t, "deep", typeset.Lines(markdown(deep, 40), false), 40)
}

// TestMarkdownKeepsWords: whatever is between marks is shown.
func TestMarkdownKeepsWords(t *testing.T) {
	for _, in := range []string{"Vec<String>", "<b>x</b>", "a <!-- hidden --> b", "<script>x</script>", "<!-- all -->", "&#x1b;[31m", "[a]: /url \"t\"", "<div\n>"} {
		var got strings.Builder
		for _, r := range markdown(in, 80) {
			got.WriteString(r.Write(false))
		}
		want := strings.NewReplacer("&#x1b;", "<U+001B>", "\n", "").Replace(in)
		if got.String() != want {
			t.Errorf("%q is shown as %q", in, got.String())
		}
	}
}

// TestSettled: laid out in pieces as they settle, a text comes to the same as whole.
func TestSettled(t *testing.T) {
	whole := seen(markdown(sample, 60))
	var pieces []string
	add := func(text string) {
		if rows := markdown(text, 60); len(rows) > 0 {
			pieces = append(pieces, strings.TrimRight(seen(rows), "\n"))
		}
	}
	var s stream
	for _, r := range sample {
		add(s.add(string(r)))
	}
	add(s.end())
	if len(pieces) < 8 {
		t.Errorf("only %d pieces", len(pieces))
	}
	if d := cmp.Diff(whole, strings.Join(pieces, "\n\n")+"\n"); d != "" {
		t.Errorf("in pieces: -whole +pieces\n%s", d)
	}
}

// TestNothingIsDropped: what a model wrote is there, whatever the marks around it.
func TestNothingIsDropped(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1) one\n5) two\n", "1) one\n5) two"},
		{"7. a\n9. b\n", "7. a\n9. b"},
		{"3. a\n\n   more\n\n3. b\n", "3. a\n\n   more\n\n3. b"},
		{"| a | b |\n|---|---|\n| 1 | 2 | extra |\n", "| a | b |\n|---|---|\n| 1 | 2 | extra |"},
		{"```go name=x\nf()\n```\n", "▏ go name=x\n▏ f()"},
		{"~~~\nf()\n~~~\n", "▏ f()"},
		{"[words](https://e.org \"its title\")", "words (https://e.org \"its title\")"},
		{strings.Repeat("> ", 30) + "deep\n", "deep"},
		{strings.Repeat("- ", 30) + "deep\n", "deep"},
	} {
		var got []string
		for _, r := range markdown(c.in, 80) {
			got = append(got, r.Write(false))
		}
		if all := strings.Join(got, "\n"); all != c.want && (len(c.in) < 60 || !strings.Contains(all, c.want)) {
			t.Errorf("%q is shown as\n%s\nwant\n%s", c.in, all, c.want)
		}
	}
}

// BenchmarkStream is a long block in small pieces: its end is looked for once.
func BenchmarkStream(b *testing.B) {
	text := "```\n" + strings.Repeat("a line of code that is rather long\n", 10_000)
	for b.Loop() {
		var s stream
		for at := 0; at < len(text); at += 40 {
			s.add(text[at:min(len(text), at+40)])
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(sample, 60)
	f.Add("1. a\n\n   > | x | y |\n   > |---|---|\n   > | 1 | 2 | 3 |\n", 20)
	f.Fuzz(func(t *testing.T, text string, width int) {
		if width < 1 || width > 200 || len(text) > 600 {
			t.Skip()
		}
		typesettest.Check(t, "markdown", typeset.Lines(markdown(text, width), true), width)
		var s stream
		var pieces strings.Builder
		for at := 0; at < len(text); at += 7 {
			pieces.WriteString(s.add(text[at:min(len(text), at+7)]))
		}
		s.view(width)
		if pieces.WriteString(s.end()); pieces.String() != text {
			t.Errorf("in pieces it is %q", pieces.String())
		}
	})
}
