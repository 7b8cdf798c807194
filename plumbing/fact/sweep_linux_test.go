package fact

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lecode/lecode/plumbing"
)

// strideVariable makes the sweep finer: 1 tries every write, not one in 29.
const strideVariable = "FACT_TEST_STRIDE"

// A process that makes, corrects and forgets a fact in a new folder is killed
// at, or refused, each call by which it changes the disk. Whatever it told is
// there, at most one step more is, the database is whole, and the next process
// goes on.
func TestEverySystemCall(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: the sweep over system calls is not run")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not here: the sweep over system calls is not run")
	}
	stride, err := strconv.Atoi(os.Getenv(strideVariable))
	if err != nil {
		stride = 29
	}
	faults := []string{"signal=KILL", "error=EIO", "error=ENOSPC"}
	if raceEnabled { // the processes are slow then, and each is alone
		faults = faults[:1]
	}
	for _, fault := range faults {
		for _, call := range []string{"mkdirat", "renameat", "ftruncate", "unlink", "fsync", "pwrite64", "write"} {
			if call == "unlink" && fault == "error=ENOSPC" || stride > 1 && fault != "signal=KILL" && (call == "mkdirat" || call == "write") {
				continue
			}
			step := 1
			if call == "pwrite64" {
				step = stride
			}
			if call == "fsync" {
				step = min(stride, 2)
			}
			t.Run(call+" "+fault, func(t *testing.T) { sweep(t, call, fault, step) })
		}
	}
}

func sweep(t *testing.T, call, fault string, step int) {
	for n := 1; ; n += step {
		dir := t.TempDir()
		told, injected := faulty(t, dir, fmt.Sprintf("%s:%s:when=%d", call, fault, n))
		if !injected {
			if n == 1 {
				t.Errorf("%s is never called", call)
			}
			return
		}
		f := &fixture{NewStore(options(dir, &fake{})), t, &fake{}, dir}
		if state := stateOf(t, f.Store); state != told && state != told+1 {
			t.Errorf("%d: told %d, found %d", n, told, state)
		}
		f.sound()
		f.remember("afterwards", ref("after", 1))
		must(t, f.Close())
	}
}

// faulty runs the three steps under one fault and counts the steps that were told to be done.
func faulty(t *testing.T, dir, inject string) (told int, injected bool) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	log := filepath.Join(t.TempDir(), "strace")
	c := exec.Command("strace", "-f", "-qq", "-o", log, "-e", "signal=none", "-e", "trace="+inject[:strings.Index(inject, ":")],
		"-e", "inject="+inject, self)
	c.Env = append(os.Environ(), "GOMAXPROCS=1", jobVariable+"=mutate "+dir+" 0 3")
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		injected = true // strace ends by the signal that it sent
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 && strings.HasSuffix(line, "\n") {
			told++
		}
	}
	b, err := os.ReadFile(log)
	must(t, err)
	return told, injected || strings.Contains(string(b), "INJECTED")
}

// stateOf tells how many of the three steps a database has seen.
func stateOf(t *testing.T, s *Store) int {
	t.Helper()
	id, err := ID("fact 0 of 0", ref("s0", 1))
	must(t, err)
	g, err := s.Generation()
	must(t, err)
	f, err := s.Get(ctx, id)
	if err != nil && !errors.Is(err, plumbing.ErrNotFound) {
		t.Fatal(err)
	}
	excluded, err := s.ExcludedSeqs(ctx, "s0")
	must(t, err)
	state := len(f.Revisions)
	if g == 1 {
		state += 3
	}
	if (len(excluded) > 0) != (g == 1) || state > 3 {
		t.Errorf("half a step: generation %d, %d revisions, excluded %v", g, len(f.Revisions), excluded)
	}
	return state
}
