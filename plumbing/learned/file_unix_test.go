//go:build unix

package learned

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestHoldsFIFO: a pipe in the place of the file is not waited for.
func TestHoldsFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := (Checkout{Dir: dir}).holds(Observation{Path: "pipe", Line: "x"}); s != nil {
		t.Errorf("%q", *s)
	}
}
