package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
)

// failure is what LECODE_ERRORS=json prints on stderr (design section 7).
type failure struct {
	Code    string  `json:"code"`
	Command string  `json:"command"`
	Exit    int     `json:"exit"`
	Hint    *string `json:"hint"`
	Message string  `json:"message"`
}

// Report prints the line about an error that does not end the process, and
// returns its exit code.
func (e *Env) Report(err error) int {
	defer e.quiet()()
	return report(e.Stderr, e.command, err, e.Getenv("LECODE_ERRORS") == "json")
}

// report prints one line about err: "lecode: <command>: <what is wrong>: <what to do>".
func report(w io.Writer, command string, err error, asJSON bool) int {
	exit := exitOf(err)
	var st *StatusError
	if errors.As(err, &st) {
		return exit.Code
	}
	message, hint := describe(err)
	if asJSON {
		f := failure{Code: exit.Name, Command: command, Exit: exit.Code, Message: message}
		if hint != "" {
			f.Hint = &hint
		}
		if b, err := canon.Marshal(f); err == nil {
			fmt.Fprintf(w, "%s\n", b)
			return exit.Code
		}
	}
	parts := []string{"lecode"}
	if command != "" {
		parts = append(parts, command)
	}
	parts = append(parts, message)
	if hint != "" {
		parts = append(parts, hint)
	}
	fmt.Fprintln(w, printable(strings.Join(parts, ": ")))
	return exit.Code
}

// describe splits an error into what is wrong and what to do. A file name in it
// may hold any bytes; the message is UTF-8, so that it can be JSON.
func describe(err error) (message, hint string) {
	message = strings.ToValidUTF8(err.Error(), "\ufffd")
	var e *plumbing.Error
	if errors.As(err, &e) {
		hint = e.Hint
	}
	switch exitOf(err).Code {
	case exitDefect:
		hint = "this is a defect in lecode; please report it"
	case exitRefused:
		if hint == "" && machine(err) {
			hint = "the system refused; free space or check the device, then try again"
		}
	}
	return message, hint
}

// printable makes control, bidirectional and invisible characters visible, so
// that a file name cannot write to the terminal (design section 7). Bytes that
// are no UTF-8 become U+FFFD: some terminals obey a lone 0x9B.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	clean := func(r rune) bool { return !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) }
	if strings.IndexFunc(s, clean) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if clean(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
