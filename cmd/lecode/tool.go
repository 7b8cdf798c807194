package main

import (
	"fmt"
	"io"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/tool"
)

type toolCommand struct {
	Name    string `arg:"" optional:"" help:"The tool: memory_read, memory_write, memory_edit, memory_search, memory_recall, memory_list, memory_correct or memory_forget."`
	Session string `placeholder:"SESSION" help:"The session whose latest learning memory_list tells."`
	List    bool   `help:"Print the tools and the schemas of their arguments instead, a line each."`
	Format  string `default:"mcp" placeholder:"FORM" help:"With --list: mcp (the default), openai or anthropic."`
	Readers bool   `help:"With --list: only those that do not write."`
}

var toolHelp = cli.Help{
	Usage: "NAME [--session SESSION] | --list [--format FORM] [--readers]",
	About: `
Runs one memory tool as a model would: its arguments are one JSON object on
stdin, and what it prints is exactly what the model gets. memory_recall,
memory_list, memory_correct and memory_forget answer with one object, the others
with text; nothing found is an answer too (0). An error is said on stderr, and
nothing is printed. "lecode help plumbing" lists the arguments.`,
	Example: `$ echo '{"file":"MEMORY.md","content":"Deploys are on Mondays.","mode":"append"}' | lecode tool memory_write
Wrote MEMORY.md: 24 bytes, a new file.
$ echo '{"pattern":"deploy"}' | lecode tool memory_search`,
	Input:  "the tool's arguments, one JSON object; nothing with --list",
	Output: "the tool's result as it is: a `fact_list`, `recall`, `fact` or `forgotten` object, or text",
	Exits:  []int{3, 4, 5, 6, 7},
}

// Writes: a tool of the class write does.
func (c *toolCommand) Writes() bool {
	t, ok := tool.Find(c.Name)
	return !c.List && ok && t.Class == tool.Write
}

func (c *toolCommand) Run(e *cli.Env) error {
	if c.List {
		return c.list(e)
	}
	if c.Name == "" {
		return plumbing.Fail(plumbing.ErrInvalid, "no tool is named", "`lecode tool --list` lists them")
	}
	if _, ok := tool.Find(c.Name); !ok {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("there is no tool %q", c.Name), "`lecode tool --list` lists them")
	}
	if _, err := e.Memory(); err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	args, err := e.Raw()
	if err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	if c.Session != "" {
		if _, err := s.Sessions.Info(ctx, c.Session); err != nil {
			return err
		}
	}
	r, err := tool.Call(ctx, s.Tools(), tool.Caller{ReadOnly: e.ReadOnly(), SessionID: c.Session}, c.Name, args)
	if err != nil {
		return err
	}
	_, err = io.WriteString(e.Out(), r.Text)
	return err
}

func (c *toolCommand) list(e *cli.Env) error {
	if c.Name != "" {
		return plumbing.Fail(plumbing.ErrInvalid, "--list names all tools", "leave NAME out")
	}
	for _, t := range tool.Tools() {
		if c.Readers && t.Class != tool.Read {
			continue
		}
		b, err := t.Form(c.Format)
		if err != nil {
			return err
		}
		if _, err := e.Out().Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}
