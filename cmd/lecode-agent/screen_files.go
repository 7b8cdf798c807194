package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/lecode/lecode/plumbing/file"
	"github.com/lecode/lecode/slug"
)

const (
	mostFiles = 20_000 // that are offered for "@"
	filesTime = 2 * time.Second
)

// files are the files that "@" offers; the first ones, where there are more than
// can be looked through in time.
func (w *wiring) files(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, filesTime)
	defer cancel()
	list, _ := w.box.Files(ctx, mostFiles) // none is an answer
	return list
}

// placeOf is the branch that is checked out, and the worktree where it is a
// linked one; "" outside Git. Nothing of the repository is run for it.
func placeOf(p slug.Project) string {
	if p.Checkout == nil {
		return ""
	}
	dir, worktree := filepath.Join(*p.Checkout, ".git"), ""
	if link, err := (file.Tree{Dir: *p.Checkout}).ReadFile(".git", 4096); err == nil {
		to, ok := strings.CutPrefix(strings.TrimSpace(string(link)), "gitdir: ")
		if !ok {
			return ""
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(*p.Checkout, to)
		}
		if dir = to; filepath.Base(filepath.Dir(to)) == "worktrees" {
			worktree = " (worktree " + filepath.Base(to) + ")"
		}
	}
	head, err := (file.Tree{Dir: dir}).ReadFile("HEAD", 4096)
	if err != nil {
		return ""
	}
	at := strings.TrimSpace(string(head))
	if branch, ok := strings.CutPrefix(at, "ref: refs/heads/"); ok {
		return branch + worktree
	}
	return at[:min(len(at), 8)] + worktree
}
