package transcript

import (
	"errors"
	"maps"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errTooDeep is a record that canonical JSON cannot hold although each part of it is fine.
var errTooDeep = errors.New("no canonical form")

// object is a JSON object whose values are left as they were written.
type object map[string]jsontext.Value

// decodeObject reads canonical bytes that are known to be an object; nil for any other value.
func decodeObject(canonical []byte) object {
	d := lenient(canonical)
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	o := object{}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil
		}
		key := name.String()
		if o[key], err = value(d, canonical); err != nil {
			return nil
		}
	}
	return o
}

// str returns the string under key, and whether there is one.
func (o object) str(key string) (string, bool) {
	v := o[key]
	if v.Kind() != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(v, &s)
	return s, err == nil
}

// text is str without the question whether there is one.
func (o object) text(key string) string {
	s, _ := o.str(key)
	return s
}

// ptr is str for a field that may be null.
func (o object) ptr(key string) *string {
	if s, ok := o.str(key); ok {
		return &s
	}
	return nil
}

// yes reports whether key is true.
func (o object) yes(key string) bool { return o[key].Kind() == 't' }

// object returns the object under key, nil where there is none.
func (o object) object(key string) object { return decodeObject(o[key]) }

// array returns the elements under key, and whether it is an array.
func (o object) array(key string) ([]jsontext.Value, bool) {
	if o[key].Kind() != '[' {
		return nil, false
	}
	var a []jsontext.Value
	err := json.Unmarshal(o[key], &a)
	return a, err == nil
}

// without returns a copy that lacks keys.
func (o object) without(keys ...string) object {
	c := maps.Clone(o)
	for _, k := range keys {
		delete(c, k)
	}
	return c
}

// with returns a copy in which key is v, or is missing where v is nil.
func (o object) with(key string, v any) object {
	c := maps.Clone(o)
	if c == nil {
		c = object{}
	}
	if v == nil {
		delete(c, key)
	} else {
		c[key] = raw(v)
	}
	return c
}

// raw encodes a value that was made from JSON, which cannot fail.
func raw(v any) jsontext.Value {
	b, err := json.Marshal(v)
	if err != nil {
		panic("transcript: a value made from JSON cannot be written: " + err.Error())
	}
	return b
}

// leftovers collects what of the elements of an array has no place in a
// record: one object an element, in order, so that each keeps its position.
type leftovers struct {
	rest  []any
	found bool
}

func (l *leftovers) add(o object) {
	l.rest = append(l.rest, o)
	l.found = l.found || len(o) > 0
}

// whole adds an element that was not understood at all.
func (l *leftovers) whole(v jsontext.Value) {
	l.rest = append(l.rest, v)
	l.found = true
}

// value is the array, or nil where nothing was left over.
func (l *leftovers) value() any {
	if !l.found {
		return nil
	}
	return l.rest
}
