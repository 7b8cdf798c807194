package tool

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing/source"
)

// required and optional take a field; the value is nil where it is not there.
func (a *arguments) required(name string) jsontext.Value {
	a.taken = append(a.taken, name)
	v, ok := a.values[name]
	if !ok {
		a.fault(name, "is missing")
	}
	return v
}

func (a *arguments) optional(name string) jsontext.Value {
	a.taken = append(a.taken, optional(name))
	return a.values[name]
}

// text takes a string that has to be there.
func (a *arguments) text(name string) string { return a.asText(name, a.required(name)) }

// textIf takes a string that may be left out.
func (a *arguments) textIf(name string) *string {
	v := a.optional(name)
	if v == nil {
		return nil
	}
	s := a.asText(name, v)
	return &s
}

func (a *arguments) asText(name string, v jsontext.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind() == '"' {
		if b, err := jsontext.AppendUnquote(nil, v); err == nil {
			return string(b)
		}
	}
	a.fault(name, "is not a string")
	return ""
}

// word takes one of several strings.
func (a *arguments) word(name string, words ...string) string {
	before := len(a.wrong)
	s := a.text(name)
	if len(a.wrong) == before && !slices.Contains(words, s) {
		a.fault(name, "is neither "+strings.Join(words, " nor "))
	}
	return s
}

// yes takes a boolean that is false where it is left out.
func (a *arguments) yes(name string) bool {
	v := a.optional(name)
	if v != nil && v.Kind() != 't' && v.Kind() != 'f' {
		a.fault(name, "is neither true nor false")
	}
	return v.Kind() == 't'
}

// number takes a whole number that has to be there.
func (a *arguments) number(name string) int64 {
	return a.asNumber(name, "is not a whole number", a.required(name))
}

// numberIf takes a whole number that may be left out.
func (a *arguments) numberIf(name string) *int64 {
	v := a.optional(name)
	if v == nil {
		return nil
	}
	n := a.asNumber(name, "is not a whole number", v)
	return &n
}

func (a *arguments) asNumber(name, what string, v jsontext.Value) int64 {
	if v == nil {
		return 0
	}
	n, ok := whole(v)
	if !ok {
		a.fault(name, what)
	}
	return n
}

// maxExact is the greatest whole number that a floating one can be trusted with.
const maxExact = 1 << 53

// whole reads a whole number; 1.0 and 1e3 are such, as JSON Schema has it and
// clients that know floating numbers only write them.
func whole(v jsontext.Value) (int64, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(string(v), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > maxExact {
		return 0, false
	}
	return int64(x), true
}

// snapshot takes a SourceRef, which has exactly its three keys (design section
// 7). Whether it is one, source.Ref.Check says.
func (a *arguments) snapshot(name string) source.Ref {
	v := a.required(name)
	if v == nil {
		return source.Ref{}
	}
	inner, err := readArguments(v, a.path+name+".")
	if err != nil {
		a.fault(name, "is not an object with digest, seqs and session_id")
		return source.Ref{}
	}
	ref := source.Ref{Digest: inner.text("digest"), Seqs: inner.numbers("seqs"), SessionID: inner.text("session_id")}
	var f *faults
	if errors.As(inner.err(), &f) {
		a.wrong = append(a.wrong, f.wrong...)
	}
	return ref
}

// numbers takes an array of whole numbers that has to be there.
func (a *arguments) numbers(name string) []int64 {
	const what = "is not an array of whole numbers"
	list := []int64{}
	v := a.required(name)
	if v == nil {
		return list
	}
	d := jsontext.NewDecoder(bytes.NewReader(v))
	if _, err := d.ReadToken(); err != nil || v.Kind() != '[' {
		a.fault(name, what)
		return list
	}
	for d.PeekKind() != ']' {
		item, err := d.ReadValue()
		n, ok := whole(item)
		if err != nil || !ok {
			a.fault(name, what)
			break
		}
		list = append(list, n)
	}
	return list
}
