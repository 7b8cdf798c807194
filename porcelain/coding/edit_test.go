package coding

import (
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
)

type m = map[string]any

func TestEdit(t *testing.T) {
	b := newBox(t)
	for name, c := range map[string]struct {
		before string
		edits  []any
		after  string
	}{
		"one":             {"a\nb\nc\n", []any{m{"old": "b", "new": "B"}}, "a\nB\nc\n"},
		"delete":          {"a\nb\nc\n", []any{m{"old": "b\n", "new": ""}}, "a\nc\n"},
		"all":             {"x x x", []any{m{"old": "x", "new": "yy", "all": true}}, "yy yy yy"},
		"in order":        {"a\nb\n", []any{m{"old": "a", "new": "b2"}, m{"old": "b2\nb", "new": "c"}}, "c\n"},
		"crlf":            {"a\r\nb\r\nc\r\n", []any{m{"old": "a\nb", "new": "a\nB\nB2"}}, "a\r\nB\r\nB2\r\nc\r\n"},
		"crlf, asked so":  {"a\r\nb\r\nc\r\n", []any{m{"old": "a\r\nb", "new": "a\r\nB\nB2"}}, "a\r\nB\r\nB2\r\nc\r\n"},
		"case N of notes": {"a\r\nb\r\nc\rd\ne", []any{m{"old": "a\nb", "new": "a\nB"}}, "a\r\nB\r\nc\rd\ne"},
		"mixed":           {"a\r\nb\nc\r\nd\n", []any{m{"old": "a\nb\nc\nd", "new": "a\nb\nC\nd"}}, "a\r\nb\nC\r\nd\n"},
		"LF in CRLF":      {"a\r\nb\nc\r\n", []any{m{"old": "b", "new": "b1\nb2"}}, "a\r\nb1\nb2\nc\r\n"},
		"last line":       {"a\r\nb", []any{m{"old": "b", "new": "b1\nb2"}}, "a\r\nb1\r\nb2"},
		"CRLF old, LF":    {"a\nb\n", []any{m{"old": "a\r\nb", "new": "a\r\nc"}}, "a\nc\n"},
		"bare CR":         {"a\rb\rc", []any{m{"old": "b", "new": "B"}}, "a\rB\rc"},
		"bom":             {"\xEF\xBB\xBFa\n", []any{m{"old": "a", "new": "b"}}, "\xEF\xBB\xBFb\n"},
		"utf-16":          {"\xFF\xFEa\x00\r\x00\n\x00", []any{m{"old": "a\n", "new": "a\né\n"}}, "\xFF\xFEa\x00\r\x00\n\x00\xe9\x00\r\x00\n\x00"},
		"not UTF-8":       {"caf\xe9 a\n\xff", []any{m{"old": "a\n", "new": "b\n"}}, "caf\xe9 b\n\xff"},
		"unicode":         {"日本語\n", []any{m{"old": "本", "new": "木"}}, "日木語\n"},
	} {
		b.put("f", c.before)
		b.read("f")
		r, err := b.call("edit", jsonOf(m{"path": "f", "edits": c.edits}))
		if d := cmp.Diff(c.after, b.holds("f")); err != nil || d != "" {
			t.Errorf("%s: %v %s", name, err, d)
		}
		if !strings.HasPrefix(r.Text, "Edited f: ") || !strings.HasPrefix(r.Detail, "--- a/f\n+++ b/f\n@@") {
			t.Errorf("%s says %q, shows %q", name, r.Text, r.Detail)
		}
	}
}

func TestEditSays(t *testing.T) {
	b := newBox(t)
	b.put("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n")
	b.read("f")
	r, err := b.call("edit", jsonOf(m{"path": "f", "edits": []any{m{"old": "1\n2", "new": "one\n2"}, m{"old": "12", "new": "twelve\nthirteen"}}}))
	want := "Edited f: 2 places, 42 bytes.\n1\tone\n2\t2\n3\t3\n4\t4\n…\n9\t9\n10\t10\n11\t11\n12\ttwelve\n13\tthirteen\n"
	if d := cmp.Diff(want, r.Text); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	wantDiff := "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -9,4 +9,5 @@\n 9\n 10\n 11\n-12\n+twelve\n+thirteen\n"
	if d := cmp.Diff(wantDiff, r.Detail); d != "" {
		t.Error(d)
	}
}

