package note

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
)

func TestEdit(t *testing.T) {
	for name, c := range map[string]struct {
		text, old, new, want string
		all                  bool
		lines                []int64
	}{
		"N8":                           {"a\r\nb\r\nc\rd\ne", "a\nb", "a\nB", "a\r\nB\r\nc\rd\ne", false, []int64{1}},
		"N8, the lone CR":              {"a\r\nb\r\nc\rd\ne", "c\nd", "C\nd", "a\r\nb\r\nC\rd\ne", false, []int64{3}},
		"N8, across all":               {"a\r\nb\r\nc\rd\ne", "a\nb\nc\nd\ne", "A\nb\nc\nd\nE", "A\r\nb\r\nc\rd\nE", false, []int64{1}},
		"N8, a lone CR as such":        {"a\r\nb\r\nc\rd\ne", "c\rd", "c\rD", "a\r\nb\r\nc\rD\ne", false, []int64{3}},
		"at the end, no newline added": {"a\nb", "b", "c", "a\nc", false, []int64{2}},
		"the end goes":                 {"a\nb\n", "b\n", "b", "a\nb", false, []int64{2}},
		"in a line":                    {"one two three\n", "two", "2", "one 2 three\n", false, []int64{1}},
		"to nothing":                   {"a\nb\nc\n", "b\n", "", "a\nc\n", false, []int64{2}},
		"all":                          {"x y x\nx\n", "x", "xx", "xx y xx\nxx\n", true, []int64{1, 1, 2}},
		"all, lines grow":              {"a\nx\nb\nx\n", "x\n", "1\n2\n", "a\n1\n2\nb\n1\n2\n", true, []int64{2, 5}},
		"all, no overlap":              {"aaa", "aa", "b", "ba", true, []int64{1}},
		"CRLF asked for, LF there":     {"a\nb\n", "a\r\nb\r\n", "a\r\nc\r\n", "a\nc\n", false, []int64{1}},
		"new lines in CRLF":            {"a\r\nb\r\n", "a", "a\nx\ny", "a\r\nx\r\ny\r\nb\r\n", false, []int64{1}},
		"new lines on the last line":   {"a\r\nb", "b", "b\nc", "a\r\nb\r\nc", false, []int64{2}},
		"new lines without any":        {"ab", "b", "b\nc\n", "ab\nc\n", false, []int64{1}},
		"style of each line":           {"a\r\nb\nc\r\n", "a\nb\nc", "1\n2\n3", "1\r\n2\n3\r\n", false, []int64{1}},
		"more lines than there were":   {"a\r\nb\nc\r\n", "a\nb", "1\n2\n3", "1\r\n2\r\n3\nc\r\n", false, []int64{1}},
		"a line in the middle":         {"a\r\nb\nc\r\n", "a\nb\nc", "a\nb\nx\nc", "a\r\nb\nx\nc\r\n", false, []int64{1}},
		"a BOM stays":                  {"\uFEFFa\n", "a", "b", "\uFEFFb\n", false, []int64{1}},
		"other characters":             {"漢字かな\n", "字か", "x", "漢xな\n", false, []int64{1}},
		"half a character in common":   {"é\n", "é", "è", "è\n", false, []int64{1}},
		"nothing is a pattern":         {"a.b $1 \\1\n", "a.b $1", "$1", "$1 \\1\n", false, []int64{1}},
		"CRLF before a place":          {"\r\n\r\n\r\nx\r\ny", "x", "z", "\r\n\r\n\r\nz\r\ny", false, []int64{4}},
		"only line ends":               {"a\r\n\r\nb", "\n\n", "\n", "a\r\nb", false, []int64{1}},
		"a newline in front":           {"a\r\nb", "\nb", "\nc", "a\r\nc", false, []int64{1}},
		"all over mixed ends":          {"x\r\nx\nx\rx", "x\n", "y\n", "y\r\ny\ny\rx", true, []int64{1, 2, 3}},
		"a line end behind a lone CR":  {"\rb\n", "b", "\nX", "\r\rX\n", false, []int64{1}},
		"the same, in a CRLF file":     {"\rb\r\n", "b", "\nX", "\r\r\nX\r\n", false, []int64{1}},
		"all, an inserted line":        {"x\r\nx\nx", "x", "x\nz", "x\r\nz\r\nx\nz\nx\nz", true, []int64{1, 3, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.plant(Memory, c.text)
			got, err := f.Edit(ctx, Memory, c.old, c.new, c.all)
			must(t, err)
			f.holds(Memory, c.want)
			f.holds(Memory+".bak", c.text)
			if d := cmp.Diff(c.lines, got.Lines); d != "" || got.Replaced != int64(len(c.lines)) || got.Bytes != int64(len(c.want)) || got.BytesBefore != int64(len(c.text)) {
				t.Errorf("%+v\n%s", got, d)
			}
		})
	}
}

