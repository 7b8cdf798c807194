package coding

import (
	"bytes"
	"unicode/utf8"
)

// maxRewritten is the most bytes of a line that a carriage return can still take back.
const maxRewritten = 8 << 10

// cleaner makes text of what a program prints, as it comes: UTF-8, without
// control characters but tab and newline, and without the sequences that colour
// a terminal or move in it. Of a line that is written over, as progress bars do,
// the last state stays. It holds one line at most.
type cleaner struct {
	line   []byte // the last one, not settled
	cut    []byte // the beginning of a character whose rest has not come
	escape escape
	back   bool // the last byte was a carriage return
	bad    bool // so was not UTF-8
	out    []byte

	replaced int64 // bytes that were not UTF-8
	controls int64 // control characters left out
	over     bool  // a line was written over
}

// escape is where in a terminal's sequence the cleaner is.
type escape byte

const (
	outside  escape = iota
	begun           // behind ESC
	between         // of ESC and the last byte
	sequence        // behind ESC [
	words           // behind ESC ] and the like: a title, a link
)

// clean takes more, and gives the lines that are settled by it, until the next call.
func (c *cleaner) clean(b []byte) []byte {
	c.out = c.out[:0]
	if len(c.cut) > 0 {
		b = append(c.cut, b...)
		c.cut = nil
	}
	for len(b) > 0 {
		n := c.plain(b)
		if n == 0 {
			n = c.special(b)
		}
		if n == 0 { // half a character
			c.cut = bytes.Clone(b)
			break
		}
		b = b[n:]
		if len(c.line) > maxRewritten {
			c.settle()
		}
	}
	return c.out
}

// rest gives the line that is not settled, as it stands.
func (c *cleaner) rest() []byte {
	c.out = c.out[:0]
	if c.back && len(c.line) > 0 { // what comes would be written over it
		c.line, c.back = append(c.line, '\n'), false
	}
	c.settle()
	return c.out
}

// end gives what is left when no more comes.
func (c *cleaner) end() []byte {
	for range c.cut {
		c.invalid()
	}
	c.cut = nil
	return c.rest()
}

func (c *cleaner) settle() {
	c.out = append(c.out, c.line...)
	c.line = c.line[:0]
}

// plain takes a run of printable ASCII, which most output is.
func (c *cleaner) plain(b []byte) int {
	if c.escape != outside {
		return 0
	}
	n, room := 0, maxRewritten+1-len(c.line)
	for n < len(b) && n < room && b[n] >= ' ' && b[n] < 0x7f {
		n++
	}
	if n > 0 {
		c.put(b[:n])
	}
	return n
}

// put adds text to the line; behind a carriage return it begins anew.
func (c *cleaner) put(b []byte) {
	if c.back {
		c.over = c.over || len(c.line) > 0
		c.line, c.back = c.line[:0], false
	}
	c.line, c.bad = append(c.line, b...), false
}

// special takes one character that is not plain; 0: its rest has not come.
func (c *cleaner) special(b []byte) int {
	if c.escape != outside && c.escaped(b[0]) {
		return 1
	}
	switch b[0] {
	case '\n':
		c.back = false
		c.line, c.bad = append(c.line, '\n'), false
		c.settle()
		return 1
	case '\r':
		c.back = true
		return 1
	case '\b':
		_, n := utf8.DecodeLastRune(c.line)
		c.line = c.line[:len(c.line)-n]
		return 1
	case '\t':
		c.put(b[:1])
		return 1
	case 0x1b:
		c.escape = begun
		return 1
	}
	return c.character(b)
}

func (c *cleaner) character(b []byte) int {
	if !utf8.FullRune(b) {
		return 0
	}
	r, n := utf8.DecodeRune(b)
	switch {
	case r == utf8.RuneError && n == 1:
		c.invalid()
	case r < ' ' || r >= 0x7f && r < 0xa0:
		c.controls++
	default:
		c.put(b[:n])
	}
	return n
}

// invalid puts one replacement for a run of bytes that are not UTF-8.
func (c *cleaner) invalid() {
	c.replaced++
	if !c.bad {
		c.put([]byte("\uFFFD"))
		c.bad = true
	}
}

// escaped takes one byte of a sequence. One that cannot stand there ends it, and
// is not taken.
func (c *cleaner) escaped(b byte) bool {
	was := c.escape
	c.escape = outside
	switch {
	case b == 0x1b:
		c.escape = begun
	case was == words:
		if b != '\a' && b != '\n' {
			c.escape = words
		}
		return b != '\n'
	case b < ' ' || b >= 0x7f:
		return false
	case was == begun && b == '[':
		c.escape = sequence
	case was == begun && (b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_'):
		c.escape = words
	case was == sequence && b < 0x40:
		c.escape = sequence
	case was != sequence && b < 0x30:
		c.escape = between
	}
	return true
}

// window is the end of a text: the last bytes of it, at most max.
type window struct {
	max   int
	b     []byte
	begin int64 // how many bytes of the text stand before b
}

func (w *window) add(b []byte) {
	if n := len(b) - w.max; n > 0 {
		w.begin += int64(len(w.b)) + int64(n)
		w.b, b = w.b[:0], b[n:]
	}
	w.b = append(w.b, b...)
	if n := len(w.b) - w.max; n > w.max/8 { // moved now and then only
		w.begin += int64(n)
		w.b = append(w.b[:0], w.b[n:]...)
	}
}

// end is where the text ends.
func (w *window) end() int64 { return w.begin + int64(len(w.b)) }

// last is the window itself.
func (w *window) last() []byte { return w.b[max(0, len(w.b)-w.max):] }

// from is the text from a place on, and how many bytes of that are no longer there.
func (w *window) from(at int64) (b []byte, lost int64) {
	b = w.last()
	begin := w.end() - int64(len(b))
	if at < begin {
		return b, begin - at
	}
	return b[at-begin:], 0
}

// empty drops all, and goes on from where it is.
func (w *window) empty() { w.begin, w.b = w.end(), nil }
