package coding

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/learned"
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/tool"
)

func TestRead(t *testing.T) {
	b := newBox(t)
	for name, c := range map[string]struct{ text, args, want string }{
		"plain":      {"a\nb\n", ``, "1\ta\n2\tb\n"},
		"no newline": {"a\nb", ``, "1\ta\n2\tb\n"},
		"empty":      {"", ``, "[the file is empty]\n"},
		"one LF":     {"\n", ``, "1\t\n"},
		"range":      {"a\nb\nc\nd\n", `,"limit":2,"offset":2`, "2\tb\n3\tc\n[lines 2 to 3 of 4 lines; go on with offset 4]\n"},
		"tail":       {"a\nb\nc\n", `,"offset":3`, "3\tc\n[lines 3 to 3 of 3 lines]\n"},
		"crlf":       {"a\r\nb\r\n", ``, "1\ta\n2\tb\n[the file has CRLF line ends]\n"},
		"mixed":      {"a\r\nb\nc\rd\n", ``, "1\ta\n2\tb\n3\tc\rd\n[1 of 3 lines end in CRLF]\n[characters that cannot be seen on lines 3]\n"},
		"bom":        {"\xEF\xBB\xBFa\n", ``, "1\ta\n[the file has a byte order mark]\n"},
		"utf-16":     {"\xFF\xFEa\x00\n\x00\xe9\x00\n\x00", ``, " 1\ta\n 2\té\n[the file has UTF-16LE]\n"},
		"utf-16be":   {"\xFE\xFF\x00a\x00\n", ``, " 1\ta\n[the file has UTF-16BE]\n"},
		"latin-1":    {"caf\xe9\nb\n", ``, " 1\tcaf\uFFFD\n2\tb\n[not valid UTF-8, shown with U+FFFD: 1 line, behind a space]\n"},
		"unseen":     {"a\u202eb\nemoji 👍🏽\n", ``, "1\ta\u202eb\n2\temoji 👍🏽\n[characters that cannot be seen on lines 1]\n"},
		"two CR":     {"a\r\r\n", ``, " 1\ta\r\n[the file has CRLF line ends]\n[characters that cannot be seen on lines 1]\n"},
		"long":       {strings.Repeat("x", maxLine+7) + "\n", ``, "1\t" + strings.Repeat("x", maxLine) + "… [cut: 7 more bytes]\n"},
		"long crlf":  {strings.Repeat("x", maxLine) + "\r\n", ``, "1\t" + strings.Repeat("x", maxLine) + "\n[the file has CRLF line ends]\n"},
		"long é":     {strings.Repeat("x", maxLine-1) + "ééé", ``, "1\t" + strings.Repeat("x", maxLine-1) + "… [cut: 6 more bytes]\n"},
		"very long":  {strings.Repeat("x", 200_000) + "\r\nb", ``, "1\t" + strings.Repeat("x", maxLine) + "… [cut: 198000 more bytes]\n2\tb\n[1 of 2 lines end in CRLF]\n"},
	} {
		b.put("f", c.text)
		if d := cmp.Diff(c.want, b.must("read", `{"path":"f"`+c.args+`}`)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestReadCaps(t *testing.T) {
	b := newBox(t)
	b.put("lines", strings.Repeat("x\n", 3*maxLines))
	text := b.read("lines")
	if n := strings.Count(text, "\tx\n"); n != maxLines || !strings.HasSuffix(text, "[lines 1 to 2000 of 6000 lines; go on with offset 2001]\n") {
		t.Errorf("%d lines: %q", n, text[len(text)-80:])
	}
	b.put("bytes", strings.Repeat(strings.Repeat("é", 500)+"\n", 200))
	text = b.read("bytes")
	if len(text) > maxText+200 || len(text) < maxText-1100 || !utf8.ValidString(text) || !strings.Contains(text, "of 200 lines; go on with offset 66]") {
		t.Errorf("%d bytes: %q", len(text), text[len(text)-80:])
	}
	// A file over what is counted: no total, and it does not pass for read.
	f, err := os.Create(b.path("large"))
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(strings.Repeat("y", 999) + "\n")
	for range maxWhole/1000 + 100 {
		if _, err := f.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	if text = b.must("read", `{"path":"large","limit":1}`); !strings.HasSuffix(text, "[lines 1 to 1 of more; go on with offset 2]\n") {
		t.Errorf("large: %q", text)
	}
	if _, err := b.call("edit", one("large", "y", "z")); !errors.Is(err, plumbing.ErrRefused) {
		t.Errorf("large edited: %v", err)
	}
}

func TestReadRefuses(t *testing.T) {
	b := newBox(t)
	b.put("a.go", "x\n")
	b.put("deep/er/config.toml", "x\n")
	b.put("zip", "PK\x03\x04\x00\x00")
	b.put("late", strings.Repeat("x", 9000)+"\x00\n")
	b.link("circle", "circle")
	b.link("nothing", "dangling")
	for _, c := range []struct {
		args string
		kind error
		says string
	}{
		{`{"path":""}`, plumbing.ErrInvalid, "the path is empty"},
		{`{"path":"a\u0000b"}`, plumbing.ErrInvalid, "NUL"},
		{`{"path":"deep"}`, plumbing.ErrInvalid, `"deep" is a folder: ls lists it`},
		{`{"path":"A.go"}`, plumbing.ErrNotFound, `"A.go" does not exist: there is a.go`},
		{`{"path":"a.rs"}`, plumbing.ErrNotFound, `there is a.go`},
		{`{"path":"config.toml"}`, plumbing.ErrNotFound, `there is deep/er/config.toml`},
		{`{"path":"none/at/all.xyz"}`, plumbing.ErrNotFound, `glob and ls find files`},
		{`{"path":"a.go/x"}`, plumbing.ErrNotFound, `a file stands where it has a folder`},
		{`{"path":"zip"}`, plumbing.ErrRefused, `"zip" is not text: application/zip, 6 bytes`},
		{`{"path":"circle"}`, plumbing.ErrRefused, `"circle" is a link`},
		{`{"path":"dangling"}`, plumbing.ErrNotFound, `"dangling" does not exist`},
		{`{"path":"a.go","offset":2}`, plumbing.ErrInvalid, `"a.go" has 1 line, and line 2 is past the end`},
		{`{"path":"a.go","offset":0}`, plumbing.ErrInvalid, `the field "offset" is below 1`},
		{`{"path":"a.go","limit":-1}`, plumbing.ErrInvalid, `the field "limit" is below 1`},
		{`{"path":"` + strings.Repeat("x", 300) + `"}`, plumbing.ErrInvalid, "too long a name"},
	} {
		r, err := b.call("read", c.args)
		if !errors.Is(err, c.kind) || !strings.Contains(tool.Failure(err), c.says) {
			t.Errorf("%.60s: %v; want %q; %q", c.args, tool.Failure(err), c.says, r.Text)
		}
	}
	if text := b.read("late"); !strings.HasPrefix(text, " 1\t") && !strings.Contains(text, "cut") {
		t.Errorf("a NUL far into a file: %q", text)
	}
	for _, empty := range []string{`{"path":"a.go","offset":9223372036854775807,"limit":9223372036854775807}`} {
		if _, err := b.call("read", empty); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%s: %v", empty, err)
		}
	}
}

func TestReadImages(t *testing.T) {
	b := newBox(t)
	for kind, head := range map[string]string{
		"image/png": "\x89PNG\x0D\x0A\x1A\x0A", "image/jpeg": "\xFF\xD8\xFF\xE0", "image/gif": "GIF89a", "image/webp": "RIFF\x00\x00\x00\x00WEBPVP8 ",
	} {
		b.put("pics/a.txt", head+"rest\x00")
		r, err := b.call("read", `{"path":"pics/a.txt"}`)
		want := []provider.Block{{Type: provider.TypeFile, Name: "a.txt", MediaType: kind, Data: base64.StdEncoding.EncodeToString([]byte(head + "rest\x00"))}}
		if d := cmp.Diff(want, r.Files); err != nil || d != "" || r.Text != fmt.Sprintf("[%s, %d bytes]\n", kind, len(head)+5) {
			t.Errorf("%s: %v %q %s", kind, err, r.Text, d)
		}
	}
	b.put("big", "GIF89a"+strings.Repeat("x", maxImage))
	if _, err := b.call("read", `{"path":"big"}`); !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(err.Error(), "larger than 5242880 bytes") {
		t.Errorf("a large image: %v", err)
	}
}

// What read prints proves that the file holds the line (design section 11), as
// long as it is printed as the file has it; learned is the judge of that.
func TestReadProves(t *testing.T) {
	b := newBox(t)
	cut := strings.Repeat("k", maxLine)
	b.put("f.txt", "plain\r\ncaf\xe9\n"+cut+"more\n\ttabs\tin\n"+"a… [cut: 5 more bytes]\ntwice\r\r\n")
	b.put("sub/f.txt", "other\n")
	observe := func(path, line string) bool {
		t.Helper()
		o := learned.Observation{Path: path, Line: line}
		args := jsonOf(map[string]any{"path": path})
		text := b.must("read", args)
		records := [][]byte{
			[]byte(`{"content":[{"arguments":` + args + `,"id":"c1","name":"read","type":"tool_call"}],"role":"assistant","type":"message"}`),
			[]byte(`{"content":[{"files":[],"id":"c1","is_error":false,"name":"read","text":` + jsonOf(text) + `,"type":"tool_result"}],"role":"tool","type":"message"}`),
			[]byte(`{"content":[{"text":` + jsonOf(o.Text()) + `,"type":"text"}],"role":"assistant","type":"message"}`),
		}
		_, ok := learned.Observed(o.Text(), records)
		return ok
	}
	for _, c := range []struct {
		path, line string
		want       bool
	}{
		{"f.txt", "plain", true}, {"./f.txt", "plain", true}, {"f.txt", "plai", false},
		{"f.txt", "\ttabs\tin", true}, {"sub/f.txt", "other", true},
		{"f.txt", "caf\uFFFD", false},
		{"f.txt", cut, false}, {"f.txt", cut + "more", false}, {"f.txt", cut + "… [cut: 4 more bytes]", false},
		{"f.txt", "a… [cut: 5 more bytes]", false},
		{"f.txt", "twice", false}, {"f.txt", "twice\r", false},
		{b.path("f.txt"), "plain", false},
	} {
		if got := observe(c.path, c.line); got != c.want {
			t.Errorf("%s, %.30q: %v", c.path, c.line, got)
		}
	}
	// Once the shell has gone elsewhere, the path is not the one from the checkout.
	b.moveTo(b.path("sub"))
	if observe("f.txt", "other") {
		t.Error("a line of sub/f.txt proves a fact about f.txt")
	}
}

// Whatever a file holds: a line that is printed with its bare number, and not
// cut, is that line of the file; and every line that is due is printed.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a\r\nb\n\r\r\n"), int64(1), int64(10))
	f.Add([]byte("\xEF\xBB\xBFa\x00b\xff\n"), int64(1), int64(1))
	f.Add([]byte(strings.Repeat("é", 1500)+"\r\n… [cut: 3 more bytes]"), int64(2), int64(1))
	f.Fuzz(func(t *testing.T, file []byte, first, limit int64) {
		first, limit = max(1, first%1000), max(1, limit%1000)
		g := pager{first: first, last: first + limit - 1, exact: true}
		if err := g.read(t.Context(), bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(file), "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if g.lines != int64(len(lines)) {
			t.Fatalf("%d lines of %d", g.lines, len(lines))
		}
		text := g.b.String()
		for printed := range strings.Lines(text) {
			number, line, _ := strings.Cut(strings.TrimSuffix(printed, "\n"), "\t")
			n, err := strconv.ParseInt(strings.TrimPrefix(number, " "), 10, 64)
			if err != nil || n != first || !utf8.ValidString(line) || len(line) > 2*maxLine {
				t.Fatalf("%q: due is line %d", printed, first)
			}
			first++
			if number[0] != ' ' && !learned.Cut(line) && line != strings.TrimSuffix(lines[n-1], "\r") {
				t.Fatalf("%q is not line %d, %q", line, n, lines[n-1])
			}
		}
		if due := min(g.last, g.lines) + 1; g.next == 0 && first < due || g.next != 0 && first != g.next {
			t.Fatalf("printed up to %d, %d due", first, due)
		}
	})
}

// What is outside is asked for by its real path, and read once it was named.
func TestReadOutside(t *testing.T) {
	b := newBox(t)
	secret := filepath.Join(b.outside, "secret")
	if err := os.WriteFile(secret, []byte("s\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.link(secret, "link")
	b.link(b.outside, "folder")
	for _, path := range []string{secret, "../out/secret", "link", "folder/secret", "~/../out/secret"} {
		c := b.callOf("read", jsonOf(map[string]any{"path": path}))
		if r, err := b.tools["read"].Run(t.Context(), c); !errors.Is(err, plumbing.ErrConflict) || r.Text != "" {
			t.Errorf("%s, not asked for: %q, %v", path, r.Text, err)
		}
		n, err := b.tools["read"].Needs(t.Context(), c)
		if d := cmp.Diff([]string{secret}, n.Outside); err != nil || d != "" {
			t.Errorf("%s: %v %s", path, err, d)
		}
		if r, err := b.tools["read"].Run(t.Context(), c); err != nil || r.Text != "1\ts\n" {
			t.Errorf("%s: %q, %v", path, r.Text, err)
		}
	}
	// A link that is put there after the question.
	b.put("swap", "inside\n")
	c := b.callOf("read", `{"path":"swap"}`)
	if n, err := b.tools["read"].Needs(t.Context(), c); err != nil || n.Outside != nil {
		t.Fatalf("%+v, %v", n, err)
	}
	if err := os.Remove(b.path("swap")); err != nil {
		t.Fatal(err)
	}
	b.link(secret, "swap")
	if r, err := b.tools["read"].Run(t.Context(), c); !errors.Is(err, plumbing.ErrConflict) || r.Text != "" {
		t.Errorf("swapped: %q, %v", r.Text, err)
	}
}
