package slug

import (
	"os"
	"testing"
)

// BenchmarkFind is the whole search in one process. The yardstick is the two
// system calls without which nothing can be found, for each folder on the way.
func BenchmarkFind(b *testing.B) {
	w := newWorld(b)
	superproject(w)
	w.run("sup", "worktree", "add", "-q", "../supw")
	w.run("supw", "submodule", "--quiet", "update", "--init")
	w.mkdir("plain/a/b")
	for _, from := range []string{"sup", "sup/a/b", "supw/a/b", "sup/sub/a/b", "supw/sub/a/b", "plain/a/b"} {
		b.Run(from, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := w.find(from); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("stat-and-read-config", func(b *testing.B) {
		for b.Loop() {
			os.Lstat(w.path("sup/.git"))
			if _, err := os.ReadFile(w.path("sup/.git/config")); err != nil {
				b.Fatal(err)
			}
		}
	})
}
