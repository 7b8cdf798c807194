package instruct

import (
	"path/filepath"
	"strings"

	"github.com/lecode/lecode/porcelain/permission"
)

// environment is what the model is told of where it works. It changes once a
// day at most as long as nothing else does, for the sake of prompt caches.
func (o Options) environment() string {
	var b strings.Builder
	b.WriteString(labelEnvironment + "\n")
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + value + "\n")
		}
	}
	name := func(s string) string {
		if s == "" {
			return ""
		}
		return inJSON(s)
	}
	if o.Now != nil {
		line("Date", o.Now().Format("2006-01-02, a Monday"))
	}
	line("System", name(o.OS))
	line("Shell", name(o.Shell))
	line("Working directory", name(o.Dir))
	line("Checkout", name(o.Checkout))
	line("Branch", name(o.branch()))
	line("Model", name(o.Model))
	if o.Mode == permission.ReadOnly {
		line("Mode", "readonly: only calls that read are allowed; say what you would change")
	}
	return b.String()
}

// maxHead is the most bytes of a HEAD that is read.
const maxHead = 4 << 10

// branch is the checkout's branch, or the commit that a detached HEAD is at;
// "" where that is not plain from two small files.
func (o Options) branch() string {
	if o.Checkout == "" {
		return ""
	}
	dir := filepath.Join(o.Checkout, ".git")
	if b, _, _, err := (place{top: o.Checkout}).head(".git", maxHead); err == nil {
		to, ok := strings.CutPrefix(string(b), "gitdir: ")
		if to = strings.TrimRight(to, "\r\n"); !ok || to == "" {
			return ""
		}
		if dir = filepath.FromSlash(to); !filepath.IsAbs(dir) {
			dir = filepath.Join(o.Checkout, dir)
		}
	}
	b, _, _, err := (place{top: dir}).head("HEAD", maxHead)
	if err != nil {
		return ""
	}
	head := strings.TrimRight(string(b), "\r\n")
	if name, ok := strings.CutPrefix(head, "ref: refs/heads/"); ok {
		if name == ".invalid" { // of a repository whose refs are elsewhere (reftable)
			return ""
		}
		return name
	}
	if (len(head) == 40 || len(head) == 64) && strings.Trim(head, "0123456789abcdef") == "" {
		return "detached at " + head[:12]
	}
	return ""
}
