package tool

import (
	"bytes"
	"errors"
	"io/fs"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/canon"
)

// Arguments is the strict reading of a call's arguments, for packages with
// tools of their own: its fields are taken one by one, and whatever is wrong is
// gathered, so that a model can mend it all at once. Err says it in the end.
type Arguments struct {
	tool string
	in   *arguments
}

// ReadArguments takes the arguments of a call apart, one JSON object; no bytes
// at all stand for {}. What is none, and a field that is there twice, wraps
// plumbing.ErrInvalid.
func ReadArguments(tool string, object []byte) (Arguments, error) {
	if len(object) == 0 {
		object = []byte("{}")
	}
	in, err := readArguments(object, "")
	if err != nil {
		return Arguments{}, wrongArguments(tool, err)
	}
	return Arguments{tool, in}, nil
}

// Err is what was found once every field has been taken: those that are
// missing, unknown or of the wrong type, by name. It wraps plumbing.ErrInvalid.
func (a Arguments) Err() error {
	if err := a.in.err(); err != nil {
		return wrongArguments(a.tool, err)
	}
	return nil
}

// Fault notes that a field is not as it should be, as in "is below 1".
func (a Arguments) Fault(name, what string) { a.in.fault(name, what) }

// Has reports whether a field is there, whatever it is.
func (a Arguments) Has(name string) bool { return a.in.values[name] != nil }

// Text takes a string that has to be there, TextIf one that may be left out.
func (a Arguments) Text(name string) string    { return a.in.text(name) }
func (a Arguments) TextIf(name string) *string { return a.in.textIf(name) }

// Word takes one of several strings.
func (a Arguments) Word(name string, words ...string) string { return a.in.word(name, words...) }

// Yes takes a boolean that is false where it is left out.
func (a Arguments) Yes(name string) bool { return a.in.yes(name) }

// Number takes a whole number that has to be there, NumberIf one that may be left out.
func (a Arguments) Number(name string) int64    { return a.in.number(name) }
func (a Arguments) NumberIf(name string) *int64 { return a.in.numberIf(name) }

// Objects takes an array of objects that has to be there, and gives each to take.
func (a Arguments) Objects(name string, take func(Arguments)) {
	v := a.in.required(name)
	if v == nil {
		return
	}
	const what = "is not an array of objects"
	d := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := d.ReadToken(); err != nil || v.Kind() != '[' {
		a.in.fault(name, what)
		return
	}
	for i := 0; d.PeekKind() != ']'; i++ {
		item, err := d.ReadValue()
		if err != nil || item.Kind() != '{' {
			a.in.fault(name, what)
			return
		}
		a.object(item, name, i, take)
	}
}

// maxFaults is how many faults in an array are named.
const maxFaults = 10

// object takes one of an array; its faults are told with its place, from 0.
func (a Arguments) object(item jsontext.Value, name string, i int, take func(Arguments)) {
	inner, err := readArguments(item, a.in.path+name+"["+strconv.Itoa(i)+"].")
	if err != nil {
		a.in.fault(name, "is not an array of objects")
		return
	}
	take(Arguments{a.tool, inner})
	var f *faults
	if errors.As(inner.err(), &f) && len(a.in.wrong) < maxFaults {
		a.in.wrong = append(a.in.wrong, f.wrong...)
	}
}

// ReadSchema reads NAME.json of a package with tools of its own: a JSON Schema
// whose description is the tool's. It gives the two apart, the schema canonical.
func ReadSchema(files fs.FS, name string) (description string, schema []byte) {
	b, _ := fs.ReadFile(files, name+".json")
	var members map[string]jsontext.Value
	if json.Unmarshal(b, &members) != nil || json.Unmarshal(members["description"], &description) != nil {
		return "", nil
	}
	delete(members, "description") // told beside the schema, and not twice
	schema, _ = canon.Marshal(members)
	return description, schema
}
