package permission

import (
	"slices"
	"strings"
)

// forms are other words for a command, for settings that ask or deny: git in
// "sudo /usr/bin/git -C x push" is "git push" as well.
func forms(via, words []string) [][]string {
	var out [][]string
	add := func(form []string) {
		if len(form) > 0 && !slices.Equal(form, words) && !slices.ContainsFunc(out, func(o []string) bool { return slices.Equal(o, form) }) {
			out = append(out, form)
		}
	}
	if len(via) > 0 {
		add(slices.Concat(via, words))
	}
	if len(words) == 0 {
		return out
	}
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	add(append([]string{name}, words[1:]...))
	add(append([]string{name}, afterFlags(name, words[1:])...))
	return out
}

// afterFlags skips the flags before a subcommand.
func afterFlags(name string, words []string) []string {
	valued := map[string][]string{
		"git":       {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"},
		"go":        {"-C"},
		"docker":    {"-H", "--host", "-c", "--context", "--config", "-l", "--log-level"},
		"kubectl":   {"-n", "--namespace", "--context", "--cluster", "--kubeconfig", "-s", "--server", "--user"},
		"npm":       {"--prefix", "-C", "-w", "--workspace"},
		"pnpm":      {"-C", "--dir", "--filter", "-F"},
		"yarn":      {"--cwd"},
		"cargo":     {"-C", "-Z", "--config", "--color"},
		"make":      {"-C", "-f", "-I", "-j"},
		"terraform": {},
	}[name]
	for len(words) > 0 && (strings.HasPrefix(words[0], "-") || name == "cargo" && strings.HasPrefix(words[0], "+")) {
		if contains(valued, words[0]) && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	return words
}
