//go:build unix

package client

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/lecode/lecode/plumbing/config"
)

// alive: it runs; what has ended and nobody has waited for does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(b, []byte(") Z "))
}

func TestCloseLeavesNothing(t *testing.T) {
	w := start(t, map[string]config.Server{"a": fakeServer("normal")}, 0)
	fields := strings.Fields(w.says("mcp__a__env", "{}"))
	pid, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(w.says("mcp__a__child", "{}")))
	if err != nil {
		t.Fatal(err)
	}
	if !alive(pid) || !alive(child) {
		t.Fatal("they do not run")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both processes have ended", func() bool { return !alive(pid) && !alive(child) })
	if got := w.Tools(t.Context()); len(got) != 0 {
		t.Errorf("tools after the end: %v", names(got))
	}
	for _, s := range w.Servers() {
		if s.State != Closed {
			t.Errorf("%+v", s)
		}
	}
	w.Close()
}

// TestCloseWhileConnecting: a server that has not come up yet is not waited for.
func TestCloseWhileConnecting(t *testing.T) {
	pids := t.TempDir()
	w := start(t, map[string]config.Server{"a": fakeServer("never", func(s *config.Server) { s.TimeoutSeconds, s.Env["PIDS"] = 3600, pids })}, 0)
	pid := 0
	eventually(t, "it runs", func() bool {
		names, _ := os.ReadDir(pids)
		if len(names) == 1 {
			pid, _ = strconv.Atoi(names[0].Name())
		}
		return pid > 0
	})
	w.Close()
	eventually(t, "it has ended", func() bool { return !alive(pid) })
	if s := w.Servers()[0]; s.State != Closed || w.told() != "" {
		t.Errorf("%+v, notices %s", s, w.told())
	}
}
