package permission

import (
	"slices"
	"strings"
)

// wrapper is a program that runs the command in its words.
type wrapper struct {
	short, long string // flags, as flagSpec takes them
	skip        int    // operands before the command; -1: not known
	floor       Class
	why         string
	more        bool // words are added that are not known
}

// wrapping finds a wrapper by name.
func wrapping(name string) (wrapper, bool) {
	switch name {
	case "command", "builtin", "exec", "time":
		return wrapper{short: "p", floor: Read}, true
	case "nice":
		return wrapper{short: "n:", long: "adjustment=", floor: Read}, true
	case "timeout":
		return wrapper{short: "fk:ps:v", long: "foreground kill-after= preserve-status signal= verbose", skip: 1, floor: Read}, true
	case "xargs":
		return wrapper{short: "0rtd:n:P:I:L:s:x", long: "null no-run-if-empty verbose delimiter= max-args= max-procs= max-lines=", floor: Read, more: true}, true
	case "stdbuf":
		return wrapper{short: "i:o:e:", long: "input= output= error=", floor: Execute, why: "stdbuf loads code into the program"}, true
	case "nohup":
		return wrapper{floor: Write, why: "nohup may write nohup.out"}, true
	case "setsid":
		return wrapper{short: "cfw", long: "ctty fork wait", floor: Execute, why: "setsid lets a command run on"}, true
	case "ionice":
		return wrapper{short: "c:n:t", floor: Execute, why: "ionice runs a command"}, true
	case "sudo", "doas":
		return wrapper{short: "AbEHknSPu:g:h:p:C:D:", long: "user= group= preserve-env non-interactive set-home", floor: Execute, why: name + " runs a command as another user"}, true
	case "busybox", "toybox":
		return wrapper{floor: Execute, why: name + " has programs of its own"}, true
	case "flock":
		return wrapper{short: "nsxew:u", skip: 1, floor: Execute, why: "flock makes a file"}, true
	case "chroot", "strace", "ltrace", "watch", "unshare", "nsenter", "systemd-run", "parallel", "su", "runuser", "script", "taskset", "chrt",
		"caffeinate", "unbuffer", "rlwrap", "entr", "firejail", "bwrap", "proot", "fakeroot", "dbus-run-session", "xvfb-run", "gdb", "valgrind", "perf":
		return wrapper{skip: -1}, true
	case "!", "{", "if", "then", "else", "elif", "while", "until", "do", "coproc", "function":
		// After a variable these are no keywords but names of programs, as far as bash goes.
		return wrapper{floor: Execute, why: shown(name) + " is no keyword here"}, true
	}
	return wrapper{}, false
}

// unwrap notes what a wrapper runs; false: name is none.
func (w *walker) unwrap(name string, r running) bool {
	switch {
	case name == "env":
		w.env(r)
	case isShell(name):
		w.shell(name, r)
	case name == "eval":
		w.eval(r)
	case name == "trap":
		w.trap(r)
	case name == "exec" && len(r.args) == 1: // for its redirections
		w.add(r.note(Read, ""))
	case name == "command" && len(r.args) > 1 && contains([]string{"-v", "-V"}, r.args[1].text):
		w.add(r.note(Read, ""))
	default:
		wr, ok := wrapping(name)
		if !ok {
			return false
		}
		w.wrapped(wr, r)
	}
	return true
}

func (w *walker) wrapped(wr wrapper, r running) {
	f, ok := parseFlags(flagSpec{short: wr.short, long: wr.long, stop: true}, r.args[1:])
	w.guarded = w.guarded || drops(r.args, ok)
	if !ok || wr.skip < 0 || len(f.operands) < wr.skip {
		w.opaque(r, "what it runs cannot be told from its words")
		return
	}
	inner := f.operands[wr.skip:]
	if len(inner) == 0 && wr.more {
		inner = []arg{{text: "echo", known: true}}
	}
	if len(inner) == 0 {
		w.opaque(r, shown(r.args[0].text)+" is not among the commands that are known to only read")
		return
	}
	w.touch(r.args[:len(r.args)-len(inner)])
	next := r.inside(inner)
	if wr.more {
		next.args = append(append([]arg(nil), placed(inner, f)...), arg{})
	}
	next.raise(wr.floor, wr.why)
	w.run(next)
}

// placed are the words of a command in which xargs -I puts others.
func placed(args []arg, f flags) []arg {
	sign, ok := f.value["I"]
	if !ok || sign.text == "" {
		return args
	}
	out := append([]arg(nil), args...)
	for i, a := range out {
		if at := strings.Index(a.text, sign.text); at >= 0 || !sign.known {
			out[i] = arg{text: a.text[:max(at, 0)], one: true}
		}
	}
	return out
}

