//go:build unix

package fact

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nobody = 65534

// asOther runs a job as a user who is not root: root may write everywhere.
func asOther(t *testing.T, dir string, job ...string) map[string]string {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	c := exec.Command(self)
	if os.Getuid() == 0 {
		// The test program lies in a folder of root's.
		program := filepath.Join(dir, "fact.test")
		b, err := os.ReadFile(self)
		must(t, err)
		must(t, os.WriteFile(program, b, 0o755))
		c = exec.Command(program)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	c.Dir = dir
	c.Env = append(os.Environ(), jobVariable+"="+strings.Join(job, " "))
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var said map[string]string
	must(t, json.Unmarshal(out, &said))
	return said
}

// foreignDir is a folder that another user can reach.
func foreignDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "fact-rights-")
	must(t, err)
	t.Cleanup(func() {
		filepath.Walk(dir, func(p string, info os.FileInfo, err error) error { os.Chmod(p, 0o700); return nil })
		os.RemoveAll(dir)
	})
	must(t, os.Chmod(dir, 0o755))
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		if info, err := os.Stat(up); err != nil || info.Mode().Perm()&0o001 == 0 {
			t.Skipf("%s cannot be reached by another user: the tests of permissions are not run", up)
		}
	}
	return dir
}

// give hands the whole memory to the other user.
func give(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	must(t, filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(p, nobody, nobody)
	}))
}

var (
	allReads  = []string{"check", "count", "excluded", "exclusions", "forgot at", "generation", "get", "is excluded", "list", "newest", "search", "view"}
	allWrites = []string{"correct", "forget", "raise", "remember"}
)

// Reads of what cannot be written work and leave nothing behind; writes are refused and name the path.
func TestFolderThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(dir, folder, path string){
		"folder and file": func(_, folder, path string) { os.Chmod(path, 0o444); os.Chmod(folder, 0o555) },
		"folder":          func(_, folder, _ string) { os.Chmod(folder, 0o555) },
		"file":            func(_, _, path string) { os.Chmod(path, 0o444) },
		"no lock": func(_, folder, path string) {
			os.Remove(filepath.Join(folder, "facts.lock"))
			os.Chmod(folder, 0o555)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := foreignDir(t)
			f := &fixture{NewStore(options(dir, &fake{})), t, &fake{}, dir}
			id := f.remember("x", ref("other", 1)).ID
			must(t, f.Close())
			give(t, filepath.Join(dir, "memory"))
			spoil(dir, f.folder(), f.path())
			before, files := sum(t, f.path()), tree(t, f.folder())
			said := asOther(t, dir, "ask", dir, "0", "0", id)
			if d := cmp.Diff(allReads, verbs(said, "done")); d != "" {
				t.Error(d, said)
			}
			refused := verbs(said, "refused: no permission for \""+dir)
			if name == "no lock" {
				refused = slices.DeleteFunc(refused, func(v string) bool { return v == "attach" })
			} else if said["attach"] != "conflict" { // other evidence is there: nothing to write
				t.Error(said["attach"])
			}
			if d := cmp.Diff(allWrites, refused); d != "" {
				t.Error(d, said)
			}
			if sum(t, f.path()) != before || tree(t, f.folder()) != files {
				t.Errorf("something changed:\n%s\n%s", files, tree(t, f.folder()))
			}
		})
	}
}

// What cannot be read is refused by name, and is not taken for nothing.
func TestFileThatCannotBeRead(t *testing.T) {
	for name, spoil := range map[string]func(folder, path string){
		"file":   func(_, path string) { os.Chmod(path, 0) },
		"folder": func(folder, _ string) { os.Chmod(folder, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := foreignDir(t)
			f := &fixture{NewStore(options(dir, &fake{})), t, &fake{}, dir}
			id := f.remember("x", ref("other", 1)).ID
			must(t, f.Close())
			give(t, filepath.Join(dir, "memory"))
			spoil(f.folder(), f.path())
			said := asOther(t, dir, "ask", dir, "0", "0", id)
			if got := verbs(said, "refused: no permission for \""+dir); len(got) != len(said) {
				t.Error(said)
			}
		})
	}
}

// A cut-off write that the reader may not undo: he is told, and gets no answer.
func TestHotJournalThatCannotBeUndone(t *testing.T) {
	dir := foreignDir(t)
	f := &fixture{NewStore(options(dir, &fake{})), t, &fake{}, dir}
	const id = unknown
	c, out, stderr := start(t, "cut", dir, 0, 0)
	if line, err := out.ReadString('\n'); err != nil {
		t.Fatal(line, err, stderr)
	}
	must(t, c.Process.Kill())
	c.Wait()
	give(t, filepath.Join(dir, "memory"))
	must(t, os.Chmod(f.path(), 0o444))
	must(t, os.Chmod(f.folder(), 0o555))
	before, files := sum(t, f.path()), tree(t, f.folder())
	said := asOther(t, dir, "ask", dir, "0", "0", id)
	if got := verbs(said, "refused: "); len(got) != len(said) {
		t.Error(said)
	}
	if got := said["generation"]; !strings.Contains(got, "cut off") || !strings.Contains(got, f.path()) {
		t.Error(got)
	}
	if sum(t, f.path()) != before || tree(t, f.folder()) != files {
		t.Errorf("something changed:\n%s\n%s", files, tree(t, f.folder()))
	}
	must(t, os.Chmod(f.folder(), 0o755))
	must(t, os.Chmod(f.path(), 0o644))
	if os.Getuid() == 0 {
		must(t, os.Chown(f.path(), 0, 0))
	}
	if n, err := f.Count(ctx); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	must(t, f.Close())
}
