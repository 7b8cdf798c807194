//go:build unix

package slug

import (
	"os"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// victim makes a project with memory worth stealing, its worktree, and what
// the attacker's folders may lie in.
func victim(w *world) {
	w.repo("vic")
	w.run("vic", "worktree", "add", "-q", "../vicw")
	w.mkdir("evil")
}

// A planted .git must not adopt another project's memory (threat A22), and one
// that cannot be used is never "outside Git", also inside another repository.
func TestUnusable(t *testing.T) {
	tests := []struct {
		name  string
		build func(w *world)
		kind  error
		names string // what the message names, in the world
	}{
		{"garbage", func(w *world) { w.write("evil/.git", "garbage\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"empty file", func(w *world) { w.write("evil/.git", "") }, plumbing.ErrCorrupt, "evil/.git"},
		{"no path", func(w *world) { w.write("evil/.git", "gitdir: \n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a NUL in the path", func(w *world) { w.write("evil/.git", "gitdir: a\x00b\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a BOM", func(w *world) { w.write("evil/.git", "\ufeffgitdir: ../vic/.git\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"100 KB", func(w *world) { w.write("evil/.git", "gitdir: "+string(make([]byte, 100_000))) }, plumbing.ErrCorrupt, "evil/.git"},
		{"a path of 60,000 bytes", func(w *world) { w.write("evil/.git", "gitdir: "+longPath) }, plumbing.ErrCorrupt, "evil/.git"},
		{"pointing nowhere", func(w *world) { w.write("evil/.git", "gitdir: /nope/x\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"pointing nowhere inside a checkout", func(w *world) { w.link("../vic/evil", "evil/x"); w.write("vic/evil/.git", "gitdir: /nope/x\n") }, plumbing.ErrCorrupt, "vic/evil/.git"},
		{"pointing at itself", func(w *world) { w.write("evil/.git", "gitdir: .git\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"pointing at an empty folder", func(w *world) { w.mkdir("evil/e"); w.write("evil/.git", "gitdir: e\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a link to nothing", func(w *world) { w.link("nope", "evil/.git") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a link to itself", func(w *world) { w.link(".git", "evil/.git") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a FIFO", func(w *world) { mkfifo(w, "evil/.git") }, plumbing.ErrCorrupt, "evil/.git"},
		{"a folder of something else", func(w *world) { w.write("evil/.git/x", "") }, plumbing.ErrCorrupt, "evil/.git"},
		{"HEAD empty", func(w *world) { w.repo("evil"); w.write("evil/.git/HEAD", "") }, plumbing.ErrCorrupt, "evil/.git"},
		{"HEAD garbage", func(w *world) { w.repo("evil"); w.write("evil/.git/HEAD", "ref: x") }, plumbing.ErrCorrupt, "evil/.git"},
		{"HEAD a FIFO", func(w *world) { w.repo("evil"); w.remove("evil/.git/HEAD"); mkfifo(w, "evil/.git/HEAD") }, plumbing.ErrCorrupt, "evil/.git"},
		{"objects gone", func(w *world) { w.repo("evil"); w.remove("evil/.git/objects") }, plumbing.ErrCorrupt, "evil/.git"},
		{"refs gone", func(w *world) { w.repo("evil"); w.remove("evil/.git/refs") }, plumbing.ErrCorrupt, "evil/.git"},
		{"config a folder", func(w *world) { w.repo("evil"); w.remove("evil/.git/config"); w.mkdir("evil/.git/config") }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"config a FIFO", func(w *world) { w.repo("evil"); w.remove("evil/.git/config"); mkfifo(w, "evil/.git/config") }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"commondir empty", func(w *world) { w.repo("evil"); w.write("evil/.git/commondir", "\n") }, plumbing.ErrCorrupt, "commondir"},
		{"commondir to nothing", func(w *world) { w.repo("evil"); w.write("evil/.git/commondir", "/nope\n") }, plumbing.ErrCorrupt, "evil/.git"},
		{"worktree pruned", func(w *world) {
			w.rename("vicw", "evil/w")
			w.remove("vic/.git/worktrees")
			w.rename("evil/w/.git", "evil/.git")
		}, plumbing.ErrCorrupt, "evil/.git"},
		{"main checkout moved by hand", func(w *world) { w.rename("vic", "vic2"); w.remove("evil"); w.rename("vicw", "evil") }, plumbing.ErrCorrupt, "evil/.git"},

		{"planted: a git dir", func(w *world) { w.write("evil/.git", "gitdir: ../vic/.git\n") }, plumbing.ErrRefused, "evil/.git"},
		{"planted: a worktree's git dir", func(w *world) { w.write("evil/.git", "gitdir: "+w.path("vic/.git/worktrees/vicw")) }, plumbing.ErrRefused, "evil/.git"},
		{"planted: a bare repository", func(w *world) {
			w.run(".", "clone", "-q", "--bare", "vic", "b.git")
			w.write("evil/.git", "gitdir: ../b.git\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"planted: a git dir that knows its checkout", func(w *world) {
			w.repo("s", "--separate-git-dir", "../sep.gd")
			w.run("s", "config", "core.worktree", w.path("s"))
			w.write("evil/.git", "gitdir: ../sep.gd\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"planted: a submodule's git dir", func(w *world) {
			superproject(w)
			w.write("evil/.git", "gitdir: ../sup/.git/modules/sub\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"planted: a hard link to a worktree's .git", func(w *world) { hardlink(w, "vicw/.git", "evil/.git") }, plumbing.ErrRefused, "evil/.git"},
		{"planted: a link to a worktree's .git", func(w *world) { w.link("../vicw/.git", "evil/.git") }, plumbing.ErrRefused, "evil/.git"},
		{"planted: a link to a git dir", func(w *world) { w.link("../vic/.git", "evil/.git") }, plumbing.ErrRefused, "evil/.git"},
		{"planted: a folder with commondir", func(w *world) {
			w.write("evil/.git/HEAD", "ref: refs/heads/main\n")
			w.write("evil/.git/commondir", w.path("vic/.git")+"\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"planted: a folder with commondir and gitdir", func(w *world) {
			w.repo("evil")
			w.write("evil/.git/commondir", w.path("vic/.git")+"\n")
			w.write("evil/.git/gitdir", w.path("evil/.git")+"\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"planted: a bare one with commondir", func(w *world) {
			w.write("evil/HEAD", "ref: refs/heads/main\n")
			w.write("evil/commondir", w.path("vic/.git")+"\n")
		}, plumbing.ErrRefused, "evil"},
		{"planted: a git dir of its own with worktrees", func(w *world) {
			w.repo("own")
			w.write("own/.git/worktrees/evil/HEAD", "ref: refs/heads/main\n")
			w.write("own/.git/worktrees/evil/commondir", w.path("vic/.git")+"\n")
			w.write("own/.git/worktrees/evil/gitdir", w.path("evil/.git")+"\n")
			w.write("evil/.git", "gitdir: ../own/.git/worktrees/evil\n")
		}, plumbing.ErrRefused, "own/.git/worktrees/evil"},
		{"planted: core.worktree", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.worktree", w.path("vic")) }, plumbing.ErrRefused, "vic"},
		{"planted: core.worktree of a bare one", func(w *world) {
			w.run(".", "init", "-q", "--bare", "evil")
			w.append("evil/config", "[core]\nbare = false\nworktree = ../vic\n")
		}, plumbing.ErrRefused, "vic"},
		{"planted: core.worktree is a worktree", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.worktree", w.path("vicw")) }, plumbing.ErrRefused, "vicw"},
		{"a worktree's git dir that names another file", func(w *world) {
			w.write("vic/.git/worktrees/vicw/gitdir", w.path("evil/git")+"\n")
			w.write("evil/.git", "gitdir: ../vic/.git/worktrees/vicw\n")
		}, plumbing.ErrRefused, "evil/.git"},
		{"worktree moved by hand", func(w *world) { w.remove("evil"); w.rename("vicw", "evil") }, plumbing.ErrRefused, "evil/.git"},
		{"worktree copied by hand", func(w *world) { w.write("evil/.git", "gitdir: "+w.path("vic/.git/worktrees/vicw")+"\n") }, plumbing.ErrRefused, "evil/.git"},

		{"core.worktree to nothing", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.worktree", "/nope") }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"core.worktree empty", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.worktree", "") }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"core.worktree a file", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.worktree", w.path("evil/a/b/f")) }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"core.bare neither true nor false", func(w *world) { w.repo("evil"); w.run("evil", "config", "core.bare", "maybe") }, plumbing.ErrCorrupt, "evil/.git/config"},
		{"config garbage", func(w *world) { w.repo("evil"); w.write("evil/.git/config", "[core\n") }, plumbing.ErrCorrupt, "evil/.git/config"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			victim(w)
			tt.build(w)
			from := "evil"
			if _, err := os.Stat(w.path("evil/x")); err == nil {
				from = "evil/x"
			}
			_, err := w.find(from)
			mustFail(t, err, tt.kind, tt.names)
			if tt.kind == plumbing.ErrRefused && tt.names == "evil/.git" {
				mustHint(t, err, "git worktree repair")
			}
		})
	}
}

// longPath goes through names of 200 bytes.
var longPath = func() string {
	b := make([]byte, 60_000)
	for i := range b {
		if b[i] = 'x'; i%200 == 0 {
			b[i] = '/'
		}
	}
	return string(b)
}()

func mkfifo(w *world, name string) {
	w.t.Helper()
	if err := syscall.Mkfifo(w.path(name), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func hardlink(w *world, from, to string) {
	w.t.Helper()
	if err := os.Link(w.path(from), w.path(to)); err != nil {
		w.t.Fatal(err)
	}
}

// One that is not there is no repository, and a .git further up that cannot
// be used does not concern the repository that was found first.
func TestSkipped(t *testing.T) {
	w := newWorld(t)
	w.write("up/.git", "garbage")
	w.repo("up/r")
	if p, err := w.find("up/r/a"); err != nil || p.Root != w.path("up/r") {
		t.Errorf("%+v, %v", p, err)
	}
	w.mkdir("files/objects")
	w.mkdir("files/refs")
	w.write("files/HEAD", "not a head\n")
	if p, err := w.find("files"); err != nil || p.Kind != KindDirectory {
		t.Errorf("a folder that only looks like a git dir: %+v, %v", p, err)
	}
}
