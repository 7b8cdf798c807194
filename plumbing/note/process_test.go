package note

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lecode/lecode/plumbing/file"
)

// A test that needs other processes runs this test program again, with the job in the environment.
const jobVariable = "NOTE_TEST_JOB"

func TestMain(m *testing.M) {
	if job := os.Getenv(jobVariable); job != "" {
		os.Exit(child(strings.Fields(job)))
	}
	os.Exit(m.Run())
}

// child does a job: its name, the directory, a number of its own, how often.
func child(job []string) int {
	s := NewStore(options(job[1]))
	times, _ := strconv.Atoi(job[3])
	for i := range times {
		var err error
		switch job[0] {
		case "append":
			_, err = s.Write(ctx, s.Today(), fmt.Sprintf("line %d of %s", i, job[2]), Append)
		case "replace":
			_, err = s.Write(ctx, Memory, whole(i), Replace)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(i)
	}
	return 0
}

// whole is a text that shows whether it is all there.
func whole(i int) string {
	return fmt.Sprintf("begin %d\n%send %d\n", i, strings.Repeat("x", 300_000), i)
}

func start(t testing.TB, out *bytes.Buffer, job ...any) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	c := exec.Command(self)
	c.Env = append(os.Environ(), jobVariable+"="+strings.TrimSpace(fmt.Sprintln(job...)))
	c.Stdout, c.Stderr = out, out
	must(t, c.Start())
	return c
}

// Eight processes that append to one daily log lose nothing (N2); 200 times each with LECODE_TORTURE=1.
func TestEightProcesses(t *testing.T) {
	times := 25
	if os.Getenv("LECODE_TORTURE") == "1" {
		times = 200
	}
	f := newFixture(t)
	var all []*exec.Cmd
	out := make([]bytes.Buffer, 8)
	for i := range out {
		all = append(all, start(t, &out[i], "append", f.dir, i, times))
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %s", err, &out[i])
		}
	}
	n, err := f.Read(ctx, f.Today())
	must(t, err)
	lines := strings.Split(strings.TrimSuffix(n.Text, "\n"), "\n")
	slices.Sort(lines)
	if len(lines) != 8*times || len(slices.Compact(lines)) != 8*times {
		t.Errorf("%d lines, want %d", len(lines), 8*times)
	}
	// The backup is never older than one write.
	b, err := os.ReadFile(f.path(f.Today() + ".bak"))
	if err != nil || int64(strings.Count(string(b), "\n")) != int64(8*times)-1 || !strings.HasPrefix(n.Text, string(b)) {
		t.Errorf("the backup has %d lines, %v", strings.Count(string(b), "\n"), err)
	}
	if list := f.names(); len(list) != 3 {
		t.Errorf("left over: %v", list)
	}
}

// Killed anywhere, a writer leaves one whole text and one whole backup (N1).
func TestKilledAnywhere(t *testing.T) {
	f := newFixture(t)
	for round := range 6 {
		var out bytes.Buffer
		c := start(t, &out, "replace", f.dir, 0, 1000)
		// However long the start takes, the kill comes in the midst of a write.
		f.await(round)
		must(t, c.Process.Kill())
		c.Wait()
		for _, name := range []string{Memory, Memory + ".bak"} {
			b, err := os.ReadFile(f.path(name))
			if err != nil && name != Memory {
				continue
			}
			must(t, err)
			var i int
			if _, err := fmt.Sscanf(string(b), "begin %d\n", &i); err != nil || string(b) != whole(i) {
				t.Fatalf("%s is not whole: %.40q… of %d bytes, %v", name, b, len(b), err)
			}
		}
		for _, left := range f.names() {
			if left != Memory && left != Memory+".bak" && !strings.HasPrefix(filepath.Base(left), file.TempPrefix) {
				t.Errorf("left over: %s", left)
			}
		}
	}
	if _, err := f.Write(ctx, Memory, "after", Replace); err != nil {
		t.Error(err)
	}
}

// await returns once a new text has come a few times more.
func (f *fixture) await(times int) {
	f.t.Helper()
	seen := map[string]bool{}
	for deadline := time.Now().Add(20 * time.Second); len(seen) <= times%4+1; {
		if info, err := os.Stat(f.path(Memory)); err == nil {
			seen[info.ModTime().String()] = true
		}
		if time.Now().After(deadline) {
			f.t.Fatal("the writer does not get on")
		}
	}
}
