package exec

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing/provider"
)

var errTooLong = errors.New("too long")

// output takes what the program prints and streams it, unless it begins as an
// object, which may be a response and is only known at its end.
type output struct {
	all      bytes.Buffer
	sent     int // bytes of all that were streamed
	on       func(provider.Delta) error
	onErr    error
	tooLong  bool
	progress func()
	cancel   context.CancelFunc
}

// Write is called by one goroutine at a time, and never after Run.
func (o *output) Write(p []byte) (int, error) {
	o.progress()
	if o.all.Len()+len(p) > MaxAnswer {
		o.tooLong = true
		o.cancel()
		return 0, errTooLong
	}
	o.all.Write(p)
	if o.onErr = o.stream(); o.onErr != nil {
		o.cancel()
		return 0, o.onErr
	}
	return len(p), nil
}

// stream sends what cannot change any more: whole characters, and no line ends
// that may be the last.
func (o *output) stream() error {
	if o.on == nil || o.isObject() {
		return nil
	}
	end := len(bytes.TrimRight(o.all.Bytes(), "\r\n"))
	return o.send(wholeRunes(o.all.Bytes()[:end]))
}

func (o *output) isObject() bool {
	head := bytes.TrimLeft(o.all.Bytes(), " \t\r\n")
	return len(head) == 0 || head[0] == '{'
}

// send streams up to end.
func (o *output) send(end int) error {
	if end <= o.sent {
		return nil
	}
	text := strings.ToValidUTF8(string(o.all.Bytes()[o.sent:end]), "\uFFFD")
	o.sent = end
	return o.on(provider.Delta{Text: text})
}

// rest streams what was held back of an answer in plain text.
func (o *output) rest() error {
	if o.on == nil {
		return nil
	}
	return o.send(len(o.text()))
}

// deliver streams a response that came whole.
func (o *output) deliver(r provider.Response) error {
	if o.on == nil {
		return nil
	}
	for _, b := range r.Blocks {
		d := provider.Delta{}
		switch {
		case b.Type == provider.TypeToolCall:
			d.ToolCall = &b
		case b.Type == provider.TypeReasoning:
			d.Reasoning = b.Text
		default:
			d.Text = b.Text
		}
		if d == (provider.Delta{}) {
			continue
		}
		if err := o.on(d); err != nil {
			return err
		}
	}
	return nil
}

func (o *output) text() string { return strings.TrimRight(o.all.String(), "\r\n") }

// valid is text, of which a failure leaves what can be stored.
func (o *output) valid() string { return strings.ToValidUTF8(o.text(), "\uFFFD") }

// wholeRunes is the length of b without a character at its end that is cut.
func wholeRunes(b []byte) int {
	for n := 1; n <= utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return len(b) - n
			}
			break
		}
	}
	return len(b)
}
