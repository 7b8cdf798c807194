// Package cli is what the two programs share: the table of commands, the
// global flags, help, exit codes, error lines, JSON Lines in and out, the
// hand-over to the other program, and the wiring of the stores.
//
// It is the only place that knows the environment, the clock, the terminal
// and the exit codes; the packages below plumbing get them as arguments. Start
// with Main.
package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/lecode/lecode/plumbing"
)

// Program is one of the two executables.
type Program struct {
	Name string
	// Grammar returns a new grammar and the help of one of its own commands.
	Grammar func(name string) (Grammar, Help)
}

// Main runs the program with the process's own arguments and streams and
// returns the exit code.
func (p Program) Main() (code int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	env := &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, program: p}
	command := ""
	defer func() {
		if r := recover(); r != nil {
			code = report(env.Stderr, command, defect(r), env.Getenv("LECODE_ERRORS") == "json")
		}
	}()
	err := p.run(os.Args[1:], env, &command)
	if err == nil || errors.Is(err, errHelped) || errors.Is(err, syscall.EPIPE) {
		return exitDone
	}
	return report(env.Stderr, command, err, env.Getenv("LECODE_ERRORS") == "json")
}

// memoryLimit is when the collector begins to work harder: a scan of large
// records stays near what it holds, instead of at twice as much.
const memoryLimit = 72 << 20

// defect is a panic as an error: where it happened, not what was being read.
func defect(r any) error {
	for skip := 3; skip < 12; skip++ {
		pc, _, line, ok := runtime.Caller(skip)
		if !ok {
			break
		}
		if f := runtime.FuncForPC(pc); f != nil && f.Name() != "runtime.gopanic" && f.Name() != "runtime.sigpanic" {
			return fmt.Errorf("panic (%T) in %s, line %d", r, f.Name(), line)
		}
	}
	return fmt.Errorf("panic (%T)", r)
}

func (p Program) run(args []string, env *Env, command *string) error {
	if err := checkText(args); err != nil {
		return err
	}
	inv, err := split(args)
	if err != nil {
		return err
	}
	switch {
	case inv.version:
		return printVersion(env.Stdout)
	case inv.help:
		return printOverview(env.Stdout)
	case inv.command == "":
		return p.talk(env, inv)
	case len(inv.talk) > 0:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%s before a command", inv.talk[0]), "it goes with `lecode` alone")
	}
	row, known := Find(inv.command)
	if !known {
		return external(inv, env)
	}
	*command = row.Name
	if row.Program != p.Name {
		return handOver(row)
	}
	return p.command(row, inv, env)
}

// checkText refuses arguments that are not UTF-8: reading them would turn two
// different names into one.
func checkText(args []string) error {
	for i, a := range args {
		if !utf8.ValidString(a) {
			return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("argument %d is not UTF-8", i+1),
				"change into such a directory first, or give the file a name that is UTF-8")
		}
	}
	return nil
}

// ReadOnly reports whether LECODE_READONLY guards this process (design section
// 7); it holds for whatever it is set to but nothing and 0.
func (e *Env) ReadOnly() bool {
	value := e.Getenv("LECODE_READONLY")
	return value != "" && value != "0"
}

// writes reports whether this invocation writes: what its row in the table
// says, unless only some of the command's forms do.
func writes(row Row, g Grammar) bool {
	if w, ok := g.(Writer); ok {
		return w.Writes()
	}
	return row.Writes
}

// talk is `lecode` alone: the agent, where its program stands beside this one.
func (p Program) talk(env *Env, inv invocation) error {
	row, _ := Find("agent")
	if p.Name == row.Program {
		inv.command, inv.args = row.Name, inv.talk
		return p.command(row, inv, env)
	}
	if !agentInstalled() {
		return NoCommand()
	}
	return handOver(row)
}

// NoCommand is `lecode` alone, where there is nothing to answer either.
func NoCommand() error {
	return plumbing.Fail(plumbing.ErrInvalid, "no command given", "`lecode help` lists them")
}

func (p Program) command(row Row, inv invocation, env *Env) error {
	grammar, help := p.Grammar(row.Name)
	// A pointer to an embedded interface would hide the fields from kong, so the grammar is a plugin.
	root := struct {
		Globals
		kong.Plugins
	}{Plugins: kong.Plugins{grammar}}
	err := parse(&root, "lecode "+row.Name, inv.args, func(ctx *kong.Context) error {
		return printHelp(env.Stdout, row, help, ctx)
	})
	if err != nil {
		return err
	}
	if writes(row, grammar) && env.ReadOnly() {
		return plumbing.Fail(plumbing.ErrRefused, "LECODE_READONLY is set and this command writes",
			"a process started by a model changes memory through the memory tools only")
	}
	env.globals = root.Globals.over(inv.globals)
	if err := env.globals.chdir(); err != nil {
		return err
	}
	env.command = row.Name
	defer env.close()
	return grammar.Run(env)
}
