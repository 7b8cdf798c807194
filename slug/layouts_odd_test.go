package slug

import "os"

func oddLayouts() []layout {
	return []layout{
		{
			name: "core.worktree",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("tree/sub")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "core.worktree", w.path("tree"))
			},
			kind: KindCheckout, root: "tree", otherMain: "git lists the folder of .git",
			asks: []ask{{from: "r/a", checkout: "tree", goGit: "r"}, {from: "r/.git", checkout: "tree", goGit: "r"}, {from: "wt/a", checkout: "wt"}},
		}, {
			name: "core.worktree, relative to the git dir",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("tree")
				w.run("r", "config", "core.worktree", "../../tree")
			},
			kind: KindCheckout, root: "tree", otherMain: "git lists the folder of .git",
			asks: []ask{{from: "r/a", checkout: "tree", goGit: "r"}},
		}, {
			name: "core.worktree through a link",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("deep/tree")
				w.link("deep/tree", "link")
				w.run("r", "config", "core.worktree", "../../link/../tree/.")
			},
			kind: KindCheckout, root: "deep/tree", otherMain: "git lists the folder of .git",
			asks: []ask{{from: "r/a", checkout: "deep/tree", goGit: "r"}},
		}, {
			name: "core.worktree beside core.bare, which Git takes for bare",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("tree")
				w.run("r", "config", "core.worktree", w.path("tree"))
				w.run("r", "config", "core.bare", "true")
			},
			kind: KindBare, root: "r/.git", otherMain: "git lists its folder",
			asks: []ask{{from: "r/a"}},
		}, {
			name: "core.worktree in config.worktree",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("tree")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "extensions.worktreeConfig", "true")
				w.run("r", "config", "--worktree", "core.worktree", w.path("tree"))
			},
			kind: KindCheckout, root: "tree", otherMain: "git lists the folder of .git",
			asks: []ask{{from: "r/a", checkout: "tree", goGit: noGoGit}, {from: "wt/a", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "core.worktree in a linked worktree's config.worktree",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("tree")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "extensions.worktreeConfig", "true")
				w.run("wt", "config", "--worktree", "core.worktree", w.path("tree"))
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt/a", checkout: "tree", goGit: noGoGit}},
		}, {
			name: "config.worktree without its extension",
			build: func(w *world) {
				w.repo("r")
				w.write("r/.git/config.worktree", "[core]\n\tworktree = /nope\n")
				w.run("r", "config", "extensions.worktreeConfig", "false")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}},
		}, {
			name: "extensions.worktreeConfig",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "extensions.worktreeConfig", "true")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "extensions.worktreeConfig with format version 1",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "core.repositoryformatversion", "1")
				w.run("r", "config", "extensions.worktreeConfig", "true")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "worktree of a bare repository with extensions.worktreeConfig set by hand",
			build: func(w *world) {
				w.repo("m")
				w.run(".", "clone", "-q", "--bare", "m", "b.git")
				w.run("b.git", "worktree", "add", "-q", "../wt", "-b", "z")
				w.run("b.git", "config", "extensions.worktreeConfig", "true")
			},
			kind: KindBare, root: "b.git",
			asks: []ask{{from: "b.git"}, {from: "wt/a", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "objects named by SHA-256",
			build: func(w *world) {
				w.repo("r", "--object-format=sha256")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "checkout", "-q", "--detach")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt/a", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "refs in a reftable", // by hand: this Git may not know it
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "core.repositoryformatversion", "1")
				w.run("r", "config", "extensions.refStorage", "reftable")
				w.remove("r/.git/refs/heads")
				w.mkdir("r/.git/reftable")
				w.write("r/.git/HEAD", "ref: refs/heads/.invalid\n")
				w.write("r/.git/refs/heads", "x\n")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt/a", checkout: "wt", goGit: noGoGit}},
		}, {
			name: "an extension that nobody knows",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "config", "core.repositoryformatversion", "1")
				w.run("r", "config", "extensions.madeUp", "true")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}},
		}, {
			name: "an empty .git folder inside a checkout",
			build: func(w *world) {
				w.repo("r")
				w.mkdir("r/x/.git")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/x", checkout: "r", goGit: noGoGit}},
		}, {
			name: ".git file with CRLF",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.write("wt/.git", "gitdir: "+w.path("r/.git/worktrees/wt")+"\r\n")
				w.write("r/.git/worktrees/wt/commondir", "../..\r\n")
				w.write("r/.git/worktrees/wt/gitdir", w.path("wt/.git")+"\r\n")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "wt/a", checkout: "wt"}},
		}, {
			name: "links on the way", // case G8
			build: func(w *world) {
				w.repo("real")
				w.run("real", "worktree", "add", "-q", "../wt")
				w.link("real", "link")
				w.link("wt/a", "inwt")
				w.link("real/a", "in")
				w.write("wt/.git", "gitdir: "+w.path("link/.git/worktrees/wt")+"\n")
			},
			kind: KindCheckout, root: "real",
			asks: []ask{
				{from: "link", checkout: "real"}, {from: "in/b", checkout: "real", goGit: noGoGit}, {from: "wt/a", checkout: "wt"},
				{from: "inwt/b", checkout: "wt", goGit: noGoGit}, {from: "inwt/../a", checkout: "wt", goGit: noGoGit},
			},
		}, {
			name: "a worktree's .git is a link to the file",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.rename("wt/.git", "gitfile")
				w.link("../gitfile", "wt/.git")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "wt/a", checkout: "wt", goGit: noGoGit}},
		}, {
			name: ".git is a link to a git dir that cannot point back",
			build: func(w *world) {
				w.repo("r")
				w.rename("r/.git", "store.gd")
				w.link("../store.gd", "r/.git")
				w.run("r", "worktree", "add", "-q", "../wt")
			},
			kind: KindCheckout, root: "store.gd",
			asks: []ask{{from: "r/a", checkout: "r", goGit: noGoGit}, {from: "wt/a", checkout: "wt"}},
		}, {
			name: "HEAD is a link",
			build: func(w *world) {
				w.repo("r")
				w.remove("r/.git/HEAD")
				w.link("refs/heads/main", "r/.git/HEAD")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r"}},
		}, {
			name: "ownership",
			build: func(w *world) {
				w.repo("r")
				if os.Getuid() == 0 { // only root can give files away; the answer must not depend on it
					os.Chown(w.path("r"), 12345, 12345)
					os.Chown(w.path("r/.git"), 12345, 12345)
				}
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r"}},
		}, {
			name:  "a name in Chinese, a name with a newline",
			build: func(w *world) { w.repo("桌面 资料\n/-rf") },
			kind:  KindCheckout, root: "桌面 资料\n/-rf",
			asks: []ask{{from: "桌面 资料\n/-rf/a", checkout: "桌面 资料\n/-rf"}},
		},
	}
}
