package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/porcelain/help"
)

// printOverview lists the commands by group. Those of lecode-agent are listed where that program stands beside this one.
func printOverview(w io.Writer) error {
	var b strings.Builder
	b.WriteString("lecode: memory with proof for a coding agent\n\n" +
		"usage: lecode [-C DIR] [--config-dir DIR] [--cache-dir DIR] COMMAND [ARGUMENTS]\n")
	agent := agentInstalled()
	if agent {
		b.WriteString("       lecode [--plain] [--continue] …    talk to the agent (flags: lecode agent --help)\n")
	}
	titles := map[Group]string{
		Porcelain:    "For people",
		Manipulator:  "Plumbing that writes",
		Interrogator: "Plumbing that reads",
	}
	for _, g := range []Group{Porcelain, Manipulator, Interrogator} {
		fmt.Fprintf(&b, "\n%s:\n", titles[g])
		for _, r := range Table {
			if r.Group == g && (r.Program == ProgramLight || agent) {
				fmt.Fprintf(&b, "  %-14s %s\n", r.Name, r.Summary)
			}
		}
	}
	b.WriteString("\nGuides (lecode help NAME):\n")
	for _, g := range help.Guides() {
		fmt.Fprintf(&b, "  %-14s %s\n", g.Name, g.Summary)
	}
	b.WriteString("\nlecode COMMAND --help explains one command. Memory is shared by all worktrees of a\n" +
		"repository; instructions, working directory and tools follow the active checkout.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// printHelp explains one command: usage, flags, example, Input, Output, Exit codes.
func printHelp(w io.Writer, row Row, h Help, ctx *kong.Context) error {
	var b strings.Builder
	fmt.Fprintf(&b, "lecode %s: %s\n\nusage: lecode %s", row.Name, row.Summary, row.Name)
	if h.Usage != "" {
		b.WriteString(" " + h.Usage)
	}
	b.WriteString("\n")
	if h.About != "" {
		b.WriteString("\n" + strings.TrimSpace(h.About) + "\n")
	}
	writeVerbs(&b, ctx)
	writeFlags(&b, ctx)
	if h.Example != "" {
		b.WriteString("\nExample:\n  " + strings.ReplaceAll(strings.TrimSpace(h.Example), "\n", "\n  ") + "\n")
	}
	input := h.Input
	if input == "" {
		input = "nothing"
	}
	fmt.Fprintf(&b, "\nInput: %s\nOutput: %s\n\nExit codes:\n", input, h.Output)
	for _, e := range Exits {
		if e.Code == exitDone || e.Code == exitBadInput || e.Code == exitDefect || slices.Contains(h.Exits, e.Code) {
			fmt.Fprintf(&b, "  %3d  %s\n", e.Code, e.Meaning)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeVerbs lists the subcommands, where there are any, with their arguments
// and flags; only the one that was asked about, if one was.
func writeVerbs(b *strings.Builder, ctx *kong.Context) {
	for _, v := range ctx.Model.Children {
		if v.Type != kong.CommandNode || ctx.Selected() != nil && ctx.Selected() != v {
			continue
		}
		fmt.Fprintf(b, "\n%s", v.Name)
		for _, p := range v.Positional {
			name := strings.ToUpper(p.Name)
			if !p.Required {
				name = "[" + name + "]"
			}
			b.WriteString(" " + name)
		}
		fmt.Fprintf(b, ": %s\n", v.Help)
		for _, f := range v.Flags {
			b.WriteString(flagLine(f))
		}
	}
}

func flagLine(f *kong.Flag) string {
	name := "--" + f.Name
	if f.Short != 0 {
		name = fmt.Sprintf("-%c, %s", f.Short, name)
	}
	if !f.IsBool() {
		name += " " + f.FormatPlaceHolder()
	}
	return fmt.Sprintf("  %-26s %s\n", name, f.Help)
}

func writeFlags(b *strings.Builder, ctx *kong.Context) {
	flags := [2][]string{}
	for _, f := range ctx.Model.Flags {
		group := 0
		if f.Name == "chdir" || f.Name == "config-dir" || f.Name == "cache-dir" || f.Name == "help" {
			group = 1
		}
		flags[group] = append(flags[group], flagLine(f))
	}
	for i, title := range []string{"\nFlags:\n", "\nFlags of every command:\n"} {
		if len(flags[i]) > 0 {
			b.WriteString(title + strings.Join(flags[i], ""))
		}
	}
}

// HelpFor answers `lecode help [NAME]`: the overview, a guide, or a command's help.
func (e *Env) HelpFor(name string) error {
	if name == "" {
		return printOverview(e.Stdout)
	}
	if name == "exit-codes" {
		return printExitCodes(e.Stdout)
	}
	if text, ok := help.Guide(name); ok {
		_, err := io.WriteString(e.Stdout, text)
		return err
	}
	row, ok := Find(name)
	if !ok {
		hint := "`lecode help` lists commands and guides"
		known := names()
		for _, g := range help.Guides() {
			known = append(known, g.Name)
		}
		if near := nearest(name, known); near != "" {
			hint = fmt.Sprintf("did you mean `lecode help %s`?", near)
		}
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q is neither a command nor a guide", name), hint)
	}
	if row.Program != e.program.Name {
		return handOverWith(row, []string{row.Name, "--help"})
	}
	return e.program.command(row, invocation{command: row.Name, args: []string{"--help"}}, e)
}

func printExitCodes(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Exit codes of every lecode command\n\n")
	for _, e := range Exits {
		fmt.Fprintf(&b, "%4d  %-12s %s\n", e.Code, e.Name, e.Meaning)
	}
	b.WriteString("\nThe second column is \"code\" in the error object that LECODE_ERRORS=json prints on\n" +
		"stderr. Treat any other number that is not 0 as a failure.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
