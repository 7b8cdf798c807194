//go:build unix

package coding

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// pwd is the command that says where a shell is, without links.
const pwd = "command pwd -P"

// canRun reports whether a file may be run by somebody.
func canRun(_ string, info fs.FileInfo) bool { return info.Mode().Perm()&0o111 != 0 }

// apart gives the shell a session of its own: a process group that is ended
// whole, and no terminal that a program could ask a password on.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// tree is a shell's process group, and what has left it. That is found by the
// mark in its environment, where the system shows that (Linux); elsewhere it
// runs on, without its output.
type tree struct {
	pid  int
	mark []byte
}

func treeOf(cmd *exec.Cmd, mark string) tree {
	return tree{cmd.Process.Pid, []byte("\x00" + markName + "=" + mark + "\x00")}
}

func (tree) close() {}

// end sends TERM, or KILL with force. Strays are sent it too where asked for,
// until no new ones are found: they may start others meanwhile.
func (t tree) end(force, strays bool) {
	sig := syscall.SIGTERM
	if force {
		sig = syscall.SIGKILL
	}
	_ = syscall.Kill(-t.pid, sig) // gone is gone
	if !strays {
		return
	}
	seen := map[int]bool{}
	for range 10 {
		before := len(seen)
		t.eachStray(func(p *os.Process) {
			seen[p.Pid] = true
			_ = p.Signal(sig)
		})
		if len(seen) == before {
			return
		}
	}
}

// alive reports whether something in the group runs. Zombies do not: where
// nobody waits for them they stay, as in a container without an init.
func (t tree) alive() bool {
	if err := syscall.Kill(-t.pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	known := false
	for pid := range pids() {
		state, group, ok := statOf(pid)
		if ok && group == t.pid && state != 'Z' && state != 'X' {
			return true
		}
		known = known || ok
	}
	return !known
}

// eachStray gives the processes that carry the mark and have left the group. The
// handle is taken before the mark is read, so that it is not another process
// that has the number by now.
func (t tree) eachStray(do func(*os.Process)) {
	for pid := range pids() {
		_, group, ok := statOf(pid)
		if !ok || group == t.pid {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if env := procFile(pid, "environ"); bytes.Contains(append([]byte{0}, env...), t.mark) {
			do(p)
		}
		_ = p.Release()
	}
}

// owned reports whether a folder is this user's, and closed to others.
func owned(info fs.FileInfo) bool {
	sys, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(sys.Uid) == os.Geteuid() && info.Mode().Perm() == 0o700
}

// gone reports whether no process has a number.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// pids are the processes that there are; none where the system does not show them as files.
func pids() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		d, err := os.Open("/proc")
		if err != nil {
			return
		}
		defer d.Close()
		names, _ := d.Readdirnames(-1)
		for _, name := range names {
			if pid, err := strconv.Atoi(name); err == nil && !yield(pid) {
				return
			}
		}
	}
}

// statOf is the state and the group of a process.
func statOf(pid int) (state byte, group int, ok bool) {
	b := procFile(pid, "stat")
	// The name stands in brackets and may hold any byte.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 3 || len(fields[0]) != 1 {
		return 0, 0, false
	}
	group, err := strconv.Atoi(string(fields[2]))
	return fields[0][0], group, err == nil
}

// maxEnviron is the most bytes of an environment that are looked at.
const maxEnviron = 4 << 20

func procFile(pid int, name string) []byte {
	f, err := os.Open(filepath.Join("/proc", strconv.Itoa(pid), name))
	if err != nil {
		return nil
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxEnviron))
	return b
}
