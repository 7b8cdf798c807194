package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// maxLine is the longest line read from stdin: a record and room for white space around it.
const maxLine = canon.MaxRecord + 4096

// Object reads the one JSON object on stdin, in canonical form. Nothing there,
// or more than one, is plumbing.ErrInvalid: a failed command before the pipe
// never reads as an empty answer.
func (e *Env) Object() ([]byte, error) {
	b, err := e.Raw()
	if err != nil {
		return nil, err
	}
	return canon.CanonicalizeObject(b)
}

// Raw reads the one JSON value on stdin as Object does, but leaves it as it was
// written: what is wrong with it is for the caller to say.
func (e *Env) Raw() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(e.Stdin, maxLine+1))
	if err != nil {
		return nil, fmt.Errorf("read stdin: %w", err)
	}
	if len(b) > maxLine {
		return nil, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("more than %d bytes on stdin", maxLine), "pipe in one object")
	}
	d := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowDuplicateNames(true))
	_, err = d.ReadValue()
	if errors.Is(err, io.EOF) {
		return nil, NothingOn("object")
	}
	if err == nil {
		if _, err := d.ReadToken(); err == nil {
			return nil, plumbing.Fail(plumbing.ErrInvalid, "more than one object on stdin", "pipe in exactly one")
		}
	}
	return b, nil
}

// Lines reads stdin line by line; a line over the cap is plumbing.ErrInvalid.
type Lines struct {
	r *bufio.Reader
	n int64
}

// Lines returns a reader of stdin's lines.
func (e *Env) Lines() *Lines {
	return &Lines{r: bufio.NewReaderSize(e.Stdin, 64<<10)}
}

// Next returns the next line without its line end, in a slice of its own, and
// io.EOF after the last. A last line without a newline counts.
func (l *Lines) Next() ([]byte, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, plumbing.Fail(plumbing.ErrInvalid,
				fmt.Sprintf("line %d on stdin is longer than the most a record may have, %d bytes", l.n+1, canon.MaxRecord), "")
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			if errors.Is(err, io.EOF) {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("read stdin: %w", err)
		}
		l.n++
		return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), nil
	}
}

// Number is how many lines have been read.
func (l *Lines) Number() int64 { return l.n }

// Buffered reports whether another whole line has already arrived, so that
// lines which came together can be stored together.
func (l *Lines) Buffered() bool {
	b, _ := l.r.Peek(l.r.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

// ID finds the ID in a line that is one, or an object that carries one under
// one of the keys.
func ID(line []byte, keys ...string) (string, error) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return string(line), nil
	}
	object, err := canon.CanonicalizeObject(line)
	if err != nil {
		return "", err
	}
	for _, k := range keys {
		if v := gjson.GetBytes(object, k); v.Exists() {
			if v.Type != gjson.String {
				return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is not a string", k), "")
			}
			return v.Str, nil
		}
	}
	return "", plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the object carries no %q", keys[0]), "")
}

// EachID calls do with each ID given as an argument; where that is "-", with
// the one in each line of stdin. All are tried, in order; the first failure is
// returned at the end, the others are reported as they come.
func (e *Env) EachID(args []string, do func(id string) error, keys ...string) error {
	var first error
	try := func(id string, err error) {
		if err == nil {
			err = do(id)
		}
		switch {
		case err == nil:
		case first == nil:
			first = err
		default:
			report(e.Stderr, e.command, err, e.Getenv("LECODE_ERRORS") == "json")
		}
	}
	for _, arg := range args {
		if arg != "-" {
			try(arg, nil)
			continue
		}
		err := e.EachLine("ID", func(line []byte) error {
			try(ID(line, keys...))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return first
}

// EachLine calls do with each line of stdin, until one fails; its error then
// names the line. No line at all is plumbing.ErrInvalid: what is due is said.
func (e *Env) EachLine(due string, do func(line []byte) error) error {
	lines := e.Lines()
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := do(line); err != nil {
			return lines.At(lines.Number(), err)
		}
	}
	if lines.Number() == 0 {
		return NothingOn(due)
	}
	return nil
}

// NothingOn says that stdin ended where something was due.
func NothingOn(due string) error {
	return plumbing.Fail(plumbing.ErrInvalid, "no "+due+" on stdin",
		"the command before the pipe printed nothing, or nothing was piped in")
}

// At says which line of stdin an error is about.
func (l *Lines) At(n int64, err error) error {
	var p *plumbing.Error
	if errors.As(err, &p) {
		return &plumbing.Error{Kind: p.Kind, Message: fmt.Sprintf("line %d on stdin: %s", n, p.Message), Hint: p.Hint, Cause: err}
	}
	return fmt.Errorf("line %d on stdin: %w", n, err)
}
