//go:build unix

package coding

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// killedDir tells TestKilledAgent that it is the agent that is killed.
const killedDir = "CODING_KILLED_DIR"

// TestKilledAgent is an agent with three commands, that waits to be killed.
func TestKilledAgent(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("only for TestKilled")
	}
	o := Options{Dir: dir, Env: []string{testPath}, Shell: os.Getenv("CODING_KILLED_SHELL"), TempDir: filepath.Join(dir, "tmp")}
	o.Workspace.Root = dir
	b := &box{Toolbox: New(o), t: t, dir: dir}
	b.run("echo done")
	wait := func(name string) string {
		return fmt.Sprintf(`mkfifo f%[1]s; { echo $$; bash -c 'echo $$ >%[1]s.child; read x <f%[1]s'; } >%[1]s; true`, name)
	}
	if _, err := b.runBash(t.Context(), b.callOf("bash", backgroundArgs(wait("back")))); err != nil {
		t.Fatal(err)
	}
	b.run(wait("front"))
}

// Where the agent is killed, what it ran ends, and the next one clears up what it kept.
func TestKilled(t *testing.T) {
	for _, shell := range []string{"bash", "dash"} {
		if newShell(t).program(shell) == "" {
			continue
		}
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			b := newShell(t)
			b.o.TempDir = b.path("tmp")
			if err := os.Mkdir(b.o.TempDir, 0o755); err != nil {
				t.Fatal(err)
			}
			agent := exec.Command(os.Args[0], "-test.run=^TestKilledAgent$")
			agent.Env = append(os.Environ(), killedDir+"="+b.dir, "CODING_KILLED_SHELL="+shell)
			if err := agent.Start(); err != nil {
				t.Fatal(err)
			}
			var pids []int
			for _, name := range []string{"back", "back.child", "front", "front.child"} {
				pids = append(pids, b.pidIn(name))
			}
			b.run("true") // what a living agent keeps is left alone
			if n := len(b.privates()); n != 2 {
				t.Errorf("%d folders", n)
			}
			if err := agent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = agent.Wait()
			for _, pid := range pids {
				eventually(t, fmt.Sprint(pid, " is dead"), func() bool { return !running(pid) })
			}
			b.Close()
			next := newShell(t)
			next.o.TempDir = b.o.TempDir
			next.run("true")
			if left := b.privates(); len(left) != 1 || left[0] != next.shell.temp {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// privates are the private folders that there are.
func (b *box) privates() []string {
	b.t.Helper()
	all, err := filepath.Glob(filepath.Join(b.o.TempDir, tempPrefix+"*"))
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// The guard ends with the toolbox, and knows nothing of commands that have ended.
func TestGuardEnds(t *testing.T) {
	b := newShell(t)
	b.run("true")
	pid := b.shell.guard.cmd.Process.Pid
	if !running(pid) {
		t.Error("there is no guard")
	}
	if err := b.Close(); err != nil || running(pid) {
		t.Errorf("it runs on after Close, %v", err)
	}
}

// Only what is surely an agent's that is gone is removed.
func TestSweep(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	place := func(name string, mode os.FileMode, owner bool) {
		dir := filepath.Join(top, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if owner {
			if err := os.WriteFile(filepath.Join(dir, ownerName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	dead := fmt.Sprintf("%s%d-", tempPrefix, gone.Process.Pid)
	place(dead+"left", 0o700, true)
	kept := []string{dead + "open", dead + "new", dead + "link", dead + "held", fmt.Sprintf("%s%d-mine", tempPrefix, os.Getpid()),
		tempPrefix + "0-x", tempPrefix + "-1-x", tempPrefix + "12345", "other", "elsewhere"}
	place(dead+"open", 0o755, true)
	place(dead+"new", 0o700, false)
	place("elsewhere", 0o700, true)
	if err := os.Symlink("elsewhere", filepath.Join(top, dead+"link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range kept[4:9] {
		place(name, 0o700, true)
	}
	s := shellState{}
	if err := s.makeTemp(top); err != nil { // as one that is held where the number says nothing
		t.Fatal(err)
	}
	held := filepath.Join(top, dead+"held")
	if err := os.Rename(s.temp, held); err != nil {
		t.Fatal(err)
	}
	sweep(top)
	if _, err := os.Lstat(filepath.Join(top, dead+"left")); err == nil {
		t.Error("what was left is there still")
	}
	for _, name := range kept {
		if _, err := os.Lstat(filepath.Join(top, name)); err != nil {
			t.Errorf("%s: %v", strings.TrimPrefix(name, dead), err)
		}
	}
	if _, err := os.Lstat(filepath.Join(top, "elsewhere", ownerName)); err != nil {
		t.Error("what a link leads to was emptied")
	}
	s.releaseTemp()
	sweep(top)
	if _, err := os.Lstat(held); err == nil {
		t.Error("what was given up is there still")
	}
}
