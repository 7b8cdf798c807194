//go:build unix

package cli

import (
	"strings"
	"syscall"
	"testing"
)

// An interrupt takes the line away; it goes on to end the process where nobody catches it.
func TestProgressInterrupt(t *testing.T) {
	for _, caught := range []bool{true, false} {
		s, tick := showLine(t, 80, "x")
		raised := false
		s.mu.Lock()
		s.caught, s.raise = func() bool { return caught }, func() { raised = true }
		s.mu.Unlock()
		tick(firstLook)
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		<-s.end
		if raised == caught {
			t.Errorf("caught %v, raised %v", caught, raised)
		}
		if got := s.out.String(); !strings.HasSuffix(got, strings.Repeat(" ", 5)+"\r") {
			t.Errorf("%q", got)
		}
		s.stop()
	}
}
