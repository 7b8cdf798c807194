package note

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/lecode/lecode/plumbing"
)

func TestCheckFileTakes(t *testing.T) {
	for _, file := range []string{
		"MEMORY.md", "scratchpad.md", "daily/2026-12-02.md", "daily/2024-02-29.md",
		"notes/x.md", "notes/Build notes.md", "notes/v1.2.md", "notes/ünïcode 漢字.md", "notes/a-b_c.md", "notes/COM.md",
		"notes/console.md", "notes/COM10.md", "notes/MEMORY.md", "notes/md.md", "notes/100%.md", "notes/%2e%2e.md",
		"notes/" + strings.Repeat("x", MaxName-3) + ".md",
	} {
		if err := CheckFile(file); err != nil {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// bad are names that every entry point refuses (N4, A13), with the rule that is named.
var bad = map[string]string{
	"": "MEMORY.md, scratchpad.md", ".": "scratchpad.md", "..": "scratchpad.md", "/": "scratchpad.md",
	"../x": "scratchpad.md", "a/../../x": "scratchpad.md", "/etc/passwd": "scratchpad.md", `..\x`: "scratchpad.md", "C:x": "scratchpad.md",
	"%2e%2e/x": "scratchpad.md", "x\x00y": "scratchpad.md", "-x": "scratchpad.md", "CON": "scratchpad.md", "x.bak": "scratchpad.md",
	"../MEMORY": "scratchpad.md", ".git/config": "scratchpad.md", "facts.sqlite3": "scratchpad.md", "MEMORY.md.bak": "scratchpad.md",
	"notes.lock": "scratchpad.md", "config.toml": "scratchpad.md", "./MEMORY.md": "scratchpad.md", "MEMORY.md/": "scratchpad.md", "notes": "scratchpad.md",
	"memory.md": `did you mean "MEMORY.md"`, "SCRATCHPAD.md": `did you mean "scratchpad.md"`, "2026-12-02": `did you mean "daily/2026-12-02.md"`,
	"x": `did you mean "notes/x.md"`, "x.md": `did you mean "notes/x.md"`,

	"daily/2026-13-45.md": "day of the calendar", "daily/2025-02-29.md": "day of the calendar", "daily/2026-1-2.md": "day of the calendar",
	"daily/x.md": "daily/YYYY-MM-DD.md", "daily/2026-12-02": "daily/YYYY-MM-DD.md", "daily/2026-12-02.md.bak": "daily/YYYY-MM-DD.md",
	"daily/../MEMORY.md": "daily/YYYY-MM-DD.md", "daily/": "daily/YYYY-MM-DD.md", "daily/2026-12-02 .md": "calendar", "daily/٢٠٢٦-12-02.md": "calendar",

	"notes/": "notes/NAME.md", "notes/x": "notes/NAME.md", "notes/x.MD": "notes/NAME.md", "notes/x.md.bak": "notes/NAME.md", "notes/.md": "empty",
	"notes/../x.md": "/", "notes/a/b.md": "/", `notes/a\b.md`: `\`, "notes/..%2f.md": "..", "notes/...md": "..", "notes/a..b.md": "..",
	"notes/.x.md": "dot", "notes/-x.md": "dash", "notes/ x.md": "space", "notes/x..md": "dot", "notes/x .md": "space", "notes/..md": "dot",
	"notes/x.md.md": "neither .md nor .bak", "notes/x.MD.md": "neither .md nor .bak", "notes/x.bak.md": "neither .md nor .bak",
	"notes/CON.md": "device", "notes/con.md": "device", "notes/nul.txt.md": "device", "notes/COM1.md": "device", "notes/lpt9.x.md": "device",
	"notes/COM¹.md": "device", "notes/AUX .x.md": "device", "notes/conin$.md": "device",
	"notes/x\x00y.md": "U+0000", "notes/a\nb.md": "U+000A", "notes/\x1b[2J.md": "U+001B", "notes/a\x7f.md": "U+007F", "notes/a\u0085.md": "U+0085",
	"notes/a\u202eb.md": "U+202E", "notes/a\u200bb.md": "U+200B", "notes/a\u00adb.md": "U+00AD", "notes/a\ufeffb.md": "U+FEFF", "notes/a\U000E0049.md": "U+E0049",
	"notes/a\ufe0f.md": "U+FE0F", "notes/a\u00a0b.md": "U+00A0", "notes/a\u2028b.md": "U+2028", "notes/a\u3164b.md": "U+3164", "notes/a\ue000.md": "U+E000",
	"notes/a\ufffd.md": "U+FFFD", "notes/a\u2007b.md": "U+2007", "notes/a\u034fb.md": "U+034F",
	"notes/\xff.md": "UTF-8", "notes/a\xc3.md": "UTF-8", "notes/u\u0308.md": "NFC",
	"notes/C:x.md": "none of", "notes/a?.md": "none of", "notes/a|b.md": "none of", `notes/a"b.md`: "none of", "notes/a*.md": "none of", "notes/<a>.md": "none of",
	"notes/" + strings.Repeat("x", MaxName-2) + ".md": "251 bytes", "notes/" + strings.Repeat("漢", 100) + ".md": "251 bytes",
	strings.Repeat("x", 300): "scratchpad.md",
}

// Every entry point refuses the same names with the same words, and nothing is opened or made.
func TestBadFiles(t *testing.T) {
	f := newFixture(t)
	f.plant(Memory, "text")
	must(t, os.WriteFile(filepath.Join(f.dir, "x"), []byte("outside"), 0o600))
	for file, rule := range bad {
		want := CheckFile(file)
		fails(t, file, want, plumbing.ErrInvalid, rule)
		for what, err := range f.each(file) {
			if err == nil || want == nil || err.Error() != want.Error() {
				t.Errorf("%s of %q: %v, want %v", what, file, err, want)
			}
		}
		if want != nil && (strings.ContainsFunc(want.Error(), func(r rune) bool { return r < ' ' || r == '\u202e' }) || !utf8.ValidString(want.Error()) || len(want.Error()) > 700) {
			t.Errorf("the error line itself: %q", want)
		}
	}
	if d := cmp.Diff([]string{Memory}, f.names()); d != "" {
		t.Error(d)
	}
}

// each calls every entry point that takes a file.
func (f *fixture) each(file string) map[string]error {
	all := map[string]error{"check": CheckFile(file)}
	_, all["read"] = f.Read(ctx, file)
	_, all["write"] = f.Write(ctx, file, "x", Replace)
	_, all["append"] = f.Write(ctx, file, "x", Append)
	_, all["edit"] = f.Edit(ctx, file, "a", "b", false)
	return all
}

// The longest name can be written, backed up and written again.
func TestLongestName(t *testing.T) {
	f := newFixture(t)
	file := "notes/" + strings.Repeat("ü", (MaxName-3)/2) + ".md"
	must(t, CheckFile(file))
	for _, text := range []string{"one", "two"} {
		if _, err := f.Write(ctx, file, text, Replace); err != nil {
			t.Fatal(err)
		}
	}
	f.holds(file, "two")
	f.holds(file+".bak", "one")
}

// Names that differ by case only are one name on some systems, so they are on all.
func TestTwins(t *testing.T) {
	for _, c := range [][2]string{{"Build", "build"}, {"STRASSE", "straße"}, {"ÜBER", "über"}, {"ﬃ", "FFI"}} {
		f := newFixture(t)
		there, other := "notes/"+c[0]+".md", "notes/"+c[1]+".md"
		if _, err := f.Write(ctx, there, "a", Replace); err != nil {
			t.Fatal(err)
		}
		for what, err := range f.each(other) {
			switch what {
			case "check":
			case "read", "edit":
				fails(t, what, err, plumbing.ErrNotFound, "there is ", there)
			default:
				fails(t, what, err, plumbing.ErrInvalid, "by case only", there)
			}
		}
		if _, err := f.Write(ctx, there, "b", Replace); err != nil {
			t.Error(err)
		}
		f.holds(there, "b")
		if d := cmp.Diff([]string{"notes", there, there + ".bak"}, f.names()); d != "" {
			t.Error(d)
		}
	}
}

// Two that are there already, as on a system that tells them apart, are both usable.
func TestTwinsThatAreThere(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("1 case skipped: the file system may fold case")
	}
	f := newFixture(t)
	f.plant("notes/a.md", "small\n")
	f.plant("notes/A.md", "large\n")
	if _, err := f.Write(ctx, "notes/A.md", "more", Append); err != nil {
		t.Fatal(err)
	}
	f.holds("notes/A.md", "large\nmore\n")
	f.holds("notes/a.md", "small\n")
}

func FuzzCheckFile(f *testing.F) {
	for file := range bad {
		f.Add(file)
	}
	f.Add("notes/ünïcode 漢字.md")
	f.Fuzz(func(t *testing.T, file string) {
		err := CheckFile(file)
		if err != nil {
			fails(t, file, err, plumbing.ErrInvalid)
			return
		}
		name := filepath.FromSlash(file)
		dir, base := filepath.Split(name)
		if !filepath.IsLocal(name) || filepath.Clean(name) != name || strings.Count(file, "/") > 1 || len(base)+4 > 255 ||
			dir != "" && dir != filepath.FromSlash("daily/") && dir != filepath.FromSlash("notes/") {
			t.Errorf("%q is let through", file)
		}
		if !utf8.ValidString(file) || !norm.NFC.IsNormalString(file) || strings.HasPrefix(base, ".") || !strings.HasSuffix(base, ".md") {
			t.Errorf("%q is let through", file)
		}
	})
}
