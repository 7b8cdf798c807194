package permission

import (
	"slices"
	"strings"
)

// likeness is how far commands of a program are alike.
type likeness struct {
	words int // that they share; 0: all of them
	// project: what it runs is the project's own code, so that flags add nothing.
	// Of the others, flags have to be the same too.
	project bool
	// kept: the words alone, with any flags, may be kept in settings.
	kept bool
}

// likenessOf goes by a table of programs and subcommands whose operands only say
// with what it is done. Whatever is not in it, such as what takes away, sends, or
// runs what its words name, is alike to nothing but itself.
func likenessOf(words []string) likeness {
	if len(words) < 2 || slices.ContainsFunc(words[1:], runsProgram) {
		return likeness{}
	}
	sub := words[1]
	if words[0] == "make" {
		if isTarget(sub) {
			return likeness{words: 2, project: true, kept: true}
		}
		return likeness{}
	}
	project := map[string][]string{
		"go":    {"test"},
		"npm":   {"test"},
		"pnpm":  {"test"},
		"yarn":  {"test"},
		"cargo": {"build", "check", "test", "bench"},
	}
	two := map[string][]string{
		"git":    {"add", "commit"},
		"docker": {"ps", "images", "logs", "inspect"},
		"pip":    {"show"},
	}
	three := map[string][]string{
		"gh":      {"pr view", "pr list", "pr diff", "pr checks", "pr status", "issue view", "issue list", "issue status", "run view", "run list", "release view", "release list", "repo view"},
		"kubectl": {"get pods", "get pod", "get deployments", "get services", "describe pod", "describe deployment"},
	}
	switch {
	case contains(project[words[0]], sub):
		return likeness{words: 2, project: true, kept: true}
	case contains(two[words[0]], sub):
		return likeness{words: 2, kept: true}
	case words[0] == "go" && contains([]string{"build", "vet", "list", "doc", "version"}, sub):
		return likeness{words: 2} // some of their flags run programs
	case len(words) > 2 && contains(three[words[0]], sub+" "+words[2]):
		return likeness{words: 3, kept: true}
	}
	return likeness{}
}

// runsProgram: a flag that names a program to run, or a variable of make that does.
func runsProgram(word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	return word != name && contains([]string{"exec", "toolexec", "vettool", "config", "overlay", "modfile", "SHELL", "MAKEFLAGS", "script-shell", "node-options"}, name)
}

// isTarget: a plain name of a target of make.
func isTarget(word string) bool {
	for i, r := range word {
		if !(r >= 'a' && r <= 'z' || i > 0 && (r >= '0' && r <= '9' || strings.ContainsRune("-_:", r))) {
			return false
		}
	}
	return word != ""
}

// flagsOf are the words that may be flags, in the order of the alphabet.
func flagsOf(words []string) []string {
	var list []string
	for _, word := range words {
		if strings.HasPrefix(word, "-") {
			list = append(list, word)
		}
	}
	slices.Sort(list)
	return list
}
