package transcript

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// HeadSize is how many bytes Detect wants to see; fewer are enough for a shorter source.
const HeadSize = 256 << 10

// Detect names the format of a source that begins with head, FormatLecode
// included, which Open does not take. ok is false where no format fits.
func Detect(head []byte) (format string, ok bool) {
	h := newHead(head)
	for _, f := range formats() {
		if f.detect(h) {
			return f.name, true
		}
	}
	return "", false
}

// maxSniff is how many lines of a head are looked at.
const maxSniff = 64

// head is the beginning of a source, as far as it can be read as JSON values
// one after the other: the lines of JSONL, or the start of one document.
type head struct {
	first  []byte // the first line, whole or cut off, without BOM and CR
	values []outline
}

// outline is what the members of a value are, down to three levels: the kind
// of each by its path ("message.content", "history.0.role"), and its text where
// that is a short string. A value that is cut off has what stands before the cut.
type outline map[string]member

type member struct {
	kind jsontext.Kind
	text string
}

func newHead(b []byte) *head {
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	h := &head{}
	h.first, _, _ = bytes.Cut(b, []byte("\n"))
	h.first = bytes.TrimSuffix(h.first, []byte("\r"))
	d := lenient(b)
	for len(h.values) < maxSniff {
		o := outline{}
		whole := o.read(d, "", 0)
		if len(o) > 0 {
			h.values = append(h.values, o)
		}
		if !whole {
			break
		}
	}
	return h
}

// read fills o from the next value of d; false where the bytes end or are no JSON.
func (o outline) read(d *jsontext.Decoder, path string, depth int) bool {
	kind := d.PeekKind()
	switch {
	case kind == '{' && depth < 3:
		o.note(path, kind, "")
		return o.members(d, path, depth)
	case kind == '[' && depth < 3:
		o.note(path, kind, "")
		return o.elements(d, path, depth)
	case kind == '"':
		return o.string(d, path)
	}
	if d.SkipValue() != nil {
		return false
	}
	o.note(path, kind, "")
	return true
}

// string notes a string even where its text is cut off.
func (o outline) string(d *jsontext.Decoder, path string) bool {
	t, err := d.ReadToken()
	if err != nil {
		o.note(path, '"', "")
		return false
	}
	s := t.String()
	if len(s) > 64 {
		s = ""
	}
	o.note(path, '"', s)
	return true
}

func (o outline) members(d *jsontext.Decoder, path string, depth int) bool {
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil || !o.read(d, join(path, name.String()), depth+1) {
			return false
		}
	}
	_, err := d.ReadToken()
	return err == nil
}

// elements reads the first elements of an array and passes over the others.
func (o outline) elements(d *jsontext.Decoder, path string, depth int) bool {
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for i := 0; d.PeekKind() != ']'; i++ {
		if i < 2 && !o.read(d, join(path, strconv.Itoa(i)), depth+1) || i >= 2 && d.SkipValue() != nil {
			return false
		}
	}
	_, err := d.ReadToken()
	return err == nil
}

// note keeps the first member of a path, and no more than a few hundred.
func (o outline) note(path string, kind jsontext.Kind, text string) {
	if _, met := o[path]; !met && len(o) < 512 && len(path) < 256 {
		o[path] = member{kind, text}
	}
}

func (o outline) is(path string, kind jsontext.Kind) bool { return o[path].kind == kind }

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
