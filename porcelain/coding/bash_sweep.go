package coding

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// The private folder is tempPrefix, the number of the process that owns it, "-"
// and a random part. The owner holds a lock on a file in it.
const (
	tempPrefix = "lecode-shell-"
	ownerName  = "owner"
)

// Bounds of a sweep.
const (
	maxSwept   = 16   // folders that are removed
	maxListing = 4096 // names that are looked at
)

// sweep removes private folders whose owner was killed before it could: those
// whose process is gone and whose lock nobody holds, which counts too where
// numbers of processes say nothing, as between containers that share top.
func sweep(top string) {
	d, err := os.Open(top)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxListing)
	swept := 0
	for _, name := range names {
		if swept == maxSwept {
			return
		}
		if pid := ownerOf(name); pid > 0 && gone(pid) && sweepOne(filepath.Join(top, name)) {
			swept++
		}
	}
}

// ownerOf is the process that a private folder's name gives, 0 where it is no such name.
func ownerOf(name string) int {
	rest, ok := strings.CutPrefix(name, tempPrefix)
	number, _, random := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(number)
	if !ok || !random || err != nil || pid <= 0 {
		return 0
	}
	return pid
}

// sweepOne removes a folder that is this user's own and that nobody holds.
func sweepOne(dir string) bool {
	path := filepath.Join(dir, ownerName)
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !owned(info) {
		return false
	}
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	lock := flock.New(path)
	held, err := lock.TryLock()
	lock.Close() // whose owner is gone nobody takes again
	return err == nil && held && os.RemoveAll(dir) == nil
}
