package cli

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

func stdin(r io.Reader) *Env {
	return &Env{Stdin: r, Stderr: io.Discard, Getenv: func(string) string { return "" }}
}

func TestObject(t *testing.T) {
	for _, c := range []struct{ name, in, want, says string }{
		{"one", ` {"b":1,"a":2} ` + "\n", `{"a":2,"b":1}`, ""},
		{"over lines", "{\r\n\"a\":1\r\n}\r\n\r\n", `{"a":1}`, ""},
		{"nothing", "", "", "no object on stdin"},
		{"spaces", " \n\t", "", "no object on stdin"},
		{"two", "{\"a\":1}\n{\"b\":2}\n", "", "more than one object"},
		{"two without space", `{}{}`, "", "more than one object"},
		{"one and a number", `{} 1`, "", "more than one object"},
		{"one and junk", "{} secret", "", ""},
		{"one and a bracket", "{} ]", "", ""},
		{"one and NUL", "{}\x00", "", ""},
		{"cut off", `{"a":`, "", "unexpected EOF"},
		{"an array", `[{}]`, "", "not an array"},
		{"a string", `"secret"`, "", "not a string"},
		{"duplicate", `{"a":1,"a":2}`, "", "duplicate key"},
		{"byte order mark", "\ufeff{}", "", ""},
		{"too long", `{"a":"` + strings.Repeat("x", maxLine) + `"}`, "", "more than "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := stdin(iotest.OneByteReader(strings.NewReader(c.in))).Object()
			if c.want != "" {
				if err != nil || string(got) != c.want {
					t.Errorf("%s, %v", got, err)
				}
				return
			}
			if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	if _, err := stdin(iotest.ErrReader(io.ErrUnexpectedEOF)).Object(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a failed read: %v", err)
	}
}

func read(l *Lines) (lines []string, err error) {
	for {
		line, err := l.Next()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":            {"", nil},
		"an empty line":      {"\n", []string{""}},
		"two":                {"a\nb\n", []string{"a", "b"}},
		"no newline at last": {"a\nb", []string{"a", "b"}},
		"CRLF":               {"a\r\nb\r\n", []string{"a", "b"}},
		"CR alone stays":     {"a\rb\n\r\r\n", []string{"a\rb", "\r"}},
		"NUL and junk":       {"\x00\xff\n", []string{"\x00\xff"}},
		"over the buffer":    {long + "\n" + long, []string{long, long}},
	} {
		l := stdin(strings.NewReader(c.in)).Lines()
		got, err := read(l)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, diff)
		}
		if l.Number() != int64(len(c.want)) {
			t.Errorf("%s: %d lines", name, l.Number())
		}
	}
}

// endless is a line without an end; it fails the test when far more is read than a line may have.
type endless struct {
	t    *testing.T
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	if e.read += len(b); e.read > maxLine+1<<20 {
		e.t.Fatal("a line without an end is read on and on")
	}
	return len(b), nil
}

func TestLinesCap(t *testing.T) {
	fits := strings.Repeat("x", canon.MaxRecord) + "\n"
	if got, err := read(stdin(strings.NewReader(fits + "b\n")).Lines()); err != nil || len(got) != 2 || len(got[0]) != canon.MaxRecord {
		t.Errorf("a record of the most bytes: %d lines, %v", len(got), err)
	}
	l := stdin(io.MultiReader(strings.NewReader("a\n"), &endless{t: t})).Lines()
	got, err := read(l)
	if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), "line 2 on stdin") || len(got) != 1 {
		t.Errorf("%d lines, %v", len(got), err)
	}
}

func TestLinesFail(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a\nhalf"), iotest.ErrReader(io.ErrClosedPipe))
	got, err := read(stdin(broken).Lines())
	if diff := cmp.Diff([]string{"a"}, got); diff != "" || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v %s", err, diff)
	}
}

func TestBuffered(t *testing.T) {
	l := stdin(strings.NewReader("a\nb\nc")).Lines()
	want := []bool{true, false, false} // the last has no newline yet
	for i, w := range want {
		if _, err := l.Next(); err != nil {
			t.Fatal(err)
		}
		if got := l.Buffered(); got != w {
			t.Errorf("after line %d: %v", i+1, got)
		}
	}
}

func TestID(t *testing.T) {
	for _, c := range []struct{ in, want, says string }{
		{"f-1", "f-1", ""}, {" f-1 \r", "f-1", ""}, {"", "", ""}, {"a b", "a b", ""},
		{`{"id":"f-1","x":1}`, "f-1", ""}, {`{"fact_id":"f-2"}`, "f-2", ""},
		{`{"fact_id":"f-2","id":"f-1"}`, "f-1", ""}, {` { "id" : "\u0066-1" } `, "f-1", ""},
		{`{"other":"f-1"}`, "", `carries no "id"`}, {`{}`, "", `carries no "id"`}, {`{"x":{"id":"f-1"}}`, "", `carries no "id"`},
		{`{"id":7}`, "", "is not a string"}, {`{"id":null}`, "", "is not a string"}, {`{"id":["f-1"]}`, "", "is not a string"},
		{`{"id":"a","id":"b"}`, "", "duplicate key"}, {`{"id":`, "", "unexpected EOF"}, {`{"id":"a"} {}`, "", ""},
	} {
		got, err := ID([]byte(c.in), "id", "fact_id")
		bad := c.says != "" || c.in == `{"id":"a"} {}`
		if got != c.want || (err != nil) != bad {
			t.Errorf("%s: %q, %v", c.in, got, err)
		}
		if bad && (!errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v", c.in, err)
		}
	}
}

func TestEachID(t *testing.T) {
	gone := plumbing.Fail(plumbing.ErrNotFound, "gone", "")
	bad := plumbing.Fail(plumbing.ErrConflict, "bad", "")
	var said strings.Builder
	e := stdin(strings.NewReader("b\n{\"id\":\"gone\"}\nc\n"))
	e.Stderr, e.command = &said, "forget"
	tried := []string{}
	err := e.EachID([]string{"a", "-", "bad", "d"}, func(id string) error {
		tried = append(tried, id)
		switch id {
		case "gone":
			return gone
		case "bad":
			return bad
		}
		return nil
	}, "id")
	if diff := cmp.Diff([]string{"a", "b", "gone", "c", "bad", "d"}, tried); diff != "" {
		t.Error(diff)
	}
	if err != gone {
		t.Errorf("the first failure is %v", err)
	}
	if said.String() != "lecode: forget: bad\n" {
		t.Errorf("the other failure: %q", said.String())
	}
	if err := stdin(strings.NewReader("")).EachID([]string{"-"}, func(string) error { return nil }, "id"); !errors.Is(err, plumbing.ErrInvalid) {
		t.Errorf("nothing on stdin: %v", err)
	}
}

func TestEachLine(t *testing.T) {
	n := 0
	err := stdin(strings.NewReader("a\nb\nc\n")).EachLine("thing", func([]byte) error {
		if n++; n == 2 {
			return plumbing.Fail(plumbing.ErrConflict, "it changed", "try again")
		}
		return nil
	})
	if n != 2 || !errors.Is(err, plumbing.ErrConflict) || err.Error() != "line 2 on stdin: it changed" {
		t.Errorf("after %d lines: %v", n, err)
	}
	err = stdin(strings.NewReader("")).EachLine("thing", func([]byte) error { return nil })
	if !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(err.Error(), "no thing on stdin") {
		t.Errorf("nothing: %v", err)
	}
}
