package secret

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzMask(f *testing.F) {
	for _, m := range marks() {
		f.Add("x=" + sample(m) + "\n")
	}
	f.Add("1\t-----BEGIN PRIVATE KEY-----\r\n2\tMIIE\\nAAAA\n-----END PRIVATE KEY-----")
	f.Add(`{"k":"-----BEGIN EC PRIVATE KEY-----\nMIIE` + strings.Repeat("A", 60) + `\n"}`)
	f.Add("PuTTY-User-Key-File-2: x\nPrivate-Lines: 1\nAAAA\nPrivate-MAC: 00")
	f.Fuzz(func(t *testing.T, text string) {
		masked, kinds := Mask(text)
		spans := Find(text)
		if (len(spans) == 0) != (len(kinds) == 0) || (Kind(text) == "") != (len(kinds) == 0) {
			t.Fatalf("%d spans, kinds %v", len(spans), kinds)
		}
		at, rest := 0, masked
		for _, s := range spans {
			if s.Start < at || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %+v behind %d of %d", s, at, len(text))
			}
			var found bool
			if rest, found = strings.CutPrefix(rest, text[at:s.Start]+"[masked: "+s.Kind+"]"); !found {
				t.Fatalf("what stands around %+v is not as it was", s)
			}
			at = s.End
		}
		if rest != text[at:] {
			t.Fatal("what follows the last is not as it was")
		}
		if utf8.ValidString(text) && !utf8.ValidString(masked) {
			t.Fatal("no longer valid UTF-8")
		}
		if len(masked) > 2*len(text) {
			t.Fatalf("%d bytes from %d", len(masked), len(text))
		}
		if again, _ := Mask(masked); again != masked {
			t.Fatalf("masked again %q is %q", masked, again)
		}
	})
}

func BenchmarkMask(b *testing.B) {
	line := "2026-01-02T03:04:05Z plumbing/secret: the walk of a skipped token was sent to GitHub in 0.12 s (7c9e6679-7425-40de)\n"
	for name, text := range map[string]string{"text": strings.Repeat(line, 1<<20/len(line)), "base64": strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEfFcSJ", 1<<15),
		"dashes": strings.Repeat("-", 1<<20), "begins": strings.Repeat("-----BEGIN PRIVATE KEY-----\nA\n", 1<<15)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Mask(text)
			}
		})
	}
}

func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		newIndex()
	}
}
