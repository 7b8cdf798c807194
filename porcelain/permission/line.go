package permission

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/lecode/lecode/plumbing"
)

// Caps of a command line.
const (
	maxLine  = 64 << 10 // bytes
	maxDepth = 100      // of statements within statements
	maxInner = 8        // of command lines within words of command lines, as in sh -c
	maxWords = 5000     // looked at in one line, braces expanded
	maxRun   = 1000     // commands in one line
)

// Parsed is what running a command line would do, as far as it can be told.
type Parsed struct {
	Commands []Command // all that would or might run, in the order of the line
	Outside  []string  // absolute paths outside the workspace, sorted, each once
	Class    Class     // the strongest of the commands
	Why      string    // why it is more than Read: of the first command of that class, or of the guard
}

// Line parses a command line of bash that would be run in dir, an absolute path
// (design section 12: a command line is judged by its parsed commands). It runs
// nothing; it looks at the names in the file system, to see where links lead.
//
// Class Read is for commands, flags and variables that are known to only read;
// whatever cannot be told is Execute. It judges what a line says. It is no
// sandbox: it does not know what the programs that run do, nor what the
// environment of the shell holds.
//
// A line that is not valid, or longer than 64 KiB, wraps plumbing.ErrInvalid.
func Line(src string, w Workspace, dir string) (Parsed, error) {
	if err := checkText(src); err != nil {
		return Parsed{}, err
	}
	file, err := parse(src)
	if err != nil {
		return Parsed{}, err
	}
	walk := &walker{space: w, bounds: w.bounds(), line: src, dirs: []string{dir}, outside: map[string]bool{}}
	walk.path("", dir)
	if strings.ContainsRune(src, '\r') {
		walk.spoil("it holds carriage returns, which shells and parsers take differently")
	}
	walk.file(file, src)
	return walk.parsed(), nil
}

func checkText(src string) error {
	switch {
	case len(src) > maxLine:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the command line has %d bytes, the most is %d", len(src), maxLine),
			"write it to a script, or split it")
	case strings.ContainsRune(src, 0) || !utf8.ValidString(src):
		return plumbing.Fail(plumbing.ErrInvalid, "the command line holds bytes that are no text", "take out NUL and what is not UTF-8")
	}
	return nil
}

func parse(src string) (*syntax.File, error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(src), "")
	if err == nil {
		return file, checkComments(file, src)
	}
	where := ""
	var pe syntax.ParseError
	var le syntax.LangError
	switch {
	case errors.As(err, &pe):
		where = place(pe.Pos)
	case errors.As(err, &le):
		where = place(le.Pos)
	}
	// The parser's words may quote the line, so that they stay out of the message.
	return nil, plumbing.Fail(plumbing.ErrInvalid, "the command line is not valid in bash"+where, "check its quotes, brackets and keywords")
}

// checkComments refuses comments that the parser and the shell take differently:
// one that ends in a backslash, which for the parser takes the next line with it,
// and one right behind a word, which for the shell is part of the word.
func checkComments(file *syntax.File, src string) error {
	for n := range syntax.Preorder(file) {
		c, ok := n.(*syntax.Comment)
		if !ok || c.Hash.Offset() >= uint(len(src)) {
			continue
		}
		before := src[:c.Hash.Offset()]
		if before != "" && strings.IndexByte(" \t\n;&|()`", before[len(before)-1]) < 0 || strings.HasSuffix(before, "\\\n") {
			return plumbing.Fail(plumbing.ErrInvalid, "the command line holds a # that may begin a comment"+place(c.Hash), "quote it, or put a space before it")
		}
		if line, _, _ := strings.Cut(src[c.Hash.Offset():], "\n"); strings.HasSuffix(line, `\`) {
			return plumbing.Fail(plumbing.ErrInvalid, "a comment of the command line ends in a backslash"+place(c.Hash), "take out the backslash, or the comment")
		}
	}
	return nil
}

// mayComment: some line may hold a comment, and ends in a backslash.
func mayComment(src string) bool {
	for line := range strings.SplitSeq(src, "\n") {
		at := strings.IndexByte(line, '#')
		for ; at >= 0 && strings.HasSuffix(line, `\`); at = after(line, at) {
			if at == 0 || strings.IndexByte(" \t;&|()<>`", line[at-1]) >= 0 {
				return true
			}
		}
	}
	return false
}

