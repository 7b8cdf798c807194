//go:build unix

package coding

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// Whatever is printed, the memory is bounded, and so is what is kept.
func TestBashMuchOutput(t *testing.T) {
	b := newShell(t)
	var shownBytes int
	c := b.callOf("bash", bashArgs(`yes "a line of text" | head -c 100000000; printf '\nthe end\n'`))
	c.Progress = func(text string) { shownBytes += len(text) }
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := b.runBash(t.Context(), c)
	runtime.ReadMemStats(&after)
	if err != nil || r.IsError {
		t.Fatalf("%+v, %v", r, err)
	}
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 24<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if len(r.Text) > maxOutput+300 || !strings.HasPrefix(r.Text, "a line of text\n") || !strings.HasSuffix(r.Text, "\nthe end\n") {
		t.Errorf("%d bytes, %q … %q", len(r.Text), r.Text[:20], r.Text[len(r.Text)-20:])
	}
	_, rest, _ := strings.Cut(r.Text, "; the first 10 MiB of it are in ")
	path, _, ok := strings.Cut(rest, " …]\n")
	if info, err := os.Stat(path); !ok || err != nil || info.Size() != maxSpill || info.Mode().Perm() != 0o600 {
		t.Errorf("kept in %q: %v, %v", path, info, err)
	}
	if shownBytes > maxProgress+2*maxPiece || shownBytes < maxProgress/2 {
		t.Errorf("%d bytes of progress", shownBytes)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close: %v", err)
	}
}

// All of what was cut is in the file, and the newest files are kept.
func TestBashSpill(t *testing.T) {
	b := newShell(t)
	var first, path string
	for range maxSpills + 1 {
		r := b.run("seq 10000")
		_, rest, _ := strings.Cut(r.Text, "; all of it is in ")
		path, _, _ = strings.Cut(rest, " …]\n")
		if first == "" {
			first = path
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "1\n2\n") || !strings.HasSuffix(string(text), "\n9999\n10000\n") || strings.Count(string(text), "\n") != 10000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if _, err := os.Stat(first); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the oldest: %v", err)
	}
}

func TestBashProgress(t *testing.T) {
	b := newShell(t)
	lines := make(chan string, 100)
	c := b.callOf("bash", bashArgs("mkfifo f; echo one; read x <f; echo two"))
	c.Progress = func(text string) { lines <- text }
	done := make(chan string, 1)
	go func() {
		r, err := b.runBash(t.Context(), c)
		done <- fmt.Sprint(r.Text, err)
	}()
	if got := <-lines; got != "one\n" { // before it has ended
		t.Errorf("progress %q", got)
	}
	if err := os.WriteFile(b.path("f"), []byte("\n"), 0); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got != "one\ntwo\n<nil>" {
		t.Errorf("got %q", got)
	}
	if got := <-lines; got != "two\n" {
		t.Errorf("progress %q", got)
	}
}
