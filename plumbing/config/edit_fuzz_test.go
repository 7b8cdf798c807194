package config

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/lecode/lecode/plumbing"
)

// Whatever stands in the file and whatever the key: it is refused with a line
// for a person, or the result is TOML that says the same and the new value, with
// every comment, and setting it again changes nothing.
func FuzzSet(f *testing.F) {
	for _, s := range []string{
		"", "\ufeff", everything, "[a]\r\n# c\r\nb = 1 # d\r\n", "a = { b = 1 }", "[[a]]\nb = 1", "a.b = [ # x\n1]", "[a.b]\n[c]\na.b = '''\n# no comment\n'''",
		"a = 1979-05-27T07:32:00Z\n[\"a b\".c]\n", "# only\n#two", "[a]\nx=1\n[c]\n[a.b]\n", "x = [{a = [1]}]\n", "a=nan", "\n\n\n[a]#x",
	} {
		for _, key := range []string{"a.b", "x", `permissions."bash:go test"`, "a.b.c", `"".''`} {
			f.Add([]byte(s), key, "allow")
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, key, value string) {
		before := bytes.Clone(file)
		got, err := Set(file, key, value)
		if !bytes.Equal(file, before) {
			t.Fatal("the file that was given is changed")
		}
		if err != nil {
			var e *plumbing.Error
			if !errors.As(err, &e) || e.Kind != plumbing.ErrInvalid || e.Hint == "" || strings.ContainsAny(e.Message, "\n\x1b\x00") {
				t.Errorf("error %q", err)
			}
			return
		}
		path, err := splitKey(key)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := parse(file, "")
		if err != nil {
			t.Fatalf("a file that is no TOML was edited: %v", err)
		}
		setAt(want, path, value)
		tree, _, err := parse(got, "")
		if err != nil || !reflect.DeepEqual(tree, want) {
			t.Errorf("%v: %v\nwant %v", err, tree, want)
		}
		if a, b := comments(file), comments(got); !reflect.DeepEqual(a, b) {
			t.Errorf("comments %q, were %q", b, a)
		}
		if again, err := Set(got, key, value); err != nil || !bytes.Equal(again, got) {
			t.Errorf("set again: %q, %v", again, err)
		}
	})
}

// comments are those of a document, in order.
func comments(data []byte) []string {
	list := []string{}
	p := unstable.Parser{KeepComments: true}
	p.Reset(bytes.TrimPrefix(data, []byte(byteOrderMark)))
	var walk func(n *unstable.Node)
	walk = func(n *unstable.Node) {
		if n.Kind == unstable.Comment {
			list = append(list, strings.TrimRight(string(n.Data), "\r"))
		}
		for it := n.Children(); it.Next(); {
			walk(it.Node())
		}
	}
	for p.NextExpression() {
		for n := p.Expression(); n.Valid(); n = n.Next() {
			walk(n)
		}
	}
	return list
}