// after is where the next "#" stands; -1: there is none.
func after(line string, at int) int {
	next := strings.IndexByte(line[at+1:], '#')
	if next < 0 {
		return -1
	}
	return at + 1 + next
}

func place(p syntax.Pos) string { return fmt.Sprintf(" at line %d, column %d", p.Line(), p.Col()) }

// walker goes through a command line and collects what it would do.
type walker struct {
	space  Workspace
	bounds bounds // of space
	line   string
	dirs   []string // where it may be; absolute
	lost   bool     // it may be elsewhere too
	wide   bool     // a folder stands for all that is in it
	funcs  map[string]bool
	// defining: inside the body of a function.
	defining     bool
	depth, inner int
	words        int // seen so far
	commands     []Command
	outside      map[string]bool
	spoiled      string // why no command can be told for what it says
	loose        bool   // programs get variables that may change what they do
	guarded      bool   // it sets or takes away the guard, or may
}

// spoil says that something changes what all commands of the line mean.
func (w *walker) spoil(why string) {
	if w.spoiled == "" {
		w.spoiled = why
	}
}

// file goes through a whole line, or one that stands in a word of another.
func (w *walker) file(f *syntax.File, src string) {
	if mayComment(src) {
		w.spoil("it may hold a comment that goes on in the next line")
		w.doubt(w.spoiled)
	}
	before := w.funcs
	w.funcs = map[string]bool{}
	syntax.Walk(f, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.FuncDecl); ok && d.Name != nil {
			w.funcs[d.Name.Value] = true
			if isProgram(d.Name.Value) {
				w.spoil("it redefines " + shown(d.Name.Value))
			}
		}
		return true
	})
	w.stmts(f.Stmts)
	w.funcs = before
}

func (w *walker) add(c Command) {
	if len(w.commands) >= maxRun {
		if len(w.commands) > maxRun {
			return
		}
		c = Command{Class: Execute, Why: "it runs too many commands to be looked at", Cut: true}
	}
	c.Line = w.line
	w.commands = append(w.commands, c)
}

// doubt notes something that may run anything.
func (w *walker) doubt(why string) {
	w.add(Command{Class: Execute, Why: why, Cut: true})
}

func (w *walker) parsed() Parsed {
	if w.guarded || w.mayGuard() {
		w.commands = append([]Command{{Class: Execute, Why: guardWhy, Cut: true, Guard: true, Line: w.line}}, w.commands...)
	}
	p := Parsed{Commands: w.commands, Outside: slices.Sorted(maps.Keys(w.outside)), Class: Read}
	for i := range p.Commands {
		c := &p.Commands[i]
		if w.spoiled != "" {
			c.Known = false
			if c.Class.rank() < Execute.rank() {
				c.Class, c.Why = Execute, w.spoiled
			}
		}
		if w.loose {
			c.Known = false
		}
	}
	if w.spoiled != "" {
		p.Class, p.Why = Execute, w.spoiled
	}
	for _, c := range p.Commands {
		if c.Class.rank() > p.Class.rank() {
			p.Class, p.Why = c.Class, c.Why
		}
	}
	if len(p.Commands) > 0 && p.Commands[0].Guard {
		p.Why = guardWhy
	}
	return p
}

// rank orders the classes; one that is not known counts as the strongest.
func (c Class) rank() int {
	if i := slices.Index([]Class{Read, Write, Execute, Network}, c); i >= 0 {
		return i
	}
	return len("rwen")
}

func stronger(a, b Class) Class {
	if a.rank() >= b.rank() {
		return a
	}
	return b
}
