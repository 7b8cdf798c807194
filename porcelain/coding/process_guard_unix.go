//go:build unix

package coding

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
)

// guardScript reads "+ GROUP" where a command begins and "- GROUP" where it has
// ended. At the end of its input, which comes also where the agent is killed,
// it kills the groups that are left.
const guardScript = `live=
while read -r what group; do
  if [ "$what" = + ]; then live="$live $group"; continue; fi
  left=
  for g in $live; do [ "$g" = "$group" ] || left="$left $g"; done
  live=$left
done
for g in $live; do kill -s KILL -- "-$g"; done`

// guard is a shell that outlives this process by a moment and ends the commands
// that it leaves behind. A death signal (Linux's PR_SET_PDEATHSIG) would end only
// their shells, and goes off at the end of a thread. What has left its group is
// not found. The zero value is ready; its mistakes are borne: commands run
// without it.
type guard struct {
	mu  sync.Mutex
	cmd *exec.Cmd
	in  *os.File
}

// start starts it where it does not run yet.
func (g *guard) start(shell string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cmd != nil {
		return
	}
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	defer r.Close()
	// Without an environment no file of the user's is run.
	cmd := &exec.Cmd{Path: shell, Args: []string{shellName(shell), "-c", guardScript}, Dir: "/", Env: []string{}, Stdin: r}
	apart(cmd)
	if err := cmd.Start(); err != nil {
		w.Close()
		return
	}
	g.cmd, g.in = cmd, w
}

// hold has a command ended with this process, until release.
func (g *guard) hold(t tree) (release func()) {
	g.say("+", t.pid)
	return func() { g.say("-", t.pid) }
}

func (g *guard) say(what string, group int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.in != nil {
		fmt.Fprintln(g.in, what, group)
	}
}

// close ends it; commands are left alone.
func (g *guard) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.cmd == nil {
		return
	}
	_ = g.cmd.Process.Kill()
	_ = g.cmd.Wait()
	g.in.Close()
	g.cmd, g.in = nil, nil
}
