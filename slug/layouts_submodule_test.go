package slug

// notMain: git's list of worktrees begins with the git dir of an absorbed submodule.
const notMain = "git lists the git dir under modules"

// superproject makes sup with the submodule sub, cloned from sub0.
func superproject(w *world) {
	w.repo("sub0")
	w.repo("sup")
	w.run("sup", "submodule", "--quiet", "add", "../sub0", "sub")
	w.run("sup", "commit", "-q", "-m", "s")
}

func submoduleLayouts() []layout {
	return []layout{
		{
			name: "submodule and its worktree",
			build: func(w *world) {
				superproject(w)
				w.run("sup/sub", "worktree", "add", "-q", "../../subw")
			},
			kind: KindSubmodule, root: "sup/sub", otherMain: notMain,
			asks: []ask{
				{from: "sup/sub/a", checkout: "sup/sub"}, {from: "subw/a", checkout: "subw"},
				{from: "sup/.git/modules/sub/refs", checkout: "sup/sub", goGit: "sup"},
			},
		}, {
			name: "superproject", build: superproject,
			kind: KindCheckout, root: "sup",
			asks: []ask{{from: "sup/a", checkout: "sup"}, {from: "sup/.git/modules", checkout: "sup"}},
		}, {
			name: "submodule whose name is not its path",
			build: func(w *world) {
				w.repo("sub0")
				w.repo("sup")
				w.run("sup", "submodule", "--quiet", "add", "--name", "modules/x/y", "../sub0", "deep/er/sub")
				w.run("sup", "commit", "-q", "-m", "s")
				w.run("sup", "worktree", "add", "-q", "../supw")
				w.run("supw", "submodule", "--quiet", "update", "--init")
			},
			kind: KindSubmodule, root: "sup/deep/er/sub", otherMain: notMain,
			asks: []ask{{from: "sup/deep/er/sub/a", checkout: "sup/deep/er/sub"}, {from: "supw/deep/er/sub/a", checkout: "supw/deep/er/sub"}},
		}, {
			name: "submodule with its git dir in place",
			build: func(w *world) {
				inPlace(w)
				w.run("old/sub", "worktree", "add", "-q", "../../subw")
			},
			kind: KindSubmodule, root: "old/sub",
			asks: []ask{{from: "old/sub/a", checkout: "old/sub"}, {from: "old/sub/.git", checkout: "old/sub"}, {from: "subw", checkout: "subw"}},
		}, {
			name: "submodule with its git dir in place, in a linked worktree",
			build: func(w *world) {
				inPlace(w)
				w.run("old", "worktree", "add", "-q", "../oldw")
				w.remove("oldw/sub")
				w.run(".", "clone", "-q", "sub0", "oldw/sub")
			},
			kind: KindSubmodule, root: "old/sub", otherMain: "git takes the clone for a repository of its own",
			asks: []ask{{from: "oldw/sub/a", checkout: "oldw/sub"}},
		}, {
			name:  "repository inside another that does not name it",
			build: func(w *world) { inPlace(w); w.repo("old/other") },
			kind:  KindCheckout, root: "old/other",
			asks: []ask{{from: "old/other/a", checkout: "old/other"}},
		}, {
			name: "submodule in a linked worktree",
			build: func(w *world) {
				superproject(w)
				w.run("sup", "worktree", "add", "-q", "../supw")
				w.run("supw", "submodule", "--quiet", "update", "--init")
				w.run("supw/sub", "worktree", "add", "-q", "../../subw")
			},
			kind: KindSubmodule, root: "sup/sub", otherMain: notMain,
			asks: []ask{
				{from: "supw/sub/a", checkout: "supw/sub"}, {from: "sup/sub/a", checkout: "sup/sub"}, {from: "subw/a", checkout: "subw"},
			},
		}, {
			name: "submodule in a linked worktree alone",
			build: func(w *world) {
				superproject(w)
				w.run("sup", "worktree", "add", "-q", "../supw")
				w.run("supw", "submodule", "--quiet", "update", "--init")
				w.remove("sup/sub")
			},
			kind: KindSubmodule, root: "sup/sub", otherMain: notMain,
			asks: []ask{{from: "supw/sub/a", checkout: "supw/sub"}},
		}, {
			name: "nested submodule",
			build: func(w *world) {
				nested(w)
				w.run("sup", "worktree", "add", "-q", "../supw")
				w.run("supw", "submodule", "--quiet", "update", "--init", "--recursive")
			},
			kind: KindSubmodule, root: "sup/sub/ss", otherMain: notMain,
			asks: []ask{{from: "sup/sub/ss/a", checkout: "sup/sub/ss"}, {from: "supw/sub/ss/a", checkout: "supw/sub/ss"}},
		}, {
			name: "submodule in a worktree of a bare repository",
			build: func(w *world) {
				superproject(w)
				w.run(".", "clone", "-q", "--bare", "sup", "b.git")
				for _, name := range []string{"bw", "bx"} {
					w.run("b.git", "worktree", "add", "-q", "../"+name, "-b", name)
					w.run("b.git", "config", "submodule.sub.url", w.path("sub0"))
					w.run(name, "submodule", "--quiet", "update", "--init")
				}
			},
			kind: KindSubmodule, root: "b.git/sub", otherMain: notMain,
			asks: []ask{{from: "bw/sub/a", checkout: "bw/sub"}, {from: "bx/sub/a", checkout: "bx/sub"}},
		}, {
			name: "submodule of a separate git dir",
			build: func(w *world) {
				w.repo("sub0")
				w.repo("sup", "--separate-git-dir", "../sep.gd")
				w.run("sup", "submodule", "--quiet", "add", "../sub0", "sub")
			},
			kind: KindSubmodule, root: "sup/sub", otherMain: notMain,
			asks: []ask{{from: "sup/sub/a", checkout: "sup/sub"}},
		}, {
			// The text of a path proves nothing (case G9).
			name: "folders that are named like Git's",
			build: func(w *world) {
				w.repo("x/worktrees/modules/r")
				w.repo("y/.git.d/modules/r")
			},
			kind: KindCheckout, root: "x/worktrees/modules/r",
			asks: []ask{{from: "x/worktrees/modules/r/a", checkout: "x/worktrees/modules/r"}},
		},
	}
}

// inPlace makes old with the submodule sub, whose git dir is old/sub/.git as Git once made them.
func inPlace(w *world) {
	w.repo("sub0")
	w.repo("old")
	w.run(".", "clone", "-q", "sub0", "old/sub")
	w.run("old", "submodule", "--quiet", "add", "./sub", "sub")
	w.run("old", "commit", "-q", "-m", "s")
}

// nested makes sup with the submodule sub, which has the submodule ss.
func nested(w *world) {
	w.repo("ss0")
	w.repo("sub0")
	w.run("sub0", "submodule", "--quiet", "add", "../ss0", "ss")
	w.run("sub0", "commit", "-q", "-m", "s")
	w.repo("sup")
	w.run("sup", "submodule", "--quiet", "add", "../sub0", "sub")
	w.run("sup", "submodule", "--quiet", "update", "--init", "--recursive")
	w.run("sup", "commit", "-q", "-m", "s")
}
