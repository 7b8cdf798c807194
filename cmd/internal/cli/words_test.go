package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "bc", 1}, {"abc", "abcd", 1},
		{"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"recal", "recall", 1}, {"ab", "ba", 2}, {"appnd", "append", 1},
	} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d edits, want %d", c.a, c.b, got, c.want)
		}
		if there, back := edits(c.a, c.b), edits(c.b, c.a); there != back {
			t.Errorf("%q to %q: %d edits one way, %d the other", c.a, c.b, there, back)
		}
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{
		"recal": "recall", "rememebr": "remember", "apend": "append", "facst": "facts", "snapshots": "snapshot", "generatoin": "generation",
		"delete-sesion": "delete-session", "zzzzzz": "", "": "", "/etc/passwd": "", "undu": "undo", "RECALL": "",
	} {
		if got := nearest(word, names()); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
}

func TestNamesAreTheTables(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range names() {
		if seen[name] {
			t.Errorf("%s is in the table twice", name)
		}
		seen[name] = true
		if row, ok := Find(name); !ok || row.Name != name {
			t.Errorf("%s is not found", name)
		}
	}
	if _, ok := Find("reca"); ok {
		t.Error("a prefix is taken for a command")
	}
}

func TestExitOf(t *testing.T) {
	wrap := func(err error) error { return fmt.Errorf("append to session %q: %w", "s", err) }
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{plumbing.ErrNo, 1}, {plumbing.ErrInvalid, 2}, {plumbing.ErrNotFound, 3}, {plumbing.ErrConflict, 4},
		{plumbing.ErrRefused, 5}, {plumbing.ErrCorrupt, 6}, {plumbing.ErrBusy, 7},
		{wrap(plumbing.ErrBusy), 7},
		{plumbing.Fail(plumbing.ErrConflict, "x", ""), 4},
		{wrap(&plumbing.Error{Kind: plumbing.ErrRefused, Message: "x", Cause: &fs.PathError{Op: "open", Path: "p", Err: syscall.EACCES}}), 5},
		{wrap(&plumbing.Error{Kind: plumbing.ErrCorrupt, Message: "x", Cause: syscall.EIO}), 6},
		{wrap(syscall.ENOSPC), 5}, {wrap(&fs.PathError{Op: "write", Path: "p", Err: syscall.EIO}), 5}, {wrap(fs.ErrNotExist), 70},
		{wrap(context.Canceled), 130},
		{&StatusError{9}, 9}, {wrap(&StatusError{1}), 1},
		{errors.Join(plumbing.ErrNotFound, errors.New("x")), 3},
		{errors.New("x"), 70}, {wrap(context.DeadlineExceeded), 70},
	} {
		if got := exitOf(c.err).Code; got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

func TestExitsAreDistinct(t *testing.T) {
	codes, names := map[int]bool{}, map[string]bool{}
	for _, e := range Exits {
		if codes[e.Code] || names[e.Name] || e.Meaning == "" {
			t.Errorf("%+v is there twice or means nothing", e)
		}
		codes[e.Code], names[e.Name] = true, true
	}
	if got := byCode(99); got.Code != 99 || got.Name != "other" {
		t.Errorf("an unknown code is %+v", got)
	}
}

func TestStatusOr(t *testing.T) {
	cause := errors.New("x")
	if StatusOr(nil, 0) != nil || StatusOr(cause, 3) != cause {
		t.Error("no status, or an error of its own, came out changed")
	}
	if got := exitOf(StatusOr(nil, 4)).Code; got != 4 {
		t.Errorf("status 4 ends with %d", got)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain, café, 日本語 😀": "plain, café, 日本語 😀",
		"a\x1b[31mb":         "a<U+001B>[31mb",
		"a\nb\tc\r":          "a<U+000A>b<U+0009>c<U+000D>",
		"a\x00\x7f":          "a<U+0000><U+007F>",
		"\u202egnp.exe":      "<U+202E>gnp.exe",
		"a\u200bb\ufeffc":    "a<U+200B>b<U+FEFF>c",
		"a\u2028b\u0085c":    "a<U+2028>b<U+0085>c",
		"\U000e0041":         "<U+E0041>",
		"e\u0301":            "e\u0301",
		"":                   "",
	} {
		if got := printable(in); got != want {
			t.Errorf("%q prints as %q, want %q", in, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	refused := plumbing.Fail(plumbing.ErrRefused, "\"a\nb\" is a link", "move it away")
	for _, c := range []struct {
		name, command string
		err           error
		json          bool
		want          string
		code          int
	}{
		{"with a hint", "append", refused, false, "lecode: append: \"a<U+000A>b\" is a link: move it away\n", 5},
		{"no command", "", plumbing.Fail(plumbing.ErrInvalid, "no command given", ""), false, "lecode: no command given\n", 2},
		{"an answer was printed", "recall", &StatusError{1}, false, "", 1},
		{"the system", "append", fmt.Errorf("append: %w", syscall.ENOSPC), false,
			"lecode: append: append: no space left on device: the system refused; free space or check the device, then try again\n", 5},
		{"a defect", "append", errors.New("x"), false, "lecode: append: x: this is a defect in lecode; please report it\n", 70},
		{"as JSON", "append", refused, true,
			`{"code":"refused","command":"append","exit":5,"hint":"move it away","message":"\"a\nb\" is a link"}` + "\n", 5},
		{"as JSON, no hint", "log", plumbing.Fail(plumbing.ErrNotFound, "no session", ""), true,
			`{"code":"not_found","command":"log","exit":3,"hint":null,"message":"no session"}` + "\n", 3},
	} {
		var b strings.Builder
		code := report(&b, c.command, c.err, c.json)
		if diff := cmp.Diff(c.want, b.String()); diff != "" || code != c.code {
			t.Errorf("%s: exit code %d, want %d; %s", c.name, code, c.code, diff)
		}
	}
}

func TestReportIsOneLine(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var b strings.Builder
		report(&b, "log", plumbing.Fail(plumbing.ErrInvalid, "bad \xff\n\x1b name", ""), asJSON)
		if got := b.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "\x1b") || !strings.HasSuffix(got, "\n") {
			t.Errorf("json %v: %q", asJSON, got)
		}
		if _, err := canon.CanonicalizeObject([]byte(b.String())); asJSON != (err == nil) {
			t.Errorf("json %v: %q, %v", asJSON, b.String(), err)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		args string
		want invocation
	}{
		{"", invocation{}},
		{"log S", invocation{command: "log", args: []string{"S"}}},
		{"-C a -C b log -C c", invocation{command: "log", args: []string{"-C", "c"}, globals: Globals{Chdir: []string{"a", "b"}}}},
		{"-Ca log", invocation{command: "log", globals: Globals{Chdir: []string{"a"}}}},
		{"--chdir=a,b log", invocation{command: "log", globals: Globals{Chdir: []string{"a,b"}}}},
		{"--config-dir d --cache-dir=e log", invocation{command: "log", globals: Globals{ConfigDir: "d", CacheDir: "e"}}},
		{"--help", invocation{help: true}}, {"-h log", invocation{command: "log", help: true}},
		{"--version", invocation{version: true}},
		{"log --help --version", invocation{command: "log", args: []string{"--help", "--version"}}},
		{"- x", invocation{command: "-", args: []string{"x"}}},
	} {
		got, err := split(strings.Fields(c.args))
		if err != nil {
			t.Errorf("%q: %v", c.args, err)
			continue
		}
		if len(got.args) == 0 {
			got.args = nil
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(invocation{})); diff != "" {
			t.Errorf("%q: %s", c.args, diff)
		}
	}
	for _, bad := range []string{"--nope log", "-C", "--config-dir", "-x", "--version=maybe"} {
		if got, err := split(strings.Fields(bad)); !errors.Is(err, plumbing.ErrInvalid) {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
}

func TestGlobalsAfterTheCommandWin(t *testing.T) {
	before := Globals{Chdir: []string{"a"}, ConfigDir: "c", CacheDir: "d"}
	for _, c := range []struct{ after, want Globals }{
		{Globals{}, before},
		{Globals{Chdir: []string{"b"}, ConfigDir: "e"}, Globals{Chdir: []string{"a", "b"}, ConfigDir: "e", CacheDir: "d"}},
		{Globals{CacheDir: "f"}, Globals{Chdir: []string{"a"}, ConfigDir: "c", CacheDir: "f"}},
	} {
		if diff := cmp.Diff(c.want, c.after.over(before)); diff != "" {
			t.Error(diff)
		}
	}
}
