package note

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// MaxLines is how many lines Edited and the error of an ambiguous edit name.
const MaxLines = 50

// Edited says what an edit did.
type Edited struct {
	Written
	Replaced int64   // how many places
	Lines    []int64 // the lines, from 1, where the replacements now begin; the first MaxLines
}

// Edit replaces old by new in a file: exact text, in one place, or in all that
// do not overlap. It is applied to the file as it stands under the lock, so an
// edit whose text someone else has changed meanwhile is plumbing.ErrConflict
// and not a loss; so is one without a match, and one with several without all:
// the message says how many there are and on which lines.
//
// A line end in old (LF or CRLF) matches LF, CRLF and a lone CR; a lone CR in
// old matches only that. What old and new have in common at their beginnings
// and ends stays byte by byte; a line end in the rest of new takes the style
// of the one that it replaces, else of the line it stands in (case N8). No
// newline is added at the end of the file.
//
// plumbing.ErrInvalid: the name, an empty old, a new that changes nothing,
// what is no UTF-8 text, more than MaxFile bytes. The other errors are those
// of Write and, for a missing file, Read's.
func (s *Store) Edit(ctx context.Context, file, old, new string, all bool) (Edited, error) {
	if err := CheckFile(file); err != nil {
		return Edited{}, err
	}
	if err := checkEdit(old, new); err != nil {
		return Edited{}, err
	}
	if _, err := s.Read(ctx, file); err != nil {
		return Edited{}, err // before a lock or a folder is made for nothing
	}
	l, err := s.lock(ctx)
	if err != nil {
		return Edited{}, err
	}
	defer l.Unlock()
	n, err := s.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Edited{}, missing(file, "")
	}
	if err != nil {
		return Edited{}, err
	}
	text := newFlat(n.Text)
	places := text.find(old, 0, -1)
	if err := checkPlaces(file, text, old, places, all); err != nil {
		return Edited{}, err
	}
	changed, lines := text.replace(places, old, new)
	switch {
	case changed == n.Text:
		return Edited{}, plumbing.Fail(plumbing.ErrInvalid, "the edit changes nothing", "line ends take the style of the place")
	case len(changed) > MaxFile:
		return Edited{}, plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s would grow over %d bytes", show(file), MaxFile), "")
	}
	w, err := s.put(file, changed)
	return Edited{w, int64(len(places)), lines}, err
}

func checkEdit(old, new string) error {
	switch {
	case old == "":
		return plumbing.Fail(plumbing.ErrInvalid, "the old text is empty", "give the text to replace; `lecode note write` writes a file")
	case flatten(old) == flatten(new):
		return plumbing.Fail(plumbing.ErrInvalid, "the old text and the new are the same", "")
	}
	if err := checkText("the old text", old); err != nil {
		return err
	}
	return checkText("the new text", new)
}

// checkPlaces lets an edit through that has one place to go, or may have several.
func checkPlaces(file string, text flat, old string, places []int, all bool) error {
	if len(places) == 0 {
		hint := "read the file and copy the text as it stands there; white space counts"
		if line := text.nearby(old); line > 0 {
			hint = fmt.Sprintf("its first line stands on line %d; read the file and copy the rest as it stands there", line)
		}
		return plumbing.Fail(plumbing.ErrConflict, fmt.Sprintf("%s does not hold the old text", show(file)), hint)
	}
	if all {
		return nil
	}
	if len(places) == 1 {
		// A second one that overlaps the first would make another edit.
		if places = append(places, text.find(old, places[0]+1, 1)...); len(places) == 1 {
			return nil
		}
	}
	var b strings.Builder
	for i, p := range places[:min(len(places), MaxLines)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.FormatInt(text.line(p), 10))
	}
	if len(places) > MaxLines {
		b.WriteString(" and more")
	}
	return plumbing.Fail(plumbing.ErrConflict,
		fmt.Sprintf("%s holds the old text %d times, on lines %s", show(file), len(places), b.String()),
		"take in more of the text around the one that is meant, or replace all")
}
