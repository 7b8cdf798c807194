package permission

import (
	"os"
	"path/filepath"
	"strings"
)

// Flags of git that only read, by what takes them.
const (
	gitFormat = "oneline graph all stat=? shortstat numstat dirstat=? summary name-only name-status patch no-patch raw patch-with-stat pretty=? format= abbrev-commit no-abbrev-commit abbrev=? " +
		"date= since= until= after= before= author= committer= grep= max-count= skip= reverse follow merges no-merges first-parent decorate=? no-decorate color=? no-color " +
		"pickaxe-regex pickaxe-all word-diff=? word-diff-regex= ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines unified= find-renames=? find-copies=? " +
		"no-renames diff-filter= no-ext-diff no-textconv exit-code quiet check compact-summary topo-order date-order author-date-order branches=? tags=? remotes=? left-right " +
		"cherry-pick cherry-mark boundary full-history simplify-by-decoration cached staged merge-base function-context minimal patience histogram diff-algorithm= " +
		"relative=? no-relative submodule=? ignore-submodules=? no-prefix full-index binary text root cc no-walk=? source parents children use-mailmap notes no-notes ignore-case " +
		"extended-regexp fixed-strings perl-regexp invert-grep all-match count no-pager"
	gitShort = "n:pusSiEFPwbaU:zG:S:L:qM:C:cmrtRW"
)

// git says why a command of git does more than read; paths are noted.
func (w *walker) git(args []arg) (doubt string) {
	before := w.dirs
	defer func() { w.dirs = before }()
	for len(args) > 0 {
		switch {
		case contains([]string{"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects"}, at(args, 0)):
			args = args[1:]
			continue
		case at(args, 0) == "-C" && len(args) > 1:
			to, ok := w.target(append([]arg{{text: "cd", known: true}}, args[1]), w.dirs)
			if doubt := w.reach(args[1]); doubt != "" || !ok {
				return "git runs in a folder that is not known before it runs"
			}
			w.dirs = to
			args = args[2:]
			continue
		case at(args, 0) == "--version" && len(args) == 1:
			return ""
		}
		break
	}
	if len(args) == 0 || !args[0].fixed() {
		return "git has a flag that is not among those known to only read"
	}
	if w.lost {
		return "it runs in a folder that is not known before it runs"
	}
	for _, d := range w.dirs {
		if w.isPlanted(d) {
			return "git would take its configuration from a folder that looks like a repository without a checkout"
		}
	}
	return w.gitCommand(args[0].text, args[1:])
}

// isPlanted: the nearest repository is a bare one within the workspace, which a
// checkout may hold as plain files, with a configuration that runs programs.
func (w *walker) isPlanted(dir string) bool {
	for range 64 {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return false
		}
		if exists(dir, "HEAD") && (exists(dir, "objects") && exists(dir, "refs") || exists(dir, "commondir")) {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir || !w.space.Inside(dir) {
			return false
		}
		dir = up
	}
	return true
}

func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

func (w *walker) gitCommand(name string, args []arg) string {
	spec, most := gitSpec(name)
	if most < 0 {
		return "git " + shown(name) + " is not among the commands that are known to only read"
	}
	f, ok := parseFlags(spec, args)
	if !ok {
		return "git " + shown(name) + " has a flag that is not among those known to only read"
	}
	if d := gitForm(name, f); d != "" {
		return d
	}
	if most > 0 && len(f.operands) >= most {
		return "git " + shown(name) + " with so many words does more than read"
	}
	for _, v := range f.values {
		if strings.Contains(v.text, "%G") || strings.Contains(v.text, "signature") {
			return "git checks signatures with a program"
		}
	}
	for _, a := range f.operands {
		if d := w.reach(a); d != "" {
			return d
		}
	}
	return ""
}

