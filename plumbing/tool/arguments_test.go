package tool

import (
	"errors"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// takeAll reads an example of a tool with all kinds of fields.
func takeAll(args string) (n int64, words []string, err error) {
	a, err := ReadArguments("t", []byte(args))
	if err != nil {
		return 0, nil, err
	}
	n = a.Number("n")
	if n < 0 {
		a.Fault("n", "is below 0")
	}
	if a.NumberIf("m") == nil && a.Has("m") {
		a.Fault("m", "is there and not taken")
	}
	a.Yes("yes")
	if s := a.TextIf("text"); s != nil {
		words = append(words, *s)
	}
	a.Objects("list", func(a Arguments) { words = append(words, a.Text("name"), a.Word("kind", "one", "two")) })
	return n, words, a.Err()
}

func TestArguments(t *testing.T) {
	n, words, err := takeAll(`{"n":2e0,"m":1,"yes":true,"text":"x","list":[{"name":"a","kind":"one"},{"kind":"two","name":"b"}]}`)
	if err != nil || n != 2 || strings.Join(words, " ") != "x a one b two" {
		t.Errorf("%d %q %v", n, words, err)
	}
	for args, says := range map[string]string{
		``:                        `the field "n" is missing; the field "list" is missing: t takes n, [m], [yes], [text], list`,
		`[]`:                      "a JSON object is due, not an array",
		`{"n":1,"n":2,"list":[]}`: `the field "n" is there twice`,
		`{"n":-1,"list":[]}`:      `the field "n" is below 0`,
		`{"n":1,"list":{}}`:       `the field "list" is not an array of objects`,
		`{"n":1,"list":[1]}`:      `the field "list" is not an array of objects`,
		`{"n":1,"list":[{"name":"a","kind":"one"},{"name":1,"kind":"three","more":2}]}`: `the field "list[1].name" is not a string; ` +
			`the field "list[1].kind" is neither one nor two; there is no field "list[1].more"`,
		`{"n":1,"list":[],"List":[]}`: `there is no field "List", but "list"`,
	} {
		if _, _, err := takeAll(args); !errors.Is(err, plumbing.ErrInvalid) || !strings.Contains(Failure(err), says) {
			t.Errorf("%s: %s; want %q", args, Failure(err), says)
		}
	}
	if _, _, err := takeAll(`{"n":1,"list":[` + strings.Repeat(`{},`, 50) + `{}]}`); len(err.Error()) > 1000 {
		t.Errorf("%d bytes", len(err.Error()))
	}
}
