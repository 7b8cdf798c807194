package tool

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
)

// read is memory_read: {file}.
func read(a *arguments, d Deps, _ Caller) action {
	file := a.text("file")
	return func(ctx context.Context) (Result, error) {
		n, err := d.Notes.Read(ctx, file)
		if err != nil {
			return Result{}, orFiles(ctx, d.Notes, err)
		}
		return Result{Text: page(n)}, nil
	}
}

// page is a file as a model reads it, in at most MaxText bytes.
func page(n note.Note) string {
	if strings.TrimPrefix(n.Text, bom) == "" {
		return "[the file is empty]\n"
	}
	text, used := lines(n.Text, MaxText)
	if used == len(n.Text) {
		return text
	}
	marker := func(used int) string {
		return fmt.Sprintf("[truncated: %d of %d bytes; search the rest with memory_search]\n", used, n.Bytes)
	}
	text, used = lines(n.Text, MaxText-len(marker(len(n.Text))))
	return text + marker(used)
}

const bom = "\uFEFF"

// maxTail is how much of a line that does not fit whole is left out, to end at a line end.
const maxTail = 4096

// lines is the beginning of text in at most room bytes, and how much of text
// that is: whole lines, and of a line longer than maxTail a part. A BOM and the
// CR of a CRLF are not shown, what else a reader would not see is shown as an
// escape (design section 13). It ends in a newline.
func lines(text string, room int) (shown string, used int) {
	var b strings.Builder
	used = len(text) - len(strings.TrimPrefix(text, bom))
	for used < len(text) {
		line, rest, ended := strings.Cut(text[used:], "\n")
		whole := len(text) - used - len(rest)
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		part, n := prompt.ShowPart(line, room-b.Len()-1)
		if n < len(line) {
			if n > maxTail || b.Len() == 0 {
				b.WriteString(part + "\n")
				used += n
			}
			break
		}
		if b.Len() == room {
			break
		}
		b.WriteString(part + "\n")
		used += whole
	}
	return b.String(), used
}

// maxFiles is how many files are named where one is not there.
const maxFiles = 20

// orFiles adds to a file's not being there which ones are: a model has no
// other list of them. Where the store knows better (a name in other case), its hint stays.
func orFiles(ctx context.Context, notes *note.Store, err error) error {
	var p *plumbing.Error
	if !errors.As(err, &p) || p.Kind != plumbing.ErrNotFound || strings.HasPrefix(p.Hint, "there is") {
		return err
	}
	l, listErr := notes.List(ctx)
	if listErr != nil {
		return err
	}
	hint := "no file is there yet; memory_write makes the first"
	if len(l.Notes) > 0 {
		hint = "there are " + fileNames(l.Notes)
	}
	return &plumbing.Error{Kind: plumbing.ErrNotFound, Message: err.Error(), Hint: hint, Cause: err}
}

func fileNames(list []note.Info) string {
	var named []string
	for _, n := range list[:min(len(list), maxFiles)] {
		named = append(named, strconv.Quote(n.File))
	}
	s := strings.Join(named, ", ")
	if len(list) > maxFiles {
		s += fmt.Sprintf(" and %d more", len(list)-maxFiles)
	}
	return s
}
