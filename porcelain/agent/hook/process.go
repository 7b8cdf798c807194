package hook

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lecode/lecode/plumbing/config"
)

const (
	defaultLimit = 60                     // seconds, where a hook has no limit, as config.toml has it
	pipeWait     = 250 * time.Millisecond // for stderr that is still open when the hook has ended
)

// end is how a hook ended.
type end struct {
	fault  string // why it gave no answer; "": it ended by itself
	code   int    // its exit code; below 0: a signal ended it
	status string // in words
	stderr string // see said
}

// run runs one hook to its end, its time limit or that of ctx.
func (r Runner) run(ctx context.Context, h config.Hook, line []byte) end {
	program, err := r.find(h.Command)
	if err != nil {
		return end{fault: "cannot be started: " + r.why(err)}
	}
	limit := r.limit(h)
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(inner, program, h.Command[1:]...)
	cmd.Args[0] = h.Command[0]
	cmd.Dir = r.Dir
	cmd.Env = append([]string{}, r.Env...) // nil would be this process's own
	cmd.Stdin = bytes.NewReader(line)
	var stderr said
	cmd.Stderr = &stderr
	cmd.WaitDelay = pipeWait
	group(cmd)
	var killed atomic.Bool
	kill := cmd.Cancel
	cmd.Cancel = func() error {
		killed.Store(true)
		return kill()
	}
	late := end{fault: "did not end within " + limit.String()}
	switch err := cmd.Start(); {
	case err != nil && inner.Err() != nil:
		return late
	case err != nil:
		return end{fault: "cannot be started: " + r.why(err)}
	}
	_ = cmd.Wait() // what it says of pipes does not matter: the exit code is the answer
	code := cmd.ProcessState.ExitCode()
	if killed.Load() && (code < 0 || runtime.GOOS == "windows") { // Windows gives a killed program an exit code
		return late
	}
	return end{code: code, status: cmd.ProcessState.String(), stderr: stderr.text()}
}

func (r Runner) limit(h config.Hook) time.Duration {
	seconds, second := h.TimeoutSeconds, r.second
	if seconds <= 0 {
		seconds = defaultLimit
	}
	if second <= 0 {
		second = time.Second
	}
	return time.Duration(seconds) * second
}

// find is the program of a command. A name without a folder is looked for in
// the PATH of Env, absolute folders only; a relative path counts from Dir.
func (r Runner) find(command []string) (string, error) {
	if len(command) == 0 || command[0] == "" {
		return "", exec.ErrNotFound
	}
	name := command[0]
	switch {
	case filepath.IsAbs(name):
		return name, nil
	case filepath.Base(name) != name:
		return filepath.Join(r.Dir, name), nil
	}
	for _, dir := range filepath.SplitList(r.path()) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", exec.ErrNotFound
}

// path is the PATH of Env; the last one counts, as it does for a process.
func (r Runner) path() string {
	path := ""
	for _, variable := range r.Env {
		key, value, _ := strings.Cut(variable, "=")
		if key == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(key, "PATH") {
			path = value
		}
	}
	return path
}

// why says what hindered a start, without the path that the name of the hook tells already.
func (r Runner) why(err error) string {
	var path *fs.PathError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "it is not on the PATH"
	case errors.As(err, &path):
		// The system names the program also where the folder is what is wrong.
		if _, e := os.Stat(r.Dir); errors.As(e, &path) {
			return "it cannot run in the project's folder: " + path.Err.Error()
		}
		return path.Err.Error()
	}
	return err.Error()
}
