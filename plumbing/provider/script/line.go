package script

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/provider"
)

// Line is a line of a script: an object with some of these keys, or a response by itself.
//
//	response  what is answered; may be missing beside error or hang
//	match     given only to a request that holds these words, in a text or in its JSON
//	error     the call fails with these words; response is what came before
//	hang      true: the call does not end before it is cancelled
//	deltas    the pieces in which the text is streamed, a string each; without
//	          them each block is one piece
type Line struct {
	Response provider.Response
	Match    string
	Error    string
	Hang     bool
	Deltas   []string
}

// ReadLine reads a line strictly; its error wraps plumbing.ErrInvalid.
func ReadLine(data []byte) (Line, error) {
	c, err := canon.CanonicalizeObject(data)
	if err != nil {
		return Line{}, err
	}
	root := gjson.ParseBytes(c)
	if root.Get("blocks").Exists() {
		r, err := provider.ReadResponse(c)
		return Line{Response: r}, err
	}
	var l Line
	root.ForEach(func(key, value gjson.Result) bool {
		err = l.set(key.Str, value)
		return err == nil
	})
	if err == nil && !root.Get("response").Exists() && l.Error == "" && !l.Hang {
		err = wrong("a line needs \"response\", \"error\" or \"hang\"")
	}
	return l, err
}

func wrong(format string, a ...any) error {
	return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf(format, a...), "`lecode help plumbing` shows a script")
}

func (l *Line) set(key string, value gjson.Result) (err error) {
	switch key {
	case "response":
		l.Response, err = provider.ReadResponse([]byte(value.Raw))
		return err
	case "match", "error":
		if value.Type != gjson.String {
			return wrong("%q is not a string", key)
		}
		if key == "match" {
			l.Match = value.Str
		} else {
			l.Error = value.Str
		}
	case "hang":
		if !value.IsBool() {
			return wrong("\"hang\" is neither true nor false")
		}
		l.Hang = value.Bool()
	case "deltas":
		return l.setDeltas(value)
	default:
		return wrong("a line has no key %q; it has response, match, error, hang and deltas", key)
	}
	return nil
}

func (l *Line) setDeltas(value gjson.Result) error {
	if !value.IsArray() {
		return wrong("\"deltas\" is not a list")
	}
	for _, d := range value.Array() {
		if d.Type != gjson.String || d.Str == "" {
			return wrong("\"deltas\" holds what is not a string, or is empty")
		}
		l.Deltas = append(l.Deltas, d.Str)
	}
	return nil
}

func (l *Line) deliver(on func(provider.Delta) error) error {
	if on == nil {
		return nil
	}
	for _, text := range l.Deltas {
		if err := on(provider.Delta{Text: text}); err != nil {
			return err
		}
	}
	for _, b := range l.Response.Blocks {
		if err := l.block(b, on); err != nil {
			return err
		}
	}
	return nil
}

func (l *Line) block(b provider.Block, on func(provider.Delta) error) error {
	switch {
	case b.Type == provider.TypeToolCall:
		return on(provider.Delta{ToolCall: &b})
	case b.Type == provider.TypeReasoning && b.Text != "":
		return on(provider.Delta{Reasoning: b.Text})
	case b.Type == provider.TypeText && b.Text != "" && l.Deltas == nil:
		return on(provider.Delta{Text: b.Text})
	}
	return nil
}
