package tool

import (
	"context"
	"fmt"
	"strings"

	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
)

// maxSkipped is how many files that were not searched are named.
const maxSkipped = 10

// search is memory_search: {pattern}. At most note.MaxHits lines, as
// file:line: text, in at most MaxText bytes; no hit is an answer.
func search(a *arguments, d Deps, _ Caller) action {
	pattern := a.text("pattern")
	return func(ctx context.Context) (Result, error) {
		found, err := d.Notes.Search(ctx, pattern, note.SearchOptions{})
		if err != nil {
			return Result{}, err
		}
		end := skipped(found.Skipped)
		if len(found.Matches) == 0 {
			return Result{Text: "No hits.\n" + end}, nil
		}
		return Result{Text: hits(found, MaxText-len(end)) + end}, nil
	}
}

// skipped names the files that were not searched, and why, a line each.
func skipped(list []note.Skipped) string {
	var b strings.Builder
	for i, s := range list {
		if i == maxSkipped {
			fmt.Fprintf(&b, "[%s more not searched]\n", counted(int64(len(list)-i), "file"))
			break
		}
		why, _ := prompt.ShowPart(strings.Join(strings.Fields(s.Err.Error()), " "), 512)
		file, _ := prompt.ShowPart(strings.Join(strings.Fields(s.File), " "), 512)
		fmt.Fprintf(&b, "[not searched, or not whole: %s: %s]\n", file, why)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// hits is the lines found, those that fit with a marker behind them; room holds a marker at least.
func hits(found note.Found, room int) string {
	var b strings.Builder
	for i, m := range found.Matches {
		line := hit(m)
		last := i == len(found.Matches)-1 && !found.Truncated
		if b.Len()+len(line)+len(more(i+1)) > room && !(last && b.Len()+len(line) <= room) {
			return b.String() + more(i)
		}
		b.WriteString(line)
	}
	if found.Truncated {
		b.WriteString(more(len(found.Matches)))
	}
	return b.String()
}

// hit is a line found, as file:line: text.
func hit(m note.Match) string {
	text, used := prompt.ShowPart(m.Text, note.MaxText)
	if m.Cut || used < len(m.Text) {
		text += " […]"
	}
	return fmt.Sprintf("%s:%d: %s\n", m.File, m.Line, text)
}

// more is the marker behind n hits of more.
func more(n int) string {
	return fmt.Sprintf("[truncated: %s shown, more lines match; make the pattern narrower]\n", counted(int64(n), "hit"))
}
