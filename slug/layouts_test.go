package slug

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/google/go-cmp/cmp"
)

// layout is one way in which Git lies about on a disk, and the project that
// every folder of it belongs to (design section 3; go-facts section 2). Paths
// are relative to the world.
type layout struct {
	name  string
	build func(w *world)
	kind  string
	root  string
	asks  []ask
	// otherMain says why git's own list of worktrees does not begin with the root.
	otherMain string
}

// ask is a folder to ask from and the checkout that it lies in.
type ask struct {
	from     string
	checkout string // empty: null
	goGit    string // what go-git's PlainOpen says where it is not the checkout: noGoGit, or a folder
	env      []string
}

// noGoGit: go-git cannot open it.
const noGoGit = "-"

func TestLayouts(t *testing.T) {
	for _, l := range append(append(plainLayouts(), submoduleLayouts()...), oddLayouts()...) {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			l.build(w)
			for _, a := range l.asks {
				t.Run(a.from, func(t *testing.T) { checkAsk(t, w, l, a) })
			}
		})
	}
}

func checkAsk(t *testing.T, w *world, l layout, a ask) {
	env := expand(w, a.env)
	got, err := w.find(a.from, env...)
	if err != nil {
		t.Fatal(err)
	}
	want := Project{Kind: l.kind, Root: w.path(l.root), Slug: Of(w.path(l.root)), Via: ViaWalk}
	if a.checkout != "" {
		checkout := w.path(a.checkout)
		want.Checkout = &checkout
	}
	if len(env) > 0 && strings.HasPrefix(env[0], "GIT_DIR=") {
		want.Via = ViaGitDir
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("Find (-want +got):\n%s", diff)
	}
	compareGit(t, w, l, a, env)
	compareGoGit(t, w, a)
}

// expand puts the world's folder where an environment says "W/".
func expand(w *world, env []string) []string {
	out := make([]string, len(env))
	for i, e := range env {
		out[i] = strings.ReplaceAll(e, "W/", w.dir+"/")
	}
	return out
}

// compareGit holds the answer against git's own, where git gives one: this
// checkout's root, and the main checkout's, with which its list of worktrees begins.
func compareGit(t *testing.T, w *world, l layout, a ask, env []string) {
	if top, ok := w.ask(a.from, env, "rev-parse", "--show-toplevel"); ok && top != "" {
		if a.checkout == "" || filepath.FromSlash(top) != w.path(a.checkout) {
			t.Errorf("git says that the checkout is %q, not %q", top, a.checkout)
		}
	}
	list, ok := w.ask(a.from, env, "worktree", "list", "--porcelain", "-z")
	if !ok || l.kind == KindDirectory {
		return
	}
	main, _, _ := strings.Cut(strings.TrimPrefix(list, "worktree "), "\x00")
	if same := filepath.FromSlash(main) == w.path(l.root); same != (l.otherMain == "") {
		t.Errorf("git says that the main checkout is %q, and the root is %q; otherMain is %q", main, l.root, l.otherMain)
	}
}

// compareGoGit holds the checkout against go-git's PlainOpen, and PlainOpen
// against what is known of it: it knows no main checkout, so it can only
// confirm this one.
func compareGoGit(t *testing.T, w *world, a ask) {
	if len(a.env) > 0 {
		return // go-git does not look at the environment
	}
	want := a.checkout
	if a.goGit != "" {
		want = a.goGit
	}
	if want == "" {
		return // nothing to confirm
	}
	got := noGoGit
	r, err := git.PlainOpenWithOptions(w.path(a.from), &git.PlainOpenOptions{DetectDotGit: true, EnableDotGitCommonDir: true})
	if err == nil {
		if tree, err := r.Worktree(); err == nil {
			got = tree.Filesystem.Root()
		}
	}
	if want != noGoGit {
		want = w.path(want)
	}
	if got != want {
		t.Errorf("go-git says %q, want %q", got, want)
	}
}

