package permission

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// running is a command whose words have been expanded.
type running struct {
	args  []arg
	known bool // the variables before it change nothing
	// via are the words of the programs that it is wrapped in, from the outermost.
	via []string
	// floor is the least that its class is, with a reason.
	floor Class
	why   string
}

// run notes what a command does.
func (w *walker) run(r running) {
	if len(r.args) == 0 {
		return
	}
	if !r.args[0].fixed() || r.args[0].text == "" {
		w.touch(r.args)
		c := r.note(Execute, "which program it runs is not known before it runs")
		c.Known = false
		c.Also = append(c.Also, []string{})
		w.add(c)
		return
	}
	name := program(r.args[0].text)
	switch {
	case name == "cd":
		w.cd(r)
	case w.unwrap(name, r):
	case w.funcs[name]:
		w.function(r)
	default:
		w.program(name, r)
	}
}

// program is the name that a program is known by: without its folder, where
// that is one of the system's. Others are something else.
func program(text string) string {
	dir, base := path.Split(text)
	if contains([]string{"", "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"}, dir) {
		return base
	}
	return text
}

func (w *walker) program(name string, r running) {
	class, why := w.classify(name, r.args[1:])
	c := r.note(class, why)
	if class != Read && w.touch(r.args) {
		c.Known = false
	}
	if class != Read && spreads(name, r.args[1:]) {
		w.widely(w.here)
	}
	w.add(c)
}

// spreads: it changes what is in the folder that it runs in, without naming it.
func spreads(name string, args []arg) bool {
	first := at(args, 0)
	switch name {
	case "find":
		return first == "" || strings.ContainsAny(first[:1], "-(!")
	case "git":
		if rest := afterFlags(name, texts(args)); len(rest) > 0 {
			first = rest[0]
		}
		return contains([]string{"clean", "checkout", "switch", "restore", "reset", "stash", "apply", "am", "pull", "merge", "rebase", "cherry-pick", "revert", "read-tree", "checkout-index"}, first)
	}
	return contains([]string{"tar", "bsdtar", "unzip", "7z", "cpio", "patch", "fd", "rdfind"}, name)
}

// classify says what a program does with its words.
func (w *walker) classify(name string, args []arg) (Class, string) {
	doubt, reads := w.reads(name, args)
	if reads && doubt == "" {
		return Read, ""
	}
	if why := network(name, args); why != "" {
		return Network, why
	}
	if reads {
		return Execute, doubt
	}
	return Execute, shown(name) + " is not among the commands that are known to only read"
}

// touch notes the paths among the words of a command that may do anything with
// them, and with what is in them; strange says that a pattern may stand for more
// than names.
func (w *walker) touch(args []arg) (strange bool) {
	w.widely(func() {
		for i, a := range args {
			if i == 0 && program(a.text) != a.text {
				continue
			}
			doubt := w.reach(a)
			strange = strange || a.glob != "" && doubt != ""
		}
	})
	return strange
}

// function is a call of what the line itself defines; what it does is noted
// where it is defined. A function that calls one may do so without end.
func (w *walker) function(r running) {
	class, why := Read, ""
	if w.defining {
		class, why = Execute, "a function that calls a function may go on without end"
	}
	w.touch(r.args[1:])
	w.add(r.note(class, why))
}

// note makes a Command of it.
func (r running) note(class Class, why string) Command {
	if r.floor != "" && stronger(class, r.floor) != class {
		class, why = r.floor, r.why
	}
	words, cut := leading(r.args)
	c := Command{Words: words, Cut: cut, Class: class, Why: why, Known: r.known && patterns(r.args), Also: forms(r.via, words)}
	if r.floor == Execute { // what is allowed by itself is not allowed in such a wrapper
		c.Words = slices.Concat(r.via, words)
		c.Also = append(c.Also, words)
	}
	return c
}

// raise sets the least that the class is.
func (r *running) raise(class Class, why string) {
	if class != Read && (r.floor == "" || stronger(r.floor, class) != r.floor) {
		r.floor, r.why = class, why
	}
}

// leading are the words that are known, up to the first that is not.
func leading(args []arg) (words []string, cut bool) {
	for _, a := range args {
		if !a.fixed() {
			return words, true
		}
		words = append(words, a.text)
	}
	return words, false
}

// patterns: what is not fixed are patterns only.
func patterns(args []arg) bool {
	for _, a := range args {
		if !a.known {
			return false
		}
	}
	return true
}

// cd changes the folder for what comes after it.
func (w *walker) cd(r running) {
	w.add(r.note(Read, ""))
	to, ok := w.target(r.args, w.dirs)
	if !ok {
		w.lost = true
		return
	}
	w.dirs = union(w.dirs, to)
	for _, d := range to {
		w.path(d, ".")
	}
}

// goesTo says where a statement leads that is nothing but a "cd" to a folder that is known.
func (w *walker) goesTo(s *syntax.Stmt, from []string) ([]string, bool) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Negated || s.Background || len(s.Redirs) > 0 || len(c.Assigns) > 0 || len(c.Args) < 2 || w.funcs["cd"] {
		return nil, false
	}
	if c.Args[0].Lit() != "cd" {
		return nil, false
	}
	var args []arg
	for _, word := range c.Args {
		if copied := *word; syntax.SplitBraces(&copied) {
			return nil, false
		}
		args = append(args, w.one(word))
	}
	return w.target(args, from)
}

// target says where "cd" leads. Up from a link, the shell goes by the name and
// the system by where the link leads: both count.
func (w *walker) target(args []arg, from []string) ([]string, bool) {
	args = args[1:]
	for len(args) > 0 && args[0].fixed() && contains([]string{"-L", "-P", "-e", "--"}, args[0].text) {
		args = args[1:]
	}
	var to string
	switch {
	case len(args) == 0 && w.space.Home != "":
		to = w.space.Home
	case len(args) == 1 && args[0].fixed() && args[0].text != "" && args[0].text[0] != '-' && args[0].text[0] != '~':
		to = args[0].text
	default:
		return nil, false
	}
	var out []string
	for _, d := range from {
		out = union(out, []string{w.space.Abs(d, to), path.Clean(joined(d, to))})
	}
	return out, len(out) <= 16
}
