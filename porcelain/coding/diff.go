package coding

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// What a diff for a person is made of, and how long it may be, in bytes.
const (
	maxCompared = 2 << 20
	maxDiff     = 1 << 20 // a person who is asked has to be able to see all of it
)

// diff is a unified diff for a person to judge a change by; from and to are texts.
// Of a new file the old name is /dev/null, as git has it. What is too large is said.
func diff(path string, isNew bool, from, to string) string {
	if len(from)+len(to) > maxCompared {
		return fmt.Sprintf("[no diff: %d bytes become %d]\n", len(from), len(to))
	}
	name := shown(strings.TrimPrefix(filepath.ToSlash(path), "/"))
	was, is := "a/"+name, "b/"+name
	if isNew {
		was = "/dev/null"
	}
	text, err := udiff.ToUnified(was, is, from, udiff.Lines(from, to), udiff.DefaultContextLines)
	if err != nil {
		return fmt.Sprintf("[no diff: %v]\n", err)
	}
	if len(text) <= maxDiff {
		return text
	}
	cut := strings.LastIndexByte(text[:maxDiff], '\n') + 1
	return fmt.Sprintf("%s[the diff is cut: %d more bytes]\n", text[:cut], len(text)-cut)
}
