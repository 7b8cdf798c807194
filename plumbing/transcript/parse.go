package transcript

import (
	"encoding/base64"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// parsed is an object of a source (a line, an element), read as far as it can be.
type parsed struct {
	bytes  []byte    // as the source wrote it
	at     string    // where it stands, for messages: "line 7"
	member string    // the member of the document whose value it is, "" for a line or an element
	number int64     // its line, or its place among its kind from 0
	object object    // nil where it is kept in base64
	canon  []byte    // the same in canonical form
	fix    *repaired // nil where nothing was repaired
	why    string    // why it is kept in base64
}

// parse reads the object b that stands at. The error wraps plumbing.ErrInvalid and names the place.
func (e *emitter) parse(b []byte, at string, number int64) (parsed, error) {
	p := parsed{bytes: b, at: at, number: number}
	c, err := p.canonical()
	if err == nil && c != nil && c[0] != '{' {
		_, err = canon.CanonicalizeObject(c)
	}
	if err != nil {
		return parsed{}, wrong(e.name, "%s: %s", at, reason(err))
	}
	p.object, p.canon = decodeObject(c), c
	return p, nil
}

// canonical brings any value into canonical form, repaired where that is
// needed; nil, with why, where it is JSON that the form cannot hold.
func (p *parsed) canonical() (jsontext.Value, error) {
	fixed, fix := repair(p.bytes)
	c, err := canon.Canonicalize(fixed)
	if errors.Is(err, jsontext.ErrDuplicateName) && jsontext.Value(fixed).IsValid(jsontext.AllowDuplicateNames(true)) {
		p.why = "duplicate keys"
		return nil, nil
	}
	p.fix = fix
	return c, err
}

// isObject reports whether b is one JSON object, duplicate keys allowed.
func isObject(b []byte) bool {
	v := jsontext.Value(b)
	return v.IsValid(jsontext.AllowDuplicateNames(true)) && v.Kind() == '{'
}

// reason is what canon found, without its cause.
func reason(err error) string {
	var e *plumbing.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return "no JSON object"
}

// handOn lets make hand on the records of p, and keeps p as it is where it
// cannot be read or where its record would be nested too deep.
func (e *emitter) handOn(p parsed, make func(parsed) error) error {
	if p.why != "" {
		return e.unread(p, p.why)
	}
	err := make(p)
	switch {
	case errors.Is(err, errTooDeep):
		return e.unread(p, "nested too deep")
	case err == nil:
		e.report.repaired(p.fix)
	}
	return err
}

// unread hands on the event for what is kept as it is, in base64.
func (e *emitter) unread(p parsed, why string) error {
	kept := object{"base64": raw(base64.StdEncoding.EncodeToString(p.bytes)), "why": raw(why)}
	if p.member != "" {
		kept["member"] = raw(p.member)
	}
	if err := e.event(record{Foreign: kept, Type: typeForeign}, "unread", p.at); err != nil {
		return err
	}
	e.report.UnreadLines++
	return nil
}

// repaired counts what was repaired in something that was handed on.
func (r *Report) repaired(fix *repaired) {
	if fix == nil {
		return
	}
	r.RepairedLines++
	r.RepairedBytes += fix.Bytes
	r.RepairedSurrogates += fix.Surrogates
}
