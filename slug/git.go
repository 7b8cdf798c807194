package slug

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/plumbing"
)

// errNoGit: there is no git to ask.
var errNoGit = errors.New("git is not on the PATH")

// askGit has Git read a configuration file that go-git cannot. Git gets an
// empty environment and no repository, so that nothing but the file counts
// and nothing of the repository is run.
func (f *finder) askGit(path string, sections []string) ([]entry, error) {
	git := f.lookGit()
	if git == "" {
		return nil, &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: errNoGit,
			Message: quote(path) + " cannot be read", Hint: "repair it, or install git, which may be able to read it"}
	}
	cmd := exec.CommandContext(f.ctx, git, "config", "--file", path, "--list", "--null")
	cmd.Env = []string{"GIT_DIR=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "LC_ALL=C"}
	out, err := cmd.Output()
	if f.ctx.Err() != nil {
		return nil, f.ctx.Err()
	}
	if err != nil {
		return nil, &plumbing.Error{Kind: plumbing.ErrCorrupt, Cause: err,
			Message: quote(path) + " cannot be read, not even by git", Hint: "repair it; `git config --list` names the line"}
	}
	return parseList(string(out), sections), nil
}

// parseList reads the output of git config --list --null: "key\nvalue\0", or "key\0" for a key without "=".
func parseList(out string, sections []string) []entry {
	var entries []entry
	for item := range strings.SplitSeq(out, "\x00") {
		key, value, set := strings.Cut(item, "\n")
		section, _, _ := strings.Cut(key, ".")
		if within(section, sections) {
			entries = append(entries, entry{key: key, value: value, bare: !set})
		}
	}
	return entries
}

// lookGit finds git on the PATH, in absolute folders only; empty where it is not.
func (f *finder) lookGit() string {
	for _, dir := range filepath.SplitList(f.getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if git, err := exec.LookPath(filepath.Join(dir, "git")); err == nil {
			return git
		}
	}
	return ""
}