// inside is a command within the words of r.
func (r running) inside(args []arg) running {
	outer, _ := leading(r.args[:max(len(r.args)-len(args), 1)])
	r.via = append(append([]string(nil), r.via...), outer...)
	r.args = args
	return r
}

// opaque notes a wrapper of which it cannot be told what it runs.
func (w *walker) opaque(r running, why string) {
	w.touch(r.args)
	c := r.note(Execute, why)
	c.Also = append(c.Also, []string{})
	w.add(c)
}

// env runs a command with variables.
func (w *walker) env(r running) {
	f, ok := parseFlags(flagSpec{short: "iu:0v", long: "ignore-environment unset= null debug", stop: true}, r.args[1:])
	rest, cleared := f.operands, f.set["i"] || f.set["ignore-environment"]
	if ok && at(rest, 0) == "-" {
		rest, cleared = rest[1:], true
	}
	for ok && len(rest) > 0 {
		name, _, isSet := strings.Cut(rest[0].text, "=")
		if !isSet {
			break
		}
		w.exported(name)
		r.known = r.known && isHarmless(name)
		rest = rest[1:]
	}
	w.guarded = w.guarded || !ok || len(rest) > 0 && !rest[0].fixed() // it may be any variable
	if !ok || len(rest) == 0 {
		w.opaque(r, "env shows all variables, which may hold secrets, or takes words apart")
		return
	}
	for _, v := range f.values {
		w.guarded = w.guarded || isGuard(v.text)
	}
	r.known = r.known && !cleared && len(f.values) == 0
	w.touch(r.args[:len(r.args)-len(rest)])
	first := len(w.commands)
	w.run(r.inside(rest))
	w.guarded = w.guarded || cleared && slices.ContainsFunc(w.commands[first:], clears)
}

func isShell(name string) bool {
	return contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"}, name)
}

// shell is sh -c "...": what stands there is looked at, in the shells that bash's grammar fits.
func (w *walker) shell(name string, r running) {
	if !contains([]string{"sh", "bash", "dash", "ash"}, name) || len(r.args) < 3 || !r.args[1].fixed() {
		w.opaque(r, "what "+shown(name)+" runs cannot be told from its words")
		return
	}
	flag := r.args[1].text
	if len(flag) < 2 || flag[0] != '-' || !strings.ContainsRune(flag, 'c') || strings.Trim(flag[1:], "ceuxl") != "" || !r.args[2].fixed() {
		w.opaque(r, "what "+shown(name)+" runs cannot be told from its words")
		return
	}
	if strings.ContainsRune(flag, 'l') {
		r.raise(Execute, "a login shell runs what its profile says")
		w.add(r.note(Execute, r.why))
	}
	w.touch(r.args[3:])
	w.nested(r.args[2].text, r)
}

// nested looks at a command line that is a word.
func (w *walker) nested(src string, r running) {
	if w.inner >= maxInner {
		w.opaque(r, "it is nested too deeply to be looked at")
		return
	}
	file, err := parse(src)
	if err != nil {
		w.opaque(r, "the command line in its words is not valid in bash")
		return
	}
	first := len(w.commands)
	w.inner++
	w.file(file, src)
	w.inner--
	outer, _ := leading(r.args)
	for i := range w.commands[first:] {
		c := &w.commands[first+i]
		c.Known = c.Known && r.known && r.floor != Execute
		c.Also = append(c.Also, append(append([]string(nil), r.via...), outer...))
		if r.floor != "" && stronger(c.Class, r.floor) != c.Class {
			c.Class, c.Why = r.floor, r.why
		}
	}
}

func (w *walker) eval(r running) {
	words := make([]string, 0, len(r.args))
	for _, a := range r.args[1:] {
		if !a.fixed() {
			w.opaque(r, "what eval runs is not known before it runs")
			return
		}
		words = append(words, a.text)
	}
	w.nested(strings.Join(words, " "), r)
}

// trap keeps a command line for later.
func (w *walker) trap(r running) {
	args := r.args[1:]
	if len(args) > 0 && args[0].fixed() && args[0].text == "--" {
		args = args[1:]
	}
	switch {
	case len(args) == 0 || args[0].fixed() && contains([]string{"-", "-p", "-l", ""}, args[0].text):
		w.add(r.note(Read, ""))
	case args[0].fixed():
		w.nested(args[0].text, r)
	default:
		w.opaque(r, "what trap runs is not known before it runs")
	}
}
