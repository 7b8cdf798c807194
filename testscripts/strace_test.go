//go:build linux

package testscripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// strace makes a system call of the program fail, or kills it there.
type strace struct {
	calls string // as in "pwrite64", or "renameat,renameat2"
	how   string // as in "error=EIO" or "signal=KILL"
	when  int    // the nth one, from 1
}

// needStrace skips a test where programs cannot be traced.
func needStrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("1 case skipped: strace is not installed")
	}
	if out, err := exec.Command("strace", "-f", "-qq", "-o", filepath.Join(t.TempDir(), "log"), "true").CombinedOutput(); err != nil {
		t.Skipf("1 case skipped: strace is not permitted here: %s", out)
	}
}

// under runs a shell line whose every `lecode` is traced; it reports whether the fault came to pass.
func (m *machine) under(s strace, line string) (r result, injected bool) {
	m.t.Helper()
	log := filepath.Join(m.work, "strace.log")
	if err := os.RemoveAll(log); err != nil {
		m.t.Fatal(err)
	}
	program := fmt.Sprintf("strace -f -qq -o %s -e trace=%s -e inject=%s:%s:when=%d %s", log, s.calls, s.calls, s.how, s.when, filepath.Join(bin, "lecode"))
	m.env["GOMAXPROCS"] = "1" // `when` counts for each thread by itself
	defer delete(m.env, "GOMAXPROCS")
	r = m.sh("", "lecode() { "+program+` "$@"; }; `+line)
	b, err := os.ReadFile(log)
	if err != nil {
		m.t.Fatalf("%s: no trace: %v\n%s", line, err, r.err)
	}
	// A call at which the program is killed is never reported as injected.
	return r, strings.Contains(string(b), "INJECTED") || strings.Contains(string(b), "killed by SIGKILL")
}

// TestFailedFsync: what could not be made durable is not acknowledged and is cut off again.
func TestFailedFsync(t *testing.T) {
	t.Parallel()
	needStrace(t)
	m := newMachine(t)
	m.prepare(false)
	before := m.must("", "log", "--raw", "s1")
	r, injected := m.under(strace{"fsync", "error=EIO", 1}, writes["append"])
	if !injected {
		t.Fatal("append made no fsync")
	}
	m.refused("append", r, "input/output error")
	if r.out != "" {
		t.Errorf("acknowledged: %s", r.out)
	}
	if now := m.must("", "log", "--raw", "s1"); now != before {
		t.Error("the log was not cut back")
	}
	if got := acknowledged(m.sh("", writes["append"]).out); len(got) != 1 || got[0] != 3 {
		t.Errorf("the next append got %v, want 3", got)
	}
	m.sound("s1", []int64{1, 2, 3})
}

// TestFailedCalls is one case each of what TestFaultSweep tries at every place.
func TestFailedCalls(t *testing.T) {
	t.Parallel()
	needStrace(t)
	for _, c := range []struct {
		name string
		strace
	}{
		{"append", strace{"pwrite64", "error=ENOSPC", 1}}, {"append", strace{"renameat,renameat2,linkat", "error=EIO", 1}},
		{"append", strace{"fsync", "signal=KILL", 1}}, {"compact", strace{"fsync", "error=EIO", 1}}, {"compact", strace{"pwrite64", "signal=KILL", 1}},
	} {
		s := c.strace
		t.Run(c.name+" "+s.calls+" "+s.how, func(t *testing.T) {
			m := newMachine(t)
			m.prepare(false)
			if s.calls == "renameat,renameat2,linkat" { // an index is made anew
				if err := os.RemoveAll(filepath.Join(m.work, "cache")); err != nil {
					t.Fatal(err)
				}
			}
			if !m.survives(c.name, s) {
				t.Error("nothing was injected")
			}
		})
	}
}

// survives runs a command of writes with one fault; whatever the command
// answers, all that was acknowledged has to be there, and all goes on.
func (m *machine) survives(name string, s strace) (injected bool) {
	m.t.Helper()
	r, injected := m.under(s, writes[name])
	what := fmt.Sprintf("%s with %s:%s at call %d", name, s.calls, s.how, s.when)
	killed := strings.HasPrefix(s.how, "signal")
	if r.code == 70 || strings.Contains(r.err, "panic") {
		m.t.Errorf("%s is a defect: %s", what, r.err)
	}
	// A failed write may be the one to stderr.
	if !killed && s.calls != "write" && r.code != 0 && strings.Count(r.err, "\n") != 1 {
		m.t.Errorf("%s: exit code %d with %q", what, r.code, r.err)
	}
	if r.code == 0 && r.out == "" && s.calls != "write" {
		m.t.Errorf("%s: done, and nothing is said", what)
	}
	m.sound("s1", append([]int64{1, 2}, acknowledged(r.out)...))
	if left := m.leftovers(); len(left) > 0 && !killed && s.calls != "unlinkat" {
		m.t.Errorf("%s leaves %v", what, left)
	}
	// Done or not, doing it again works; only a session of that ID, or the summary, may be there by now.
	once := name == "new-session" || name == "compact"
	if again := m.sh("", writes[name]); again.code != 0 && (!once || again.code == 70) {
		m.t.Errorf("%s: again: exit code %d, %s", what, again.code, again.err)
	}
	if name == "note write" {
		m.wholeNote(what, r.code == 0)
	}
	facts := m.lecode("", "facts")
	if facts.code != 0 {
		m.t.Errorf("%s: facts: exit code %d, %s", what, facts.code, facts.err)
	}
	if n := strings.Count(m.must("", "log", "--raw", "s3"), `"type":"compact"`); name == "compact" && n != 1 {
		m.t.Errorf("%s: %d summaries", what, n)
	}
	if name == "remember" && strings.Count(facts.out, "A new fact.") != 1 {
		m.t.Errorf("%s: facts: %s", what, facts.out)
	}
	return injected
}

// TestFaultSweep lets each system call of each writing command fail, and kills
// the command there: the first, the second, and so on until there is none.
func TestFaultSweep(t *testing.T) {
	t.Parallel()
	if os.Getenv("LECODE_TORTURE") != "1" {
		t.Skip("the full sweep runs with LECODE_TORTURE=1")
	}
	needStrace(t)
	for name := range writes {
		for _, calls := range []string{
			"write", "pwrite64", "fsync", "renameat,renameat2,linkat", "ftruncate", "unlinkat", "mkdirat", "flock", "fchmod", "pread64", "openat",
		} {
			for _, how := range []string{"error=EIO", "error=ENOSPC", "signal=KILL"} {
				t.Run(name+" "+calls+" "+how, func(t *testing.T) {
					for n := 1; !t.Failed(); n++ {
						m := newMachine(t)
						m.prepare(n%2 == 0)
						if !m.survives(name, strace{calls, how, n}) {
							return
						}
					}
				})
			}
		}
	}
}
