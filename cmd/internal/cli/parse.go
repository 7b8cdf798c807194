package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/lecode/lecode/plumbing"
)

// Globals are the flags that every command takes, before or after its name.
type Globals struct {
	Chdir     []string `short:"C" name:"chdir" sep:"none" placeholder:"DIR" help:"Run as if started in DIR; several add up, as in Git."`
	ConfigDir string   `name:"config-dir" placeholder:"DIR" help:"Where sessions, facts and notes lie."`
	CacheDir  string   `name:"cache-dir" placeholder:"DIR" help:"Where indexes lie; all of it can be deleted."`
}

// Grammar is what one command takes and does. Run finds its own fields set.
type Grammar interface {
	Run(*Env) error
}

// Writer is a Grammar of which only some forms write: Writes is asked once its
// fields are set, and counts instead of what the table says.
type Writer interface {
	Writes() bool
}

// Help is what a command's help says beside its flags (design section 7).
type Help struct {
	Usage   string // arguments as in "SESSION START END"
	About   string // a paragraph or two, wrapped at 78 columns
	Example string // command lines, each after "$ ", with what they print
	Input   string // what is read from stdin; empty: nothing
	Output  string // which objects are printed
	Exits   []int  // codes beside 0, 2 and 70
}

// invocation is a command line, taken apart.
type invocation struct {
	globals Globals
	command string   // "" where none was given
	args    []string // what follows the command
	help    bool
	version bool
	talk    []string // flags of `lecode` alone, for the agent
}

// split takes the global flags before the command off the command line. It is
// kong with a grammar of its own, so that both places read them alike.
func split(args []string) (invocation, error) {
	n := 0
	for n < len(args) && strings.HasPrefix(args[n], "-") && args[n] != "-" {
		switch args[n] {
		case "-C", "--chdir", "--config-dir", "--cache-dir", "--session", "--model", "--mode": // a word follows
			n++
		}
		n++
	}
	n = min(n, len(args))
	inv := invocation{}
	if n < len(args) {
		inv.command, inv.args = args[n], args[n+1:]
	}
	if n == 0 {
		return inv, nil
	}
	var before struct {
		Globals
		Help     bool `short:"h"`
		Version  bool
		Plain    bool
		Continue bool
		Session  string
		Model    string
		Mode     string
	}
	err := parse(&before, "lecode", args[:n], nil)
	inv.globals, inv.help, inv.version = before.Globals, before.Help, before.Version
	if before.Plain {
		inv.talk = append(inv.talk, "--plain")
	}
	if before.Continue {
		inv.talk = append(inv.talk, "--continue")
	}
	for _, f := range [][2]string{{"--session", before.Session}, {"--model", before.Model}, {"--mode", before.Mode}} {
		if f[1] != "" {
			inv.talk = append(inv.talk, f[0], f[1])
		}
	}
	return inv, err
}

// parse reads args into grammar. Where --help stands among them and help is
// given, it is called with the model instead, and errHelped comes back.
func parse(grammar any, name string, args []string, help func(*kong.Context) error) error {
	helped := false
	options := []kong.Option{
		kong.Name(name), kong.Writers(io.Discard, io.Discard),
		kong.Exit(func(int) { helped = true }),
		kong.TypeMapper(reflect.TypeFor[int64](), kong.MapperFunc(decimal)),
		kong.KindMapper(reflect.String, kong.MapperFunc(words)),
	}
	if help == nil {
		options = append(options, kong.NoDefaultHelp())
	} else {
		options = append(options, kong.Help(func(_ kong.HelpOptions, ctx *kong.Context) error { return help(ctx) }))
	}
	k, err := kong.New(grammar, options...)
	if err != nil {
		return fmt.Errorf("build the grammar of %s: %w", name, err)
	}
	_, err = k.Parse(args)
	if helped {
		return errHelped
	}
	if err != nil {
		return &plumbing.Error{Kind: plumbing.ErrInvalid, Message: plain(err), Hint: "see `" + name + " --help`"}
	}
	return nil
}

// decimal reads a whole number as people write it: 010 is not 8, and 0x1 is none.
func decimal(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("number")
	if err != nil {
		return err
	}
	s := fmt.Sprint(token.Value)
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return fmt.Errorf("%q is not a whole number in plain decimal", s)
	}
	target.SetInt(n)
	return nil
}

// words reads a value that is text. An empty one is refused, since it is what is
// left of a variable that a failed command before should have set; only a
// *string may be empty.
func words(ctx *kong.DecodeContext, target reflect.Value) error {
	var s string
	if err := ctx.Scan.PopValueInto("string", &s); err != nil {
		return err
	}
	bydefault := ctx.Value.HasDefault && ctx.Value.Default == ""
	if s == "" && !bydefault && ctx.Value.Target.Kind() != reflect.Pointer {
		return errors.New("the value is empty")
	}
	target.SetString(s)
	return nil
}

// errHelped: the help was printed, there is nothing more to do.
var errHelped = errors.New("helped")

// plain is kong's error as one line of ours.
func plain(err error) string {
	return strings.TrimSuffix(strings.TrimSpace(err.Error()), ".")
}

// over lays the flags given after the command over those before it.
func (g Globals) over(before Globals) Globals {
	g.Chdir = append(before.Chdir, g.Chdir...)
	if g.ConfigDir == "" {
		g.ConfigDir = before.ConfigDir
	}
	if g.CacheDir == "" {
		g.CacheDir = before.CacheDir
	}
	return g
}

// chdir moves the process, so that every relative path means what it means after `cd`.
func (g Globals) chdir() error {
	for _, dir := range g.Chdir {
		if err := os.Chdir(dir); err != nil {
			kind := plumbing.ErrNotFound
			if errors.Is(err, os.ErrPermission) {
				kind = plumbing.ErrRefused
			}
			return &plumbing.Error{Kind: kind, Message: fmt.Sprintf("cannot change to directory %q", dir), Hint: "check -C", Cause: err}
		}
	}
	return nil
}
