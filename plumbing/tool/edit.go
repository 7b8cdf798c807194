package tool

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/lecode/lecode/plumbing/note"
)

// edit is memory_edit: {all?,file,new,old}.
func edit(a *arguments, d Deps, _ Caller) action {
	all, file, to, from := a.yes("all"), a.text("file"), a.text("new"), a.text("old")
	return func(ctx context.Context) (Result, error) {
		e, err := d.Notes.Edit(ctx, file, from, to, all)
		if err != nil {
			return Result{}, orFiles(ctx, d.Notes, err)
		}
		return Result{Text: fmt.Sprintf("Replaced %s in %s, %s: %s\n", counted(e.Replaced, "place"), e.File, where(e), sizes(e.Written))}, nil
	}
}

// where names the lines of an edit.
func where(e note.Edited) string {
	list := make([]string, len(e.Lines))
	for i, n := range e.Lines {
		list[i] = strconv.FormatInt(n, 10)
	}
	said := "line " + strings.Join(list, ", ")
	if e.Replaced > 1 {
		said = "lines " + strings.Join(list, ", ")
	}
	if int64(len(list)) < e.Replaced {
		said += " and more"
	}
	return said
}

// counted is a number with its noun.
func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
