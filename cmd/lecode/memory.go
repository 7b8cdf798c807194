package main

import (
	"context"
	"io"
	"strings"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/fact"
	"github.com/lecode/lecode/plumbing/note"
	"github.com/lecode/lecode/plumbing/recall"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/memory"
)

// The words stand in fields of their own, as many as correct takes, since kong
// ends a list at the first flag, and flags may stand between words.
type memoryCommand struct {
	Word   string   `arg:"" optional:"" help:"What to do."`
	A      *string  `arg:"" optional:"" help:"An argument; behind -- nothing is a flag."`
	B      *string  `arg:"" optional:"" help:"The next one."`
	C      *string  `arg:"" optional:"" help:"The next one."`
	D      *string  `arg:"" optional:"" help:"The next one."`
	E      *string  `arg:"" optional:"" help:"The next one."`
	Text   []string `arg:"" optional:"" help:"What follows."`
	Editor bool     `help:"With edit: open $VISUAL or $EDITOR on a copy and save it."`
	JSON   bool     `name:"json" help:"Print the objects that the plumbing prints, a line each."`
}

// words is what was typed.
func (c *memoryCommand) words() []string {
	var words []string
	if c.Word != "" || c.A != nil {
		words = append(words, c.Word)
	}
	for _, arg := range []*string{c.A, c.B, c.C, c.D, c.E} {
		if arg != nil {
			words = append(words, *arg)
		}
	}
	return append(words, c.Text...)
}

// memoryHelp is made when it is asked for, from the table of the words.
func memoryHelp() cli.Help {
	var b strings.Builder
	b.WriteString(`
Looks at the project's memory and changes it, in the words of the agent's
/memory. "--" ends the flags: memory search -- -x. The text of correct and the
pattern of search may be several words. COLUMNS sets the width, NO_COLOR turns
colours off.

Words:
`)
	for _, w := range memory.Words() {
		b.WriteString("  " + strings.TrimSpace(w.Name+" "+w.Usage) + "\n      " + w.Summary + "\n")
	}
	return cli.Help{
		Usage: "WORD [ARGUMENT…]",
		About: b.String(),
		Example: `$ lecode memory search 'tabs|spaces'
$ lecode memory correct $F 1 $S 7 7 Indent with two spaces.`,
		Output: "a page for people; with --json `note`, `match`, `fact`, `recall` or `forgotten` objects",
		Exits:  []int{1, 3, 4, 5, 6, 7},
	}
}

// Writes reports whether the word changes the memory (LECODE_READONLY).
func (c *memoryCommand) Writes() bool {
	w, _ := memory.Find(c.Word)
	return w.Writes || c.Editor
}

func (c *memoryCommand) Run(e *cli.Env) error {
	if c.Editor && (c.Word != "edit" || c.A != nil) {
		return plumbing.Fail(plumbing.ErrInvalid, "--editor goes with edit alone", "`lecode memory edit --editor`")
	}
	d, err := c.deps(e)
	if err != nil {
		return err
	}
	a, err := c.answer(e, d)
	if err != nil {
		return err
	}
	for _, w := range a.Warnings {
		e.Note("%s", w)
	}
	if c.JSON {
		err = printAnswer(e, a)
	} else {
		_, err = io.WriteString(e.Out(), a.Print(memory.Style{Width: e.Columns(), Colour: e.Colour()}))
	}
	if err == nil && a.No {
		return &cli.StatusError{Code: 1}
	}
	return err
}

// deps is what the words work on; the settings are asked where a word goes by them.
func (c *memoryCommand) deps(e *cli.Env) (memory.Deps, error) {
	d := memory.Deps{Now: e.Now()}
	switch c.Word {
	case "", "help":
		return d, nil
	case "correct":
		if _, err := e.Memory(); err != nil {
			return d, err
		}
	case "show":
		settings, err := e.Settings()
		if err != nil {
			return d, err
		}
		d.MaxBytes = settings.Memory.MaxBytes
	}
	s, err := e.Stores()
	d.Notes, d.Facts, d.Sources, d.Sessions = s.Notes, s.Facts, s.Sources, s.Sessions
	d.Checkout = s.Checkout()
	d.Tool = func(ctx context.Context, generation *int64, name string, args []byte) (string, error) {
		r, err := tool.Call(ctx, s.Tools(), tool.Caller{Generation: generation}, name, args)
		return r.Text, err
	}
	return d, err
}

func (c *memoryCommand) answer(e *cli.Env, d memory.Deps) (memory.Answer, error) {
	if c.Editor {
		edit, err := editor(e, c.JSON)
		if err != nil {
			return memory.Answer{}, err
		}
		return memory.Edit(context.Background(), d, memory.Editing{Open: edit})
	}
	ctx, stop := e.Context()
	defer stop()
	return memory.Run(ctx, d, c.words())
}

// printAnswer prints what was found or done as the plumbing prints it.
func printAnswer(e *cli.Env, a memory.Answer) error {
	switch v := a.Value.(type) {
	case note.Note:
		return printNote(e, v, false)
	case memory.Hits:
		return printMatches(e, v.Matches, v.Truncated)
	case memory.Notes:
		return printNotes(e, v)
	case memory.Edited:
		return e.Print(written(v.Written))
	case memory.Facts:
		for _, f := range v.Facts {
			if err := e.Print(f.Told(false)); err != nil {
				return err
			}
		}
		return nil
	case recall.Page:
		return e.Print(v)
	case memory.Corrected:
		return e.Print(v.After.Told(true))
	case fact.Receipt:
		return e.Print(v.Told())
	}
	return plumbing.Fail(plumbing.ErrInvalid, "help is a page for people", "leave out --json")
}