// What cannot be done is said with what may have been meant, without a word of
// the file, and nothing is changed: of several edits all or none.
func TestEditRefuses(t *testing.T) {
	b := newBox(t)
	text := "func secretName() {\n\treturn \"it’s\"\n}\n\nfunc b() {\n\treturn 1\n}\nx aa x\n"
	b.put("f.go", text)
	b.put("bin", "\x00\x01")
	b.put("unread", "a\n")
	b.read("f.go")
	edits := func(list ...any) string { return jsonOf(m{"path": "f.go", "edits": list}) }
	for name, c := range map[string]struct {
		args string
		kind error
		says string
	}{
		"absent":       {one("f.go", "nowhere", "x"), plumbing.ErrConflict, `the edit: old does not stand in "f.go": read the file again; grep finds lines`},
		"spaces":       {one("f.go", "func b() {\n    return 1\n}", "x"), plumbing.ErrConflict, "what stands on line 5 differs in white space only"},
		"quotes":       {one("f.go", `return "it's"`, "x"), plumbing.ErrConflict, "what stands on line 2 differs in white space, quotation marks or dashes only"},
		"case":         {one("f.go", "FUNC B()", "x"), plumbing.ErrConflict, "what stands on line 5 differs in letter case only"},
		"numbers":      {one("f.go", "5\tfunc b() {\n6\t\treturn 1", "x"), plumbing.ErrConflict, "old holds the line numbers that read prints"},
		"first line":   {one("f.go", "func b() {\n\treturn 2\n}", "x"), plumbing.ErrConflict, "line 1 of old stands on line 5, and what follows differs"},
		"several":      {one("f.go", "return", "x"), plumbing.ErrConflict, `old stands in "f.go" 2 times, on lines 2, 6: put more of what is around it`},
		"overlapping":  {one("f.go", "\n}\n", "x"), plumbing.ErrConflict, "2 times, on lines 2, 6"},
		"same":         {one("f.go", "x aa x\n", "x aa x\r\n"), plumbing.ErrInvalid, "changes nothing"},
		"empty":        {one("f.go", "", "x"), plumbing.ErrInvalid, "old is empty"},
		"none":         {edits(), plumbing.ErrInvalid, "there are 0 edits: give 1 to 100"},
		"second":       {edits(m{"old": "secretName", "new": "a"}, m{"old": "nowhere", "new": "x"}), plumbing.ErrConflict, "edit 2 of 2: old does not stand"},
		"changed":      {edits(m{"old": "secretName", "new": "a"}, m{"old": "secretName", "new": "x"}), plumbing.ErrConflict, "an edit before it in this call has changed that text"},
		"back":         {edits(m{"old": "secretName", "new": "a()"}, m{"old": "a()()", "new": "secretName()"}), plumbing.ErrInvalid, "take each other back"},
		"binary":       {one("bin", "a", "b"), plumbing.ErrRefused, "is not text"},
		"unread":       {one("unread", "a", "b"), plumbing.ErrConflict, `"unread" is there and was not read yet: read it first`},
		"missing":      {one("f.rs", "a", "b"), plumbing.ErrNotFound, "there is f.go"},
		"folder":       {one(".", "a", "b"), plumbing.ErrInvalid, "is a folder"},
		"wrong type":   {`{"path":"f.go","edits":[{"old":"a","new":"b","all":1}]}`, plumbing.ErrInvalid, `the field "edits[0].all" is neither true nor false`},
		"unknown":      {`{"path":"f.go","edits":[{"old":"a","new":"b","replace_all":true}]}`, plumbing.ErrInvalid, `there is no field "edits[0].replace_all"`},
		"no array":     {`{"path":"f.go","edits":{"old":"a","new":"b"}}`, plumbing.ErrInvalid, `the field "edits" is not an array of objects`},
		"twice in one": {`{"path":"f.go","edits":[{"old":"a","old":"a","new":"b"}]}`, plumbing.ErrInvalid, `there twice`},
	} {
		r, err := b.call("edit", c.args)
		said := tool.Failure(err)
		if !errors.Is(err, c.kind) || !strings.Contains(said, c.says) || r.Text != "" || strings.Contains(said, "secretName") {
			t.Errorf("%s: %s; want %q", name, said, c.says)
		}
	}
	if d := cmp.Diff(text, b.holds("f.go")); d != "" {
		t.Error(d)
	}
}

// bytesOf maps a text with LF only to its file: which bytes each one stands for.
func bytesOf(file string) (text string, at []int) {
	var b strings.Builder
	for i := 0; i < len(file); i++ {
		at = append(at, i)
		if strings.HasPrefix(file[i:], "\r\n") {
			i++
		}
		b.WriteByte(file[i])
	}
	return b.String(), append(at, len(file))
}