// gitSpec gives the flags of a command, and how many operands are too many; 0:
// any number may be, -1: it is not known to only read.
func gitSpec(name string) (flagSpec, int) {
	switch name {
	case "diff", "log", "show", "whatchanged", "diff-tree", "diff-index", "shortlog", "reflog", "rev-list":
		short := gitShort
		if name == "shortlog" {
			short = "nsec"
		}
		return flagSpec{short: short, long: gitFormat + " numbered email group=", numbers: true}, 0
	case "status":
		return flagSpec{short: "sbvu:z", long: "short branch show-stash porcelain=? long verbose untracked-files=? ignored=? ignore-submodules=? column=? no-column ahead-behind no-ahead-behind renames no-renames"}, 0
	case "blame", "annotate":
		return flagSpec{short: "L:wMCelstfn", long: "porcelain line-porcelain incremental date= show-email show-name show-number since= root abbrev= first-parent color-lines"}, 0
	case "rev-parse":
		return flagSpec{short: "q", long: "show-toplevel show-prefix show-cdup git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository " +
			"abbrev-ref=? short=? verify quiet symbolic symbolic-full-name all branches=? tags=? remotes=? show-superproject-working-tree"}, 0
	case "ls-files":
		return flagSpec{short: "cdmostzuvkx:", long: "cached deleted modified others ignored stage killed unmerged exclude= exclude-standard full-name error-unmatch eol directory abbrev=? deduplicate"}, 0
	case "ls-tree":
		return flagSpec{short: "drtlz", long: "long name-only name-status full-name full-tree abbrev=? format= object-only"}, 0
	case "describe":
		return flagSpec{long: "all tags long always abbrev= dirty=? match= exclude= contains exact-match candidates= first-parent"}, 0
	case "cat-file":
		return flagSpec{short: "tspe"}, 0
	case "merge-base":
		return flagSpec{short: "a", long: "all octopus independent is-ancestor fork-point"}, 0
	case "show-ref":
		return flagSpec{short: "qds", long: "head heads tags branches dereference hash=? verify quiet abbrev=?"}, 0
	case "for-each-ref":
		return flagSpec{long: "count= sort= format= points-at= merged= no-merged= contains= no-contains= ignore-case"}, 0
	case "name-rev", "check-ignore", "count-objects", "version":
		return flagSpec{short: "vqnH", long: "tags all name-only always verbose quiet non-matching no-index human-readable"}, 0
	case "grep": // not O: it opens a pager
		return flagSpec{short: "nilLcwvEFPGhHoqsze:A:B:C:W", long: "line-number ignore-case files-with-matches count word-regexp invert-match extended-regexp fixed-strings perl-regexp cached untracked column and or not heading break color=? max-depth= context="}, 0
	case "branch":
		return flagSpec{short: "arvq", long: "all remotes verbose list show-current merged=? no-merged=? contains=? no-contains=? points-at= sort= format= color=? no-color column=? no-column ignore-case abbrev=?"}, 0
	case "tag":
		return flagSpec{short: "ln:", long: "list merged=? no-merged=? contains=? no-contains=? points-at= sort= format= color=? column=? no-column ignore-case"}, 0
	case "remote":
		return flagSpec{short: "v", long: "verbose"}, 0
	case "stash", "worktree":
		return flagSpec{short: "pvz", long: "stat porcelain patch name-only name-status verbose"}, 0
	}
	return flagSpec{}, -1
}

// gitForm: commands that only read in some of their forms.
func gitForm(name string, f flags) string {
	first := at(f.operands, 0)
	lists := f.set["list"] || f.set["l"] || f.set["merged"] || f.set["no-merged"] || f.set["contains"] || f.set["no-contains"] || f.set["points-at"]
	ok := true
	switch name {
	case "branch", "tag":
		ok = lists || len(f.operands) == 0
	case "remote":
		ok = len(f.operands) == 0 || first == "get-url"
	case "stash":
		ok = first == "list" || first == "show"
	case "worktree":
		ok = first == "list"
	case "reflog":
		ok = len(f.operands) == 0 || first == "show"
	}
	if !ok {
		return "git " + name + " in this form is not known to only read"
	}
	return ""
}
