package tool

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// arguments is one JSON object whose fields a tool takes one by one; what is
// wrong with them is gathered, so that a model can mend it all at once.
type arguments struct {
	path   string // before each name in an error, as in "source_snapshot."
	given  []string
	values map[string]jsontext.Value
	taken  []string // the fields that the tool has, in its order; optional ones in brackets
	wrong  []string
}

// readArguments takes an object apart, and nothing else. A field that is there
// twice is named, at any depth; other faults of the JSON by their place.
func readArguments(object []byte, path string) (*arguments, error) {
	a := &arguments{path: path, values: map[string]jsontext.Value{}}
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if err := a.read(d); err != nil {
		return nil, notJSON(object, err)
	}
	if rest := bytes.Trim(object[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, notJSON(object, errors.New("there is more than one object"))
	}
	return a, nil
}

func (a *arguments) read(d *jsontext.Decoder) error {
	if d.PeekKind() != '{' {
		return errNoObject
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		key, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := key.String()
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		a.given = append(a.given, name)
		a.values[name] = value.Clone()
	}
	_, err := d.ReadToken()
	return err
}

var errNoObject = errors.New("they are not an object")

// notJSON says what is wrong with the JSON and quotes none of it but the name of a field.
func notJSON(object []byte, err error) error {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName) {
		path := slices.Collect(syntax.JSONPointer.Tokens())
		return fmt.Errorf("the field %s is there twice", quoted(strings.Join(path, ".")))
	}
	if _, wrong := canon.CanonicalizeObject(object); wrong != nil {
		return wrong
	}
	return err
}

// wrongArguments is the error of a call whose arguments are not taken.
func wrongArguments(name string, err error) error {
	hint := "give one JSON object"
	var f *faults
	if errors.As(err, &f) {
		hint = name + " takes " + f.fields
	}
	return &plumbing.Error{Kind: plumbing.ErrInvalid, Message: "the arguments of " + name + ": " + err.Error(), Hint: hint, Cause: err}
}

// faults is what is wrong with the fields, and which there are.
type faults struct {
	wrong  []string
	fields string
}

func (f *faults) Error() string { return strings.Join(f.wrong, "; ") }

// maxUnknown is how many unknown fields are named.
const maxUnknown = 5

// err is what was found once every field has been taken; nil where all is right.
func (a *arguments) err() error {
	wrong, unknown := slices.Clone(a.wrong), 0
	for _, name := range a.given {
		if a.has(name) {
			continue
		}
		if unknown++; unknown <= maxUnknown {
			wrong = append(wrong, "there is no field "+quoted(a.path+name)+a.meant(name))
		}
	}
	if unknown > maxUnknown {
		wrong = append(wrong, fmt.Sprintf("%d more fields are unknown", unknown-maxUnknown))
	}
	if len(wrong) == 0 {
		return nil
	}
	return &faults{wrong, strings.Join(a.taken, ", ")}
}

func (a *arguments) has(name string) bool {
	return slices.Contains(a.taken, name) || slices.Contains(a.taken, optional(name))
}

func optional(name string) string { return "[" + name + "]" }

// meant names the field that differs from an unknown one by case only.
func (a *arguments) meant(name string) string {
	for _, t := range a.taken {
		if t = strings.Trim(t, "[]"); strings.EqualFold(t, name) {
			return ", but " + strconv.Quote(t)
		}
	}
	return ""
}

// fault notes that a field is not as it should be.
func (a *arguments) fault(name, what string) {
	a.wrong = append(a.wrong, "the field "+strconv.Quote(a.path+name)+" "+what)
}
