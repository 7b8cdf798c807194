package fact

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// MaxText is the most bytes that a fact's text may have (design section 6).
const MaxText = 4096

// CheckText reports whether text may be a fact's: 1 to MaxText bytes of valid
// UTF-8, not white space alone, without control characters but tab and
// newline. Invisible and bidirectional characters pass, since a text may have
// to equal a quote: whoever prints it shows them (design sections 7 and 13).
// The error wraps plumbing.ErrInvalid and does not quote the text.
func CheckText(text string) error {
	bad := func(format string, a ...any) error {
		return plumbing.Fail(plumbing.ErrInvalid, "not a text for a fact: "+fmt.Sprintf(format, a...),
			fmt.Sprintf("a fact is at most %d bytes of plain text", MaxText))
	}
	switch {
	case len(text) > MaxText:
		return bad("it has %d bytes", len(text))
	case !utf8.ValidString(text):
		return bad("it is not valid UTF-8")
	case strings.TrimSpace(text) == "":
		return bad("it is empty")
	}
	for i, r := range text {
		if unicode.IsControl(r) && r != '\t' && r != '\n' {
			return bad("control character U+%04X at byte %d", r, i)
		}
	}
	return nil
}

// blank is what stands in the place of a forgotten text of n bytes.
func blank(n int) string { return strings.Repeat(".", n) }
