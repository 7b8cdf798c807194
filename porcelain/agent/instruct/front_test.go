package instruct

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

func itoa(n int) string { return strconv.Itoa(n) }

func TestReadFront(t *testing.T) {
	for _, c := range []struct{ name, text, wantName, wantDescription, body string }{
		{"plain", "---\nname: a\ndescription: does it\n---\nbody\n", "a", "does it", "body\n"},
		{"CRLF, BOM, other keys", "\uFEFF---\r\nlicense: MIT\r\nname: a-b.c_1\r\nmetadata: {x: [1, 2]}\r\ndescription: 'does: it'\r\n--- \r\n", "a-b.c_1", "does: it", ""},
		{"folded", "---\ndescription: >-\n  does\n  it\n\n  well\nname: \"a\"\n...\n\nx", "a", "does it well", "\nx"},
		{"no newline at the end", "---\nname: a\ndescription: b\n---", "a", "b", ""},
		{"a line in the body", "---\nname: a\ndescription: b\n---\n---\nname: c\n", "a", "b", "---\nname: c\n"},
	} {
		f, err := readFront(c.text)
		if err != nil || f.name != c.wantName || f.description != c.wantDescription || c.text[f.body:] != c.body {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
}

func TestReadFrontRefused(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "no front matter"},
		{"a heading", "# a\n---\nname: a\n---\n", "no front matter"},
		{"a blank line first", "\n---\nname: a\n---\n", "no front matter"},
		{"no end", "---\nname: a\ndescription: b\n", "no end"},
		{"too long", "---\nname: a\ndescription: b\nx: " + strings.Repeat("y", maxFront) + "\n---\n", "more than 8192 bytes"},
		{"no YAML", "---\nname: [\n---\n", "not YAML"},
		{"a colon", "---\nname: a\ndescription: use: this\n---\n", "wants quotes"},
		{"a list", "---\n- name\n---\n", "not a mapping"},
		{"nothing in it", "---\n---\n", "not a mapping"},
		{"a bomb", "---\nname: a\ndescription: b\n" + bomb + "---\n", "an anchor or an alias"},
		{"an anchor", "---\nname: &a a\ndescription: b\n---\n", "an anchor or an alias"},
		{"an alias as a key", "---\nname: a\nx: &y z\ndescription: b\n*y : 1\n---\n", "an anchor or an alias"},
		{"no name", "---\ndescription: b\n---\n", "must have a name"},
		{"no description", "---\nname: a\ndescription: ' '\n---\n", "must have a name and a description"},
		{"a number", "---\nname: 1\ndescription: b\n---\n", "name in its front matter is not a text"},
		{"null", "---\nname: a\ndescription:\n---\n", "description in its front matter is not a text"},
		{"a mapping", "---\nname: a\ndescription: {b: c}\n---\n", "not a text"},
		{"twice", "---\nname: a\nname: b\ndescription: c\n---\n", "name twice"},
		{"another tag", "---\nname: a\ndescription: !!binary aGk=\n---\n", "not a text"},
		{"a path", "---\nname: ../a\ndescription: b\n---\n", "its name is none"},
		{"a long name", "---\nname: " + strings.Repeat("a", 65) + "\ndescription: b\n---\n", "its name is none"},
		{"deep", "---\nname: a\ndescription: b\nx: " + strings.Repeat("[", 4000) + strings.Repeat("]", 4000) + "\n---\n", ""},
	} {
		f, err := readFront(c.text)
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v", c.name, f, err)
		}
	}
}

func FuzzReadFront(f *testing.F) {
	for _, s := range []string{"", "---\n", skillText("a", "b"), "---\nname: &a a\ndescription: *a\n---\n", "\uFEFF---\r\nname: a\r\n...\r\n", "---\n? [a]\n: {b: !!str c}\n---\n", "---\nname: a\ndescription: |2-\n  x\n---\nbody"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readFront(text)
		if err != nil {
			return
		}
		if !isSkillName(got.name) || got.description == "" || strings.ContainsAny(got.description, "\r\n\t") || !utf8.ValidString(got.description) || got.body < 0 || got.body > len(text) || got.body > maxFront+100 {
			t.Errorf("%+v", got)
		}
	})
}
