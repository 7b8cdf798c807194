package note

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// figures are the patterns that a search is measured with: what grep is given is the same but for its dialect.
var figures = []struct{ name, pattern, grep string }{
	{"literal", "needle in a haystack", "needle in a haystack"},
	{"more than 50 lines", "line 1[0-9]*5 of it", "line 1[0-9]*5 of it"},
	{"alternation", "needle|haystack|pelican", "needle|haystack|pelican"},
	{"class", `[0-9]{4}-[0-9]{2}-[0-9]{2}T`, `[0-9]{4}-[0-9]{2}-[0-9]{2}T`},
	{"words", `[a-z]+@[a-z]+[.](net|org)`, `[a-z]+@[a-z]+[.](net|org)`},
	{"any case", "(?i)NEEDLE IN", "[nN][eE][eE][dD][lL][eE] [iI][nN]"},
	{"beyond ASCII", "(漢|字|ü){3}x", "(漢|字|ü){3}x"},
}

// markdown writes size bytes of notes with one line of each kind that figures look for.
func markdown(w io.Writer, size int) error {
	n := 0
	for i := 0; n < size; i++ {
		text := fmt.Sprintf("- line %d of it: run `make test` before the pull request, see docs/build-%d.md and ask ada@example.com\n", i, i%97)
		if i%7 == 0 {
			text = fmt.Sprintf("\n## Heading %d — with ünïcode, 漢字 and 2026-12-0%d\n\n", i, i%9+1)
		}
		k, err := io.WriteString(w, text)
		if err != nil {
			return err
		}
		n += k
	}
	_, err := io.WriteString(w, "a needle in a haystack, bob@example.org, 2026-12-02T07:00, 漢字漢x\n")
	return err
}

// BenchmarkSearch compares a search of 50 MB in process with grep -rnE, the whole process of it.
func BenchmarkSearch(b *testing.B) {
	f := newFixture(b)
	f.plant(Memory, "# Memory\n")
	for i := range 5 {
		name := fmt.Sprintf("notes/n%d.md", i)
		f.plant(name, "")
		file, err := os.OpenFile(f.path(name), os.O_WRONLY, 0)
		must(b, err)
		must(b, markdown(file, 10<<20))
		must(b, file.Close())
	}
	for _, fig := range figures {
		b.Run("lecode/"+fig.name, func(b *testing.B) {
			b.SetBytes(50 << 20)
			for b.Loop() {
				found, err := f.Search(ctx, fig.pattern, SearchOptions{})
				if err != nil || len(found.Matches) < 5 {
					b.Fatal(len(found.Matches), err)
				}
			}
		})
		b.Run("grep/"+fig.name, func(b *testing.B) {
			b.SetBytes(50 << 20)
			for b.Loop() {
				out, err := exec.Command("grep", "-rnE", fig.grep, f.memory).Output()
				if err != nil || strings.Count(string(out), "\n") < 5 {
					b.Skip("no grep, or it finds less:", err)
				}
			}
		})
	}
}
