package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/lecode/lecode/cmd/internal/cli"
	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/config"
	"github.com/lecode/lecode/plumbing/prompt"
	"github.com/lecode/lecode/plumbing/tool"
	"github.com/lecode/lecode/porcelain/mcp"
)

type mcpCommand struct {
	Allow       string `enum:"read,write" default:"read" placeholder:"CLASS" help:"What the tools may do: read (default), or write."`
	Follow      string `placeholder:"FILE" help:"Take in the transcript that the agent is writing, before each answer."`
	Format      string `placeholder:"FORMAT" help:"The transcript's format, claude-code (default: told from the file)."`
	PrintConfig string `placeholder:"CLIENT" help:"Print the configuration that gives CLIENT this server, and do nothing else."`
}

var mcpHelp = cli.Help{
	Usage: "[--allow write] [--follow FILE]",
	About: `
Serves this project's memory to another agent over the Model Context Protocol
on stdin and stdout: the memory tools, notes and facts as resources, and the
memory section as the prompt "memory". Tools that change the memory are listed
only with --allow write. Every answer is read from the disk as it is then.

With --follow the agent's own transcript is imported before each answer, as
` + "`lecode import`" + ` does, so that what its user said can be evidence. FILE need not
be there yet. Messages about it go to stderr.

It ends with its input. ` + "`lecode help agents`" + ` says how agents are given it.`,
	Example: `$ lecode mcp --print-config codex >>~/.codex/config.toml`,
	Input:   "messages of the protocol, one a line",
	Output:  "messages of the protocol, one a line; with --print-config a text in the client's own format",
	Exits:   []int{5, 6, 130},
}

// Writes: only what may change notes, facts or sessions does.
func (c *mcpCommand) Writes() bool {
	return c.PrintConfig == "" && (c.Allow == "write" || c.Follow != "")
}

func (c *mcpCommand) Run(e *cli.Env) error {
	if c.PrintConfig != "" {
		return c.printConfig(e)
	}
	if c.Format != "" && c.Follow == "" {
		return plumbing.Fail(plumbing.ErrInvalid, "--format without --follow", "name the transcript with --follow FILE")
	}
	memory, err := e.Memory()
	if err != nil {
		return err
	}
	s, err := e.Stores()
	if err != nil {
		return err
	}
	log := logger(e)
	opt := mcp.Options{
		Deps:    tool.Deps{Notes: s.Notes, Facts: s.Facts, Sources: s.Sources},
		Write:   c.Allow == "write",
		Section: func(ctx context.Context) (string, error) { return section(ctx, s, memory, log) },
		Log:     log,
		Version: cli.Version(),
	}
	if opt.Follow, err = c.follower(s, log); err != nil {
		return err
	}
	ctx, stop := e.Context()
	defer stop()
	err = mcp.New(opt).Serve(ctx, e.Stdin, e.Stdout)
	if ctx.Err() != nil {
		return &cli.StatusError{Code: 130} // a user who interrupts knows it
	}
	return err
}

// logger prints lines on stderr from several goroutines.
func logger(e *cli.Env) func(string, ...any) {
	var mu sync.Mutex
	return func(format string, a ...any) {
		mu.Lock()
		defer mu.Unlock()
		e.Note(format, a...)
	}
}

// section is the memory section as it is now.
func section(ctx context.Context, s cli.Stores, memory config.Memory, log func(string, ...any)) (string, error) {
	stores, done := s.Section()
	defer done()
	g, err := prompt.Gather(ctx, stores, prompt.Caps{MaxBytes: memory.MaxBytes, FactsMaxBytes: memory.FactsMaxBytes})
	if err != nil {
		return "", err
	}
	for _, w := range g.Warnings {
		log("%s is left out of the memory section: %v", w.What, w.Err)
	}
	return g.Section.Text, nil
}

// follower follows --follow; nil where nothing is to be followed.
func (c *mcpCommand) follower(s cli.Stores, log func(string, ...any)) (*mcp.Follower, error) {
	if c.Follow == "" {
		return nil, nil
	}
	file, err := filepath.Abs(c.Follow)
	if err != nil {
		return nil, fmt.Errorf("resolve %q: %w", c.Follow, err)
	}
	f := &mcp.Follower{File: file, Format: c.Format, Sessions: s.Sessions, Generation: s.ImportGeneration, Log: log}
	return f, f.Check()
}

// printConfig prints the text alone on stdout, so that it can go into a file, and on stderr where it belongs.
func (c *mcpCommand) printConfig(e *cli.Env) error {
	program, err := ownProgram()
	if err != nil {
		return err
	}
	args, err := c.arguments(e)
	if err != nil {
		return err
	}
	text, where, err := mcp.Config(c.PrintConfig, program, args)
	if err != nil {
		return err
	}
	e.Note("this belongs in %s", where)
	_, err = io.WriteString(e.Stdout, text)
	return err
}

// arguments are those of this call without --print-config, with the directories
// that were chosen: a client may not hand on the environment.
func (c *mcpCommand) arguments(e *cli.Env) ([]string, error) {
	chosen, err := e.Chosen()
	if err != nil {
		return nil, err
	}
	args := append(chosen, "mcp")
	if c.Allow != "read" {
		args = append(args, "--allow", c.Allow)
	}
	if c.Follow != "" {
		file, err := filepath.Abs(c.Follow)
		if err != nil {
			return nil, fmt.Errorf("resolve %q: %w", c.Follow, err)
		}
		args = append(args, "--follow", file)
	}
	if c.Format != "" {
		args = append(args, "--format", c.Format)
	}
	return args, nil
}

// ownProgram is the absolute path of lecode, which lies beside this program.
func ownProgram() (string, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", fmt.Errorf("find the folder of lecode: %w", err)
	}
	path := filepath.Join(filepath.Dir(self), cli.ProgramLight)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return self, nil
	}
	return path, nil
}
