package coding

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/plumbing/tool"
)

func content(path, text string) string { return jsonOf(m{"path": path, "content": text}) }

func TestWrite(t *testing.T) {
	b := newBox(t)
	if text := b.must("write", content("a/b c/ü.txt", "x\ny")); text != "Wrote a/b c/ü.txt: 3 bytes, 2 lines, a new file.\n" {
		t.Errorf("%q", text)
	}
	if text := b.holds("a/b c/ü.txt"); text != "x\ny" {
		t.Errorf("%q", text)
	}
	b.must("write", content("a/b c/ü.txt", "what was written may be written again"))
	for name, c := range map[string]struct{ before, content, after, says string }{
		"plain":          {"a\n", "b\nc\n", "b\nc\n", "Wrote f: 4 bytes, 2 lines.\n"},
		"crlf":           {"a\r\nb\r\n", "b\nc\n", "b\r\nc\r\n", "Wrote f: 6 bytes, 2 lines; kept: CRLF line ends.\n"},
		"crlf said":      {"a\r\n", "b\r\nc\n", "b\r\nc\n", "Wrote f: 5 bytes, 2 lines.\n"},
		"mixed":          {"a\r\nb\n", "b\nc\n", "b\nc\n", "Wrote f: 4 bytes, 2 lines.\n"},
		"bom":            {"\xEF\xBB\xBFa\n", "b\n", "\xEF\xBB\xBFb\n", "Wrote f: 5 bytes, 1 line; kept: a byte order mark.\n"},
		"bom said":       {"\xEF\xBB\xBFa\n", "\uFEFFb\n", "\xEF\xBB\xBFb\n", "Wrote f: 5 bytes, 1 line; kept: a byte order mark.\n"},
		"utf-16 le crlf": {"\xFF\xFEa\x00\r\x00\n\x00", "é\n", "\xFF\xFE\xe9\x00\r\x00\n\x00", "Wrote f: 8 bytes, 1 line; kept: UTF-16LE, CRLF line ends.\n"},
		"empty":          {"a\n", "", "", "Wrote f: 0 bytes, 0 lines.\n"},
	} {
		b.put("f", c.before)
		b.read("f")
		if d := cmp.Diff(c.says, b.must("write", content("f", c.content))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(c.after, b.holds("f")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if left, err := filepath.Glob(b.path(file.TempPrefix + "*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWriteRefuses(t *testing.T) {
	b := newBox(t)
	b.put("there", "a\n")
	b.put("bin", "a\x00")
	b.put("read", "a\n")
	b.put("gone", "a\n")
	b.read("read")
	b.read("gone")
	if err := os.Remove(b.path("gone")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		kind error
		says string
	}{
		{content("there", "b"), plumbing.ErrConflict, `"there" is there and was not read yet: read it first`},
		{content("./sub/../there", "b"), plumbing.ErrConflict, `was not read yet`},
		{content("bin", "b"), plumbing.ErrRefused, `"bin" is there and is not text`},
		{content("read", "a\n"), plumbing.ErrInvalid, "holds exactly that already"},
		{content(".", "b"), plumbing.ErrInvalid, "is a folder"},
		{content("there/b", "b"), plumbing.ErrNotFound, "a file stands where it has a folder"},
		{content("f", strings.Repeat("x", maxWhole+1)), plumbing.ErrInvalid, "more than 16777216 bytes"},
		{`{"path":"f"}`, plumbing.ErrInvalid, `the field "content" is missing: write takes content, path`},
	} {
		if _, err := b.call("write", c.args); !errors.Is(err, c.kind) || !strings.Contains(tool.Failure(err), c.says) {
			t.Errorf("%.80s: %s; want %q", c.args, tool.Failure(err), c.says)
		}
	}
	b.must("write", content("gone", "b\n")) // it is a new file now
	if text := b.holds("there") + b.holds("read"); text != "a\na\n" {
		t.Errorf("%q", text)
	}
}

// A file that comes or changes between the question and the answer is not overwritten.
func TestWriteWhileAsked(t *testing.T) {
	b := newBox(t)
	b.put("old", "a\n")
	b.read("old")
	for _, name := range []string{"old", "new"} {
		c := b.callOf("write", content(name, "mine\n"))
		if _, err := b.tools["write"].Needs(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		b.put(name, "theirs\n")
		if _, err := b.tools["write"].Run(t.Context(), c); !errors.Is(err, plumbing.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
		if text := b.holds(name); text != "theirs\n" {
			t.Errorf("%s holds %q", name, text)
		}
	}
}

func TestWriteLinks(t *testing.T) {
	b := newBox(t)
	target := filepath.Join(b.outside, "rc")
	if err := os.WriteFile(target, []byte("theirs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.put("real", "a\n")
	b.link("real", "in")
	b.link(target, "out")
	b.link(b.outside, "folder")
	b.link(filepath.Join(b.outside, "none"), "dangling")
	b.read("in")
	b.must("write", content("in", "b\n"))
	if info, err := os.Lstat(b.path("in")); err != nil || info.Mode()&os.ModeSymlink == 0 || b.holds("real") != "b\n" {
		t.Errorf("a link inside: %v, %v, %q", info, err, b.holds("real"))
	}
	for _, name := range []string{"out", "folder/rc", "folder/new", "dangling"} {
		b.call("read", jsonOf(m{"path": name}))
		for _, call := range [][2]string{{"write", content(name, "mine")}, {"edit", one(name, "theirs", "mine")}} {
			c := b.callOf(call[0], call[1])
			_, err := b.tools[call[0]].Needs(t.Context(), c)
			if !errors.Is(err, plumbing.ErrRefused) || !strings.Contains(tool.Failure(err), "give that path itself") {
				t.Errorf("%s %s is asked for: %v", call[0], name, err)
			}
			if _, err := b.tools[call[0]].Run(t.Context(), c); !errors.Is(err, plumbing.ErrRefused) {
				t.Errorf("%s %s: %v", call[0], name, err)
			}
		}
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "theirs\n" {
		t.Errorf("%q, %v", text, err)
	}
	if left, _ := os.ReadDir(b.outside); len(left) != 1 {
		t.Errorf("outside: %v", left)
	}
	// Named itself it is asked for, and then written; nothing of it is shown before.
	c := b.callOf("edit", one(target, "theirs", "mine"))
	b.must("read", jsonOf(m{"path": target}))
	n, err := b.tools["edit"].Needs(t.Context(), c)
	if d := cmp.Diff([]string{target}, n.Outside); err != nil || d != "" || strings.Contains(n.Detail, "theirs\n ") {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := b.tools["edit"].Run(t.Context(), c); err != nil {
		t.Error(err)
	}
	b.must("write", content(filepath.Join(b.outside, "made/new"), "x"))
}

// Calls at once: every edit is in the file, or is refused; nothing is torn.
func TestWriteAtOnce(t *testing.T) {
	b := newBox(t)
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("line %02d\n", i))
	}
	b.put("f", strings.Join(lines, ""))
	b.read("f")
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			c := b.callOf("edit", one("f", fmt.Sprintf("line %02d", i), fmt.Sprintf("done %02d", i)))
			if _, err := b.tools["edit"].Run(t.Context(), c); err != nil {
				t.Error(err)
			}
			b.Todos()
			b.tools["read"].Run(t.Context(), b.callOf("read", `{"path":"f"}`))
			b.tools["todo"].Run(t.Context(), b.callOf("todo", `{"items":[{"text":"x","status":"open"}]}`))
		})
	}
	wg.Wait()
	if text := b.holds("f"); text != strings.ReplaceAll(strings.Join(lines, ""), "line", "done") {
		t.Errorf("%s", text)
	}
}

// What was read before a change of the agent's own, and noted after it, does not stand for the file.
func TestReadAcrossEdit(t *testing.T) {
	b := newBox(t)
	b.put("f", "a\n")
	p, err := b.place("f")
	if err != nil {
		t.Fatal(err)
	}
	saw := b.look(p)
	b.read("f")
	b.must("edit", one("f", "a", "b"))
	saw(digestOf([]byte("a\n")))
	b.must("edit", one("f", "b", "c"))
	b.put("f", "theirs\n")
	if _, err := b.call("edit", one("f", "theirs", "mine")); !errors.Is(err, plumbing.ErrConflict) {
		t.Errorf("a change of somebody else: %v", err)
	}
	b.read("f")
	b.must("edit", one("f", "theirs", "mine"))
}