func plainLayouts() []layout {
	return []layout{
		{
			name:  "main checkout",
			build: func(w *world) { w.repo("r") },
			kind:  KindCheckout, root: "r",
			asks: []ask{
				{from: "r", checkout: "r"}, {from: "r/a/b", checkout: "r"},
				{from: "r/.git", checkout: "r"}, {from: "r/.git/refs/heads", checkout: "r"},
			},
		}, {
			name:  "without a commit",
			build: func(w *world) { w.mkdir("r/a"); w.run("r", "init", "-q") },
			kind:  KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r"}},
		}, {
			name:  "detached HEAD",
			build: func(w *world) { w.repo("r"); w.run("r", "checkout", "-q", "--detach") },
			kind:  KindCheckout, root: "r",
			asks: []ask{{from: "r/a", checkout: "r"}},
		}, {
			name: "linked worktree",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "worktree", "add", "-q", ".worktrees/f")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{
				{from: "wt", checkout: "wt"}, {from: "wt/a/b", checkout: "wt"}, {from: "r/a", checkout: "r"},
				{from: "r/.worktrees/f/a", checkout: "r/.worktrees/f"}, {from: "r/.worktrees", checkout: "r"},
				{from: "r/.git/worktrees/wt", checkout: "wt", goGit: "r"},
			},
		}, {
			name: "linked worktree with relative links",
			build: func(w *world) {
				w.repo("p/r")
				w.run("p/r", "worktree", "add", "-q", "../wt")
				w.write("p/wt/.git", "gitdir: ../r/.git/worktrees/wt\n")
				w.write("p/r/.git/worktrees/wt/gitdir", "../../../../wt/.git\n")
				w.run("p/r", "config", "core.repositoryformatversion", "1")
				w.append("p/r/.git/config", "[extensions]\nrelativeWorktrees = true\n")
				w.rename("p", "moved")
			},
			kind: KindCheckout, root: "moved/r",
			asks: []ask{{from: "moved/wt/a", checkout: "moved/wt", goGit: noGoGit}, {from: "moved/r", checkout: "moved/r", goGit: noGoGit}},
		}, {
			name: "linked worktree moved and repaired",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.rename("wt", "wt2")
				w.run("r", "worktree", "repair", "../wt2")
			},
			kind: KindCheckout, root: "r",
			asks: []ask{{from: "wt2/a", checkout: "wt2"}},
		}, {
			name: "main checkout moved and repaired",
			build: func(w *world) {
				w.repo("r")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.rename("r", "r2")
				w.run("r2", "worktree", "repair")
			},
			kind: KindCheckout, root: "r2",
			asks: []ask{{from: "wt/a", checkout: "wt"}, {from: "r2", checkout: "r2"}},
		}, {
			name: "bare repository and its worktrees",
			build: func(w *world) {
				w.repo("m")
				w.run(".", "clone", "-q", "--bare", "m", "b.git")
				w.run("b.git", "worktree", "add", "-q", "../dev", "-b", "dev")
			},
			kind: KindBare, root: "b.git",
			asks: []ask{{from: "b.git"}, {from: "b.git/refs"}, {from: "dev", checkout: "dev"}, {from: "dev/a/b", checkout: "dev"}},
		}, {
			name: "bare repository in a folder of its worktrees",
			build: func(w *world) {
				w.repo("m")
				w.run(".", "clone", "-q", "--bare", "m", "P/.bare")
				w.run("P/.bare", "worktree", "add", "-q", "../dev", "-b", "dev")
			},
			kind: KindBare, root: "P/.bare",
			asks: []ask{{from: "P/.bare"}, {from: "P/dev/a/b", checkout: "P/dev"}},
		}, {
			name: "bare repository named .git",
			build: func(w *world) {
				w.repo("m")
				w.run(".", "clone", "-q", "--bare", "m", "x/.git")
				w.run("x/.git", "worktree", "add", "-q", "../wt", "-b", "z")
			},
			kind: KindBare, root: "x/.git", otherMain: "git lists its folder, x",
			asks: []ask{{from: "x"}, {from: "x/.git/refs"}, {from: "x/wt/a", checkout: "x/wt"}},
		}, {
			name: "bare repository that does not say so",
			build: func(w *world) {
				w.run(".", "init", "-q", "--bare", "b.git")
				w.run("b.git", "config", "--unset", "core.bare")
			},
			kind: KindBare, root: "b.git",
			asks: []ask{{from: "b.git/refs"}},
		}, {
			name: "separate git dir",
			build: func(w *world) {
				w.repo("r", "--separate-git-dir", "../sep.gd")
				w.run("r", "worktree", "add", "-q", "../wt")
			},
			kind: KindCheckout, root: "sep.gd",
			asks: []ask{{from: "r/a", checkout: "r"}, {from: "wt/a", checkout: "wt"}, {from: "sep.gd/refs"}},
		}, {
			name: "separate git dir that knows its checkout",
			build: func(w *world) {
				w.repo("r", "--separate-git-dir", "../sep.gd")
				w.run("r", "worktree", "add", "-q", "../wt")
				w.run("r", "config", "core.worktree", "../r")
			},
			kind: KindCheckout, root: "r", otherMain: "git lists the git dir",
			asks: []ask{{from: "r/a", checkout: "r"}, {from: "wt/a", checkout: "wt"}, {from: "sep.gd/refs", checkout: "r", goGit: noGoGit}},
		}, {
			name:  "outside Git",
			build: func(w *world) { w.mkdir("p/q") },
			kind:  KindDirectory, root: "p/q",
			asks: []ask{{from: "p/q", checkout: "p/q", goGit: noGoGit}},
		},
	}
}