func TestEditRefused(t *testing.T) {
	const text = "# Build\n\n  make all\nmake test\r\nmake test\n"
	for name, c := range map[string]struct {
		old, new string
		all      bool
		kind     error
		says     []string
	}{
		"none":           {"make lint", "x", false, plumbing.ErrConflict, []string{Memory, "does not hold", "white space counts"}},
		"none with all":  {"make lint", "x", true, plumbing.ErrConflict, []string{"does not hold"}},
		"nearly":         {"make all\nmake clean", "x", false, plumbing.ErrConflict, []string{"does not hold", "first line stands on line 3"}},
		"two":            {"make test", "x", false, plumbing.ErrConflict, []string{"2 times", "on lines 4, 5", "replace all"}},
		"overlapping":    {"make test\nmake", "x", false, nil, nil},
		"empty":          {"", "x", false, plumbing.ErrInvalid, []string{"old text is empty"}},
		"the same":       {"make", "make", true, plumbing.ErrInvalid, []string{"are the same"}},
		"the same ends":  {"make\r\n", "make\n", true, plumbing.ErrInvalid, []string{"are the same"}},
		"a lone CR":      {"make test\rmake", "x", false, plumbing.ErrConflict, []string{"does not hold"}},
		"NUL":            {"make", "a\x00", false, plumbing.ErrInvalid, []string{"new text", "NUL"}},
		"bad UTF-8":      {"m\xff", "a", false, plumbing.ErrInvalid, []string{"old text", "UTF-8"}},
		"case counts":    {"MAKE ALL", "x", false, plumbing.ErrConflict, []string{"does not hold"}},
		"grows too much": {"all", strings.Repeat("x", MaxFile), false, plumbing.ErrInvalid, []string{"grow over"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.plant(Memory, text)
			_, err := f.Edit(ctx, Memory, c.old, c.new, c.all)
			if c.kind == nil {
				must(t, err)
				return
			}
			fails(t, name, err, c.kind, c.says...)
			f.holds(Memory, text)
			if list := f.names(); len(list) > 1 {
				t.Errorf("made %v", list)
			}
		})
	}
	f := newFixture(t)
	f.plant(Memory, "aaa")
	_, err := f.Edit(ctx, Memory, "aa", "b", false)
	fails(t, "overlapping", err, plumbing.ErrConflict, "2 times", "on lines 1, 1")
	f.plant(Memory, strings.Repeat("x\n", 60))
	_, err = f.Edit(ctx, Memory, "x", "y", false)
	fails(t, "many", err, plumbing.ErrConflict, "60 times", "49, 50 and more")
	e, err := f.Edit(ctx, Memory, "x", "y", true)
	if err != nil || e.Replaced != 60 || len(e.Lines) != MaxLines {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = f.Edit(ctx, Scratchpad, "x", "y", true)
	fails(t, "missing", err, plumbing.ErrNotFound, Scratchpad)
}

// An edit goes to the text as it is now, whoever saved it in between (N2).
func TestEditIsFresh(t *testing.T) {
	f := newFixture(t)
	f.plant(Memory, "a\nb\n")
	_, err := f.Read(ctx, Memory)
	must(t, err)
	f.plant(Memory, "by an editor\na\nb\n")
	e, err := f.Edit(ctx, Memory, "a\n", "A\n", false)
	must(t, err)
	f.holds(Memory, "by an editor\nA\nb\n")
	if !slices.Equal(e.Lines, []int64{2}) {
		t.Error(e.Lines)
	}
	f.plant(Memory, "all anew\n")
	_, err = f.Edit(ctx, Memory, "A\n", "a\n", false)
	fails(t, "gone", err, plumbing.ErrConflict)
}

// FuzzEdit: whatever the line ends, an edit is the plain one on the flat text,
// and every line that it does not touch keeps its bytes.
func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb\r\nc\rd\ne", "a\nb", "a\nB", true)
	f.Add("x\nx\r\n", "x\n", "\n\n", false)
	f.Add("aaa", "aa", "\n", true)
	f.Add("", "\n", "", true)
	f.Fuzz(func(t *testing.T, text, old, new string, all bool) {
		old, new = strings.ReplaceAll(old, "\r", ""), strings.ReplaceAll(new, "\r", "")
		if old == "" || old == new {
			return
		}
		flat := newFlat(text)
		places := flat.find(old, 0, -1)
		n := -1
		if !all {
			n, places = 1, places[:min(1, len(places))]
		}
		got, lines := flat.replace(places, old, new)
		if strings.ContainsRune(text, '\r') && joins(text, got) {
			return
		}
		if d := cmp.Diff(strings.Replace(flat.flat, old, new, n), newFlat(got).flat); d != "" {
			t.Errorf("%q: %q for %q is %q\n%s", text, new, old, got, d)
		}
		if len(lines) != min(len(places), MaxLines) || !slices.IsSorted(lines) {
			t.Errorf("lines %v for %v", lines, places)
		}
		if len(places) == 0 {
			return
		}
		last := places[len(places)-1]
		if !strings.HasPrefix(got, text[:flat.at(places[0])]) || !strings.HasSuffix(got, text[flat.at(last+len(old)):]) {
			t.Errorf("%q: %q for %q changes what is outside: %q", text, new, old, got)
		}
	})
}

// joins reports whether an edit has put a lone CR before an LF: the two are one line end then.
func joins(text, got string) bool {
	return strings.Count(got, "\r\n") != strings.Count(text, "\r\n") && strings.Count(text, "\r") > strings.Count(text, "\r\n")
}
