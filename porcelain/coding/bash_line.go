package coding

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/lecode/lecode/plumbing"
)

// maxCommand is the most bytes of a command line: what permission.Line takes.
const maxCommand = 64 << 10

func checkLine(line string) error {
	switch {
	case strings.TrimSpace(line) == "":
		return plumbing.Fail(plumbing.ErrInvalid, "the command is empty", "give a command line")
	case len(line) > maxCommand:
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("the command has %d bytes, and the most is %d", len(line), maxCommand), "write a script and run that")
	case strings.ContainsRune(line, 0) || !utf8.ValidString(line):
		return plumbing.Fail(plumbing.ErrInvalid, "the command holds bytes that are no text", "take out NUL and what is not UTF-8")
	}
	return nil
}

// keeping wraps a command line so that the shell says in a file where it ended.
//
// The line is one quoted word for eval, so that nothing in it (a comment, an
// open heredoc, a syntax error, a last backslash) reaches what is around it, and
// a trap says it, so that exit and "set -e" do not get past. The file is named
// and not a descriptor, which the line might use for its own, and its children
// would inherit. ">|" writes also under noclobber, "command" past a function pwd.
// After exec there is no shell left to say it. A line with a trap of its own may
// replace that one: then it is said behind the line too, the status kept.
func keeping(line, file string) string {
	save := "{ " + pwd + " >|" + quoted(file) + " || :; } >/dev/null 2>&1"
	script := "trap " + quoted(save) + " EXIT; eval " + quoted(line)
	if strings.Contains(line, "trap") {
		script += "\n" + `{ set -- "$?"; ` + pwd + " >|" + quoted(file) + ` || :; set +x; } 2>/dev/null; exit "$1"`
	}
	return script
}

// quoted is text as one word of a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// start starts a script with the shell in dir; write gets what it prints.
func (t *Toolbox) start(script, dir string, write func([]byte)) (*process, error) {
	shell, err := t.findShell()
	if err != nil {
		return nil, err
	}
	mark := newMark()
	cmd := &exec.Cmd{Path: shell, Args: []string{shellName(shell), "-c", script}, Dir: dir, Env: t.environ(dir, mark)}
	t.shell.guard.start(shell)
	p, err := startProcess(cmd, mark, write)
	switch {
	case errors.Is(err, syscall.E2BIG):
		return nil, plumbing.Fail(plumbing.ErrInvalid, "the command is too long for the system", "write a script and run that")
	case err != nil:
		return nil, fmt.Errorf("start the shell: %w", err)
	}
	p.release = t.shell.guard.hold(p.tree)
	return p, nil
}

// shells are the names of those that take lines as permission.Line reads them,
// or the part of them that is POSIX. zsh and fish read them otherwise, so that
// what was judged would not be what runs.
func shells() []string { return []string{"bash", "sh", "dash", "ash"} }

func shellName(path string) string {
	return strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
}

// findShell finds Options.Shell where it is one of shells, else bash, else sh.
func (t *Toolbox) findShell() (string, error) {
	try := []string{"bash", "/bin/bash", "sh", "/bin/sh"}
	if runtime.GOOS == "windows" {
		try = []string{"bash"}
	}
	if slices.Contains(shells(), shellName(t.o.Shell)) {
		try = slices.Insert(try, 0, t.o.Shell)
	}
	for _, name := range try {
		if path := t.program(name); path != "" {
			return path, nil
		}
	}
	return "", plumbing.Fail(plumbing.ErrRefused, "there is no shell that runs command lines", "tell the user to install bash, on Windows with Git, and to put it on the PATH")
}

// program is the path of a program: on the PATH of Options.Env, absolute folders
// only, where its name is a bare one. "": there is none.
func (t *Toolbox) program(name string) string {
	var try []string
	switch {
	case filepath.IsAbs(name):
		try = []string{name}
	case filepath.Base(name) == name:
		for _, dir := range filepath.SplitList(value(t.o.Env, "PATH")) {
			if filepath.IsAbs(dir) {
				try = append(try, filepath.Join(dir, name))
			}
		}
	}
	for _, path := range try {
		if runnable(path) {
			return path
		}
		if runtime.GOOS == "windows" && runnable(path+".exe") {
			return path + ".exe"
		}
	}
	return ""
}

func runnable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && canRun(path, info)
}

// own are the variables that whatever a model starts has, and no Env changes.
// LECODE_READONLY is the guard of design section 7; the rest keeps programs from
// asking questions and from colouring.
func own() []string {
	return []string{"LECODE_READONLY=1", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "PAGER=cat", "TERM=dumb", "NO_COLOR=1"}
}

// markName is the variable that what a command starts is found by.
const markName = "LECODE_COMMAND"

// environ is the environment of a command. OLDPWD is that of another shell.
func (t *Toolbox) environ(dir, mark string) []string {
	set := append(own(), "PWD="+dir, markName+"="+mark)
	var all []string
	for _, v := range t.o.Env {
		if name, _, ok := strings.Cut(v, "="); ok && name != "" && !sameName(name, "OLDPWD") &&
			!slices.ContainsFunc(set, func(s string) bool { return hasName(s, name) }) {
			all = append(all, v)
		}
	}
	return append(all, set...)
}

// value is that of a variable, the last where it is there several times.
func value(env []string, name string) string {
	for _, v := range slices.Backward(env) {
		if hasName(v, name) {
			return v[len(name)+1:]
		}
	}
	return ""
}

func hasName(v, name string) bool {
	n, _, ok := strings.Cut(v, "=")
	return ok && sameName(n, name)
}

// sameName compares the names of variables as the system does.
func sameName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
