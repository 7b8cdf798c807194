package permission

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// assign is one assignment: for one program where it stands before its words.
func (w *walker) assign(a *syntax.Assign, exported bool) {
	if a.Name == nil {
		if a.Value != nil {
			w.within(a.Value)
		}
		return
	}
	if !syntax.ValidName(a.Name.Value) { // the parser lets other words pass, which are programs
		w.doubt(shown(a.Name.Value) + " is no name of a variable")
	}
	w.index(a.Index)
	if exported {
		w.exported(a.Name.Value)
	} else {
		w.named(a.Name.Value)
	}
	if a.Index != nil {
		w.within(a.Index)
	}
	if a.Value != nil {
		w.within(a.Value)
	}
	if a.Array == nil {
		return
	}
	for _, e := range a.Array.Elems {
		w.index(e.Index)
		if e.Index != nil {
			w.within(e.Index)
		}
		if e.Value != nil {
			w.expand([]*syntax.Word{e.Value})
		}
	}
}

// named is a variable of the shell that is set.
func (w *walker) named(name string) {
	w.guarded = w.guarded || isGuard(name)
	if isMeaning(name) && !isHarmless(name) {
		w.spoil("it sets " + shown(name) + ", which changes what commands do")
	}
}

// exported is a variable that programs see: any name with capitals may matter to one.
func (w *walker) exported(name string) {
	w.guarded = w.guarded || isGuard(name)
	if !isHarmless(name) && (isMeaning(name) || strings.ToLower(name) != name) {
		w.spoil("it sets " + shown(name) + ", which may change what programs do")
	}
}

// declare is declare, local, export, readonly, typeset or nameref.
func (w *walker) declare(c *syntax.DeclClause) {
	kind := c.Variant.Value
	exports := kind == "export"
	for _, a := range c.Args {
		if a.Naked && a.Name == nil {
			flags := a.Value.Lit()
			w.within(a.Value)
			w.guarded = w.guarded || !w.one(a.Value).fixed() // it may be any name
			if !isDeclareFlags(flags) {
				w.doubt(shown(kind) + " gets words that it may evaluate")
			}
			exports = exports || strings.ContainsRune(flags, 'x')
		}
	}
	if kind == "nameref" || len(c.Args) == 0 || allNaked(c.Args) && !namesOne(c.Args) {
		w.doubt(shown(kind) + " without names shows all variables, which may hold secrets")
	}
	for _, a := range c.Args {
		if a.Name == nil {
			continue
		}
		w.assign(a, exports)
		w.loose = w.loose || exports && !isHarmless(a.Name.Value)
	}
}

// isDeclareFlags: flags without i (values are calculated), n (names are values), f, F and p (shows).
func isDeclareFlags(s string) bool {
	return len(s) > 1 && (s[0] == '-' || s[0] == '+') && strings.Trim(s[1:], "aAgrxlut") == "" || s == "--"
}

func allNaked(args []*syntax.Assign) bool {
	return !slices.ContainsFunc(args, func(a *syntax.Assign) bool { return !a.Naked })
}

func namesOne(args []*syntax.Assign) bool {
	return slices.ContainsFunc(args, func(a *syntax.Assign) bool { return a.Name != nil })
}

// isMeaning: the shell, the loader or a program of the readers does other
// things for another value.
func isMeaning(name string) bool {
	for _, s := range []string{"PATH", "IFS", "ENV", "CDPATH", "GLOBIGNORE", "EXECIGNORE", "FIGNORE", "HOME", "PWD", "OLDPWD", "SHELLOPTS", "HISTFILE",
		"POSIXLY_CORRECT", "TMPDIR", "TMP", "TEMP", "EDITOR", "VISUAL", "MAGIC", "TZDIR", "LV", "EMAIL", "PREFIX", "CC", "CXX", "FC", "AR",
		"HOSTALIASES", "LOCALDOMAIN", "GETCONF_DIR", "LOCPATH", "NLSPATH", "GLIBC_TUNABLES", "JQ_COLORS", "SHELL", "MAILPATH", "MAIL", "INPUTRC"} {
		if name == s {
			return true
		}
	}
	for _, s := range []string{"BASH", "LD_", "DYLD_", "GIT_", "GO", "CGO_", "GCONV", "MALLOC_", "GREP_", "RIPGREP_", "LESS", "XDG_", "SSH_", "PS",
		"PROMPT_", "PKG_", "TERMINFO", "RES_", "PYTHON", "NODE_", "PERL", "RUBY", "JAVA_", "JDK_", "npm_", "LECODE_", "_RJEM", "OPENSSL_", "SSL_"} {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	upper := strings.ToUpper(name)
	return strings.HasSuffix(upper, "_PROXY") || strings.HasSuffix(upper, "PAGER") || strings.HasSuffix(upper, "_EDITOR")
}

// isHarmless: a program may get it and still does what its words say.
func isHarmless(name string) bool {
	return contains([]string{"LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES", "CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE",
		"GOOS", "GOARCH", "CGO_ENABLED", "GOMAXPROCS", "DEBUG", "VERBOSE", "RUST_BACKTRACE"}, name) ||
		strings.HasPrefix(name, "LC_")
}

// isSecret goes by names as environments have them, in capitals.
func isSecret(name string) bool {
	for _, s := range []string{"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE", "DATABASE_URL"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}
