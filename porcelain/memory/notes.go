package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/prompt"
)

// show prints MEMORY.md, as much of it as a prompt could carry.
func show(ctx context.Context, d Deps, _ []string) (Answer, error) {
	n, err := d.memory(ctx)
	if err != nil {
		return Answer{}, err
	}
	shown := n.Text
	if d.MaxBytes > 0 && int64(len(shown)) > d.MaxBytes {
		shown = beginning(shown, d.MaxBytes)
	}
	return Answer{Value: n, print: func(p *page) {
		p.markdown(shown)
		if len(shown) < len(n.Text) {
			p.line("", "", fmt.Sprintf("[%d of %d bytes; all of it: %s]", len(shown), len(n.Text), d.Call.line("edit")), dim)
		}
	}}, nil
}

// edit prints all of MEMORY.md.
func edit(ctx context.Context, d Deps, _ []string) (Answer, error) {
	n, err := d.memory(ctx)
	return Answer{Value: n, print: func(p *page) { p.markdown(n.Text) }}, err
}

// memory reads MEMORY.md; where there is none it says how to begin.
func (d Deps) memory(ctx context.Context) (note.Note, error) {
	n, err := d.Notes.Read(ctx, note.Memory)
	return n, orFirst(err, "there is no MEMORY.md yet", note.Memory)
}

// orFirst turns "not found" into the way to write the first one.
func orFirst(err error, message, file string) error {
	if !errors.Is(err, plumbing.ErrNotFound) {
		return err
	}
	return &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: err, Message: message,
		Hint: "to write the first: `echo '- We use tabs.' | lecode note write --append " + file + "`"}
}

// beginning keeps at most n bytes of a text, cut as the memory section is
// (design section 13): at a line end within the last 512 bytes, else at a character.
func beginning(text string, n int64) string {
	end := int(n)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if i := strings.LastIndexByte(text[:end], '\n'); i >= 0 && i >= end-512 {
		end = i + 1
	}
	return text[:end]
}

// markdown writes a file as it is, but for what a reader would not see.
func (p *page) markdown(text string) {
	text = prompt.Show(strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n"))
	p.WriteString(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		p.WriteString("\n")
	}
}

// daily prints the daily log of a date, today's by default.
func daily(ctx context.Context, d Deps, args []string) (Answer, error) {
	file := d.Notes.Today()
	if len(args) > 0 {
		var err error
		if file, err = note.Daily(args[0]); err != nil {
			return Answer{}, err
		}
	}
	n, err := d.Notes.Read(ctx, file)
	if errors.Is(err, plumbing.ErrNotFound) {
		err = d.noLog(ctx, err, file)
	}
	return Answer{Value: n, print: func(p *page) { p.markdown(n.Text) }}, err
}

// noLog says which daily logs there are, or how to write the first.
func (d Deps) noLog(ctx context.Context, cause error, file string) error {
	message := "there is no daily log for " + date(file)
	list, err := d.Notes.List(ctx)
	if err != nil {
		return err
	}
	var dates []string
	for _, n := range list.Notes {
		if strings.HasPrefix(n.File, "daily/") && len(dates) < 3 {
			dates = append(dates, date(n.File))
		}
	}
	if len(dates) == 0 {
		return orFirst(cause, message, file)
	}
	return &plumbing.Error{Kind: plumbing.ErrNotFound, Cause: cause, Message: message, Hint: "the newest are of " + strings.Join(dates, ", ")}
}

// date is the day of a daily log's file.
func date(file string) string { return strings.TrimSuffix(strings.TrimPrefix(file, "daily/"), ".md") }

// Notes is the named notes.
type Notes []note.Info

// notes lists the named notes with their size and age.
func notes(ctx context.Context, d Deps, _ []string) (Answer, error) {
	all, err := d.Notes.List(ctx)
	if err != nil {
		return Answer{}, err
	}
	list := Notes{}
	for _, n := range all.Notes {
		if strings.HasPrefix(n.File, "notes/") {
			list = append(list, n)
		}
	}
	return Answer{Value: list, Warnings: skipped(all.Skipped), print: func(p *page) { p.notes(d, list) }}, nil
}

func skipped(list []note.Skipped) []string {
	var warnings []string
	for _, s := range list {
		warnings = append(warnings, fmt.Sprintf("%s is left out: %v", s.File, s.Err))
	}
	return warnings
}

func (p *page) notes(d Deps, list Notes) {
	if len(list) == 0 {
		p.line("", "", "There are no named notes yet. To write the first:", "")
		p.line("  ", "    ", "echo '# Style' | lecode note write --append notes/style.md", "")
		return
	}
	var cells [][]string
	for _, n := range list {
		cells = append(cells, []string{Size(n.Bytes), age(d.Now(), n.Modified), oneLine(n.File)})
	}
	p.rows([]column{{"SIZE", true}, {"AGE", true}, {"NOTE", false}}, cells)
}
