package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isSpecial: programs whose words have a grammar of their own.
func isSpecial(name string) bool {
	return contains([]string{"echo", "printf", ":", "true", "false", "test", "[", "set", "read", "export", "find", "git", "python", "python3", "node", "ruby",
		"gcc", "clang", "cmake", "make"}, name)
}

// special is reads for those programs; ok says that name is one that may read.
func (w *walker) special(name string, args []arg) (doubt string, ok bool) {
	switch name {
	case ":", "true", "false", "echo":
		return w.patternsOf(args), true
	case "printf":
		return w.printf(args), true
	case "test", "[":
		return w.bracket(name, args), true
	case "set":
		return setsOptions(args), true
	case "read":
		return w.read(args), true
	case "find":
		return w.find(args), true
	case "git":
		return w.git(args), true
	case "python", "python3", "node", "ruby", "gcc", "clang", "cmake", "make":
		if len(args) == 1 && args[0].fixed() && args[0].text == "--version" {
			return "", true
		}
	}
	return "", false
}

// patternsOf notes what patterns list; words that are not known are only printed.
func (w *walker) patternsOf(args []arg) (doubt string) {
	for _, a := range args {
		if a.glob == "" {
			continue
		}
		if d := w.match(a.glob); d != "" && doubt == "" {
			doubt = d
		}
	}
	return doubt
}

// printf sets variables with -v and %n, and works out what stands in brackets in their names.
func (w *walker) printf(args []arg) string {
	if at(args, 0) == "--" {
		args = args[1:]
	} else if strings.HasPrefix(at(args, 0), "-") && at(args, 0) != "-" {
		return "printf may set a variable"
	}
	if len(args) > 0 && (!args[0].fixed() || counts(args[0].text)) {
		return "printf may set a variable"
	}
	return w.patternsOf(args)
}

// counts: the format has a %n.
func counts(format string) bool {
	for {
		_, after, ok := strings.Cut(format, "%")
		if !ok {
			return false
		}
		rest := strings.TrimLeft(after, "-+ #0'123456789.*$hlLqjztI")
		if strings.HasPrefix(rest, "n") {
			return true
		}
		format = strings.TrimPrefix(rest, "%")
	}
}

// bracket is test and [: of which -v and -R work out what stands in brackets.
func (w *walker) bracket(name string, args []arg) string {
	if name == "[" && len(args) > 0 && args[len(args)-1].text == "]" {
		args = args[:len(args)-1]
	}
	for i, a := range args {
		switch {
		case a.fixed() && contains([]string{"-v", "-R"}, a.text) && len(args) > 1:
			return arithmWhy
		case a.glob != "" || !a.known && !(a.one && operandOf(args, i)):
			return "what it tests is not known before it runs"
		}
		if a.known && !contains([]string{"=", "==", "!=", "<", ">"}, at(args, i-1)) && !contains([]string{"=", "==", "!=", "<", ">"}, at(args, i+1)) {
			if doubt := w.reach(a); doubt != "" && len(a.text) > 0 && a.text[0] != '-' && len(args) > 1 {
				return doubt
			}
		}
	}
	return ""
}

func at(args []arg, i int) string {
	if i < 0 || i >= len(args) || !args[i].fixed() {
		return ""
	}
	return args[i].text
}

// operandOf: word i is an operand whatever it holds: the operator that stands
// beside it is known, and there are no more words than for one test.
func operandOf(args []arg, i int) bool {
	if len(args) > 0 && at(args, 0) == "!" {
		args, i = args[1:], i-1
	}
	unary := contains([]string{"-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-L", "-n", "-N", "-O", "-p", "-r", "-s", "-S", "-t", "-u", "-w", "-x", "-z"}, at(args, 0))
	binary := contains([]string{"=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"}, at(args, 1))
	return len(args) == 1 || len(args) == 2 && i == 1 && unary || len(args) == 3 && i != 1 && binary
}

// setsOptions: options of the shell that change nothing of what commands do.
func setsOptions(args []arg) string {
	for i, a := range args {
		switch {
		case !a.fixed():
			return "what set changes is not known before it runs"
		case len(a.text) > 1 && strings.ContainsAny(a.text[:1], "-+") && strings.Trim(a.text[1:], "efuxvnbhCo") == "":
		case i > 0 && strings.HasSuffix(args[i-1].text, "o") && contains([]string{"pipefail", "errexit", "nounset", "xtrace", "noglob", "noclobber", "verbose"}, a.text):
		default:
			return "set may change what commands do"
		}
	}
	if len(args) == 0 {
		return "set shows all variables, which may hold secrets"
	}
	return ""
}

// read sets variables from its input.
func (w *walker) read(args []arg) string {
	f, ok := parseFlags(flagSpec{short: "rsd:n:N:p:t:"}, args)
	if !ok {
		return "read has a flag that is not among those known to only read"
	}
	for _, a := range f.operands {
		if !a.fixed() || !syntax.ValidName(a.text) {
			return arithmWhy
		}
		w.named(a.text)
	}
	return ""
}

// find only looks, with these of its words; the others run, delete, write, or follow links.
func (w *walker) find(args []arg) string {
	const none = "!|(|)|,|-not|-a|-and|-o|-or|-print|-print0|-prune|-quit|-depth|-d|-xdev|-mount|-true|-false|-empty|-executable|-readable|-writable|-ls|-nouser|-nogroup|-daystart|-P"
	const one = "-name|-iname|-path|-ipath|-wholename|-iwholename|-regex|-iregex|-regextype|-type|-maxdepth|-mindepth|-size|-mtime|-mmin|-atime|-amin|-ctime|-cmin|-perm|-user|-group|-uid|-gid|-links|-inum|-printf"
	doubt, folders, expression := "", 0, false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case contains(strings.Split(none, "|"), a.text) && a.fixed():
			expression = expression || a.text != "-P"
		case contains(strings.Split(one, "|"), a.text) && a.fixed():
			expression = true
			if i++; i >= len(args) || !args[i].known || args[i].glob != "" && w.match(args[i].glob) != "" {
				return "what find looks for is not known before it runs"
			}
		case contains([]string{"-newer", "-samefile", "-anewer", "-cnewer"}, a.text) && i+1 < len(args):
			expression = true
		case contains([]string{"-exec", "-execdir", "-ok", "-okdir"}, a.text):
			w.findRuns(args[i+1:])
			return "find runs a command"
		case a.known && strings.HasPrefix(a.text, "-"):
			return "find has a word that is not among those known to only read"
		default:
			folders++
			if d := w.reach(a); d != "" {
				doubt = d
			}
		}
	}
	if w.lost && folders == 0 {
		return "it runs in a folder that is not known before it runs"
	}
	return doubt
}

// findRuns notes the command of -exec, for settings that deny it.
func (w *walker) findRuns(args []arg) {
	for i, a := range args {
		if a.text == ";" || a.text == "+" {
			args = args[:i]
			break
		}
	}
	inner := append([]arg(nil), args...)
	for i, a := range inner {
		if at := strings.Index(a.text, "{}"); at >= 0 {
			inner[i] = arg{text: a.text[:at], one: true}
		}
	}
	w.run(running{args: inner, floor: Execute, why: "find runs it for each file", via: []string{"find"}})
}
