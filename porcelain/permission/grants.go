package permission

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Grants are what a person allowed for as long as the agent runs. The zero
// value is ready, nil holds nothing, and it may be used by several goroutines.
type Grants struct {
	mu   sync.Mutex
	keys map[string]bool
}

// Add allows what n does, and what is alike:
//   - commands with the same program and subcommand, where a table says that
//     their operands matter no more, with the same flags, or with any where
//     they run the project's own code (go test, make lint); else the same words;
//     the same command line only, where the program runs what its words say
//     (shells, interpreters, sudo, env, xargs, ssh and such), takes things away,
//     or is not known in full; nothing that Guard is said of;
//   - the same tool, for the same host where n names one;
//   - files in the same folder outside the workspace, to be read only if n only reads.
func (g *Grants) Add(n Need) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.keys == nil {
		g.keys = map[string]bool{}
	}
	for _, it := range (Rules{}).items(n) {
		g.keys[it.key] = true
	}
	if n.strongest() != Read {
		for _, path := range n.Outside {
			g.keys[pathKey(path, Read)] = true
		}
	}
}

func (g *Grants) has(key string) bool {
	if g == nil || key == "" {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.keys[key]
}

// key joins what cannot hold a NUL.
func key(parts ...string) string { return strings.Join(parts, "\x00") }

func toolKey(n Need) string {
	if len(n.Commands) > 0 {
		return key("line", n.Tool, n.Commands[0].Line)
	}
	return key("tool", n.Tool, n.Host)
}

// commandKey is what a command has in common with those alike.
func commandKey(c Command) string {
	if !c.Known || c.Cut || len(c.Words) == 0 || isExact(c.Words[0]) { // behind a cut may stand flags
		return key("line", commandTool, c.Line)
	}
	switch like := likenessOf(c.Words); {
	case like.project:
		return key("command", strings.Join(c.Words[:like.words], "\x00"))
	case like.words > 0:
		return key("flags", strings.Join(slices.Concat(c.Words[:like.words], flagsOf(c.Words[like.words:])), "\x00"))
	}
	return key("words", strings.Join(c.Words, "\x00"))
}

// isExact: programs that run what their words say, or take things away.
func isExact(word string) bool {
	name := word[strings.LastIndexByte(word, '/')+1:]
	return runsText(name) || contains([]string{"find", "sed", "rm", "rmdir", "mv", "cp", "dd", "chmod", "chown", "ln", "tee", "truncate", "shred", "kill", "pkill", "killall", "install", "unlink",
		"mkfs", "mount", "umount", "mapfile", "hash", "pushd", "popd", "curl", "wget", "nc", "scp", "rsync", "lecode"}, name)
}

// runsText: programs that run what their words or their input say.
func runsText(name string) bool {
	if _, ok := wrapping(name); ok || isShell(name) {
		return true
	}
	for _, s := range []string{"python", "perl", "ruby", "node", "php", "lua", "pypy"} {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return contains([]string{"env", "eval", "trap", "ssh", "source", ".", "awk", "gawk", "mawk", "deno", "bun", "tclsh", "osascript", "ghci", "R", "Rscript", "julia", "expect", "crontab", "at", "batch",
		"npx", "pnpx", "bunx", "uvx", "pipx", "alias", "export", "set", "shopt", "enable", "unset", "declare"}, name)
}

// pathKey is the folder of a path outside, or the path itself where it is a
// folder. A hidden file stands for itself alone, as one in the root does: a home
// folder is full of them, and they have nothing in common.
func pathKey(path string, class Class) string {
	what := "read"
	if class != Read {
		what = "change"
	}
	folder := filepath.Dir(path)
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		folder = path
	} else if strings.HasPrefix(filepath.Base(path), ".") || folder == filepath.Dir(folder) {
		return key("path", what, path)
	}
	return key("folder", what, folder)
}

// Keep says which line of [permissions] in the project's config.toml stands for
// what Grants.Add allows; false where none can say it without allowing more.
func Keep(n Need) (key, value string, ok bool) {
	if len(n.Outside) > 0 || n.Host != "" || n.Tool == "" || n.Tool == commandTool && len(n.Commands) == 0 {
		return "", "", false
	}
	if len(n.Commands) == 0 {
		return n.Tool, string(Allow), isKeyWord(n.Tool)
	}
	for _, c := range n.Commands {
		if c.Class == Read {
			continue
		}
		like := likenessOf(c.Words)
		if !c.Known || c.Guard || c.Cut || !like.kept || isExact(c.Words[0]) {
			return "", "", false
		}
		words := c.Words[:like.words]
		k := commandTool + ":" + strings.Join(words, " ")
		if key != "" && k != key || slices.ContainsFunc(words, func(word string) bool { return !isKeyWord(word) }) {
			return "", "", false
		}
		key = k
	}
	return key, string(Allow), key != ""
}

// isKeyWord: config takes it within a key of [permissions].
func isKeyWord(word string) bool {
	return word != "" && len(word) <= 100 && strings.IndexFunc(word, func(r rune) bool {
		return r <= ' ' || !unicode.IsGraphic(r) || strings.ContainsRune("*?$;&|\"'\\`(){}", r)
	}) < 0
}
