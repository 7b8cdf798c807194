package main

import (
	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/cmd/internal/object"
	"github.com/lecode/lecode/plumbing/note"
)

// noteCommand is one command with a subcommand a verb; each is in a file of its own.
type noteCommand struct {
	Read   noteRead   `cmd:"" help:"Print a file."`
	Write  noteWrite  `cmd:"" help:"Replace a file by the text on stdin, or add that at its end."`
	Edit   noteEdit   `cmd:"" help:"Replace a text in a file by another."`
	Search noteSearch `cmd:"" help:"Find the lines of all files that match a regular expression."`
	List   noteList   `cmd:"" help:"List the files there are."`
	Log    noteLog    `cmd:"" help:"Print a daily log, today's by default."`
}

var noteHelp = cli.Help{
	Usage: "read|write|edit|search|list|log [ARGUMENTS]",
	About: `
The project's Markdown memory. FILE is exactly one of MEMORY.md, scratchpad.md,
daily/YYYY-MM-DD.md or notes/NAME.md; NAME cannot leave notes/.

write   Takes the text from stdin (or --text) as it is, and replaces the file by
        it; --append adds it at the end, on a line of its own and with a newline
        after it, in CRLF where all lines of the file end so.
edit    Takes --old and --new, or one object {"all"?,"new","old"} on stdin. The
        old text is matched exactly, line ends aside; where it is not there
        once, nothing is written (4) and the lines are named; --all takes
        several. Only the lines concerned change, line ends stay as they are.
search  Prints at most 50 lines ("more" is true on the last one if others match
        too). Patterns are RE2's, as in Go: no lookaround, no backreferences;
        \d \w \s \b are ASCII; a{,3} and \< are literal. Each line is matched by
        itself. --context shows up to 20 lines around each.
log     Today is the day where you are.

Every write is atomic; what the file held before is then in FILE.bak. Writers
wait for each other; an edit goes to the text as it is by then, and --if-digest
holds a write to what was read. Links and whatever else is no plain file are
refused; search and list skip them, and what is no UTF-8 text, with a line on
stderr. With LECODE_READONLY set, write and edit are refused.`,
	Example: `$ echo "Run make lint first." | lecode note write --append MEMORY.md
{"backup":"MEMORY.md.bak","bytes":64,"bytes_before":43,…}
$ lecode note edit MEMORY.md --old "make lint" --new "make test"
$ lecode note search --context 1 'make (lint|test)'
$ lecode note read --raw MEMORY.md`,
	Input:  "write: the text, unless --text is given; edit: one object, unless --old and --new are",
	Output: "a `note` object (`list`: one a file), a `match` object a line for search; with --raw the text itself",
	Exits:  []int{1, 3, 4, 5, 7},
}

// Verb is embedded in each subcommand and knows whether it is the one that was given.
type Verb struct{ given bool }

// AfterApply is called by the parser for the subcommand that was given.
func (v *Verb) AfterApply() error {
	v.given = true
	return nil
}

// Writes: only two of the verbs do.
func (c *noteCommand) Writes() bool { return c.Write.given || c.Edit.given }

func (c *noteCommand) Run(e *cli.Env) error {
	s, err := e.Stores()
	if err != nil {
		return err
	}
	switch {
	case c.Read.given:
		return c.Read.run(e, s.Notes)
	case c.Write.given:
		return c.Write.run(e, s.Notes)
	case c.Edit.given:
		return c.Edit.run(e, s.Notes)
	case c.Search.given:
		return c.Search.run(e, s.Notes)
	case c.List.given:
		return c.List.run(e, s.Notes)
	}
	return c.Log.run(e, s.Notes)
}

// skipped names on stderr the files that were left out.
func skipped(e *cli.Env, list []note.Skipped) {
	for _, s := range list {
		e.Note("skipped: %s: %v", s.File, s.Err)
	}
}

// written is what a write did, as it is printed.
func written(w note.Written) object.Note {
	return object.Note{Backup: w.Backup, Bytes: w.Bytes, BytesBefore: &w.BytesBefore, Created: &w.Created,
		Digest: &w.Digest, File: w.File, Type: "note"}
}