// checkEdit holds one replacement against a reckoning of its own: the bytes
// outside the place are as they were, the place is the text that was asked for,
// and its line ends are those of the place or of the line that it stands in.
func checkEdit(t *testing.T, file string, e replacement) {
	t.Helper()
	text, at := bytesOf(file)
	old, to := unix(e.old), unix(e.to)
	after, places, err := e.apply(file)
	first, last := strings.Index(text, old), strings.LastIndex(text, old)
	switch {
	case first < 0:
		if !errors.As(err, &absent{}) {
			t.Fatalf("%q in %q: %v", old, file, err)
		}
		return
	case first != last && !e.all:
		var several ambiguous
		if !errors.As(err, &several) || several.lines[0] != int64(strings.Count(text[:first], "\n")+1) {
			t.Fatalf("%q in %q: %v", old, file, err)
		}
		return
	case err != nil:
		t.Fatalf("%q in %q: %v", old, file, err)
	}
	if e.all {
		if n := strings.Count(text, old); len(places) != n {
			t.Fatalf("%q in %q: %d places, not %d", old, file, len(places), n)
		}
	} else if !strings.HasPrefix(after, file[:at[first]]) || !strings.HasSuffix(after, file[at[first+len(old)]:]) {
		t.Fatalf("%q -> %q in %q: outside of the place: %q", old, to, file, after)
	}
	if strings.Contains(to, "\r") || strings.Contains(file, "\r") && strings.ContainsAny(strings.ReplaceAll(file, "\r\n", ""), "\r") {
		return // a CR of its own may meet an LF, and is then one line end
	}
	n := 1
	if e.all {
		n = -1
	}
	if want := strings.Replace(text, old, to, n); unix(after) != want {
		t.Fatalf("%q -> %q in %q: %q", old, to, file, after)
	}
	ends := strings.Count(text, "\n")
	if crlf := strings.Count(file, "\r\n"); crlf == ends && strings.Count(after, "\r\n") != strings.Count(after, "\n") && ends > 0 {
		t.Fatalf("%q -> %q in %q: %q is not all CRLF", old, to, file, after)
	} else if crlf == 0 && strings.Contains(after, "\r") {
		t.Fatalf("%q -> %q in %q: %q has CR", old, to, file, after)
	}
	for i, s := range ends2(places, after) {
		if s != places[i].text {
			t.Fatalf("%q -> %q in %q: a place is %q, not %q", old, to, file, s, places[i].text)
		}
	}
}

func ends2(places []spliced, after string) (all []string) {
	for _, s := range ends(places) {
		all = append(all, after[s.start:s.end])
	}
	return all
}

func TestEditKeepsTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pieces := []string{"a", "b", "ab", "\n", "\r\n", "\r\n", "é", "\r", " ", "\t", "\xff"}
	text := func(most int, from []string) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteString(from[r.IntN(len(from))])
		}
		return b.String()
	}
	for i := range 20_000 {
		from := [][]string{pieces, pieces[:7], {"a", "b", "\n"}, {"a", "b", "\r\n"}}[i%4]
		file := text(12, from)
		plain := unix(file)
		e := replacement{all: r.IntN(2) == 0, old: text(3, from), to: text(4, from)}
		if len(plain) > 0 && r.IntN(4) > 0 { // most are there
			start := r.IntN(len(plain))
			e.old = plain[start : start+1+r.IntN(len(plain)-start)]
		}
		if e.old != "" && unix(e.old) != unix(e.to) {
			checkEdit(t, file, e)
		}
	}
}

func FuzzEdit(f *testing.F) {
	f.Add("a\r\nb\r\nc\rd\ne", "a\nb", "a\nB", false)
	f.Add("x x", "x", "\n", true)
	f.Fuzz(func(t *testing.T, file, old, to string, all bool) {
		if old != "" && unix(old) != unix(to) && len(file) < 1<<16 {
			checkEdit(t, file, replacement{all: all, old: old, to: to})
		}
		none := absent{unix(file), unix(old)}
		if len(file) < 1<<12 && none.near() == "" {
			t.Error("no hint")
		}
	})
}

func TestEditAfterAnEdit(t *testing.T) {
	b := newBox(t)
	b.put("f", "a\n")
	b.read("f")
	b.must("edit", one("f", "a", "b"))
	b.must("edit", one("f", "b", "c"))
	b.must("write", jsonOf(m{"path": "f", "content": "d\n"}))
	b.must("edit", one("f", "d", "e"))
	if err := os.WriteFile(b.path("f"), []byte("theirs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, call := range [][2]string{{"edit", one("f", "theirs", "ours")}, {"write", jsonOf(m{"path": "f", "content": "ours"})}} {
		if _, err := b.call(call[0], call[1]); !errors.Is(err, plumbing.ErrConflict) || !strings.Contains(tool.Failure(err), "has changed since it was read: read it again") {
			t.Errorf("%s: %v", call[0], err)
		}
	}
	b.must("read", `{"path":"./f","limit":1}`)
	b.must("edit", one("f", "theirs", "ours"))
	if text := b.holds("f"); text != "ours\n" {
		t.Errorf("%q", text)
	}
}
