package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// errNothing tells a command that prints nothing from one that works: its time would be no figure.
var errNothing = errors.New("printed nothing")

// oneLine is the baseline of a start: a Go program that prints one line.
const oneLine = `package main

import "fmt"

func main() { fmt.Println("one line") }
`

// spent is what a process took.
type spent struct{ wall, cpu time.Duration }

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// command is a process in the world's project, with its directories and without the caller's own settings.
func (w *world) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = w.root
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "LECODE_") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LECODE_CONFIG_DIR="+w.config.Dir, "LECODE_CACHE_DIR="+w.cache.Dir)
	return cmd
}

// try runs a command once, unmeasured: it has to work and print something. It also warms the index.
func (w *world) try(stdin, name string, args ...string) error {
	cmd := w.command(name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil && len(out) == 0 {
		err = errNothing
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", filepath.Base(name), strings.Join(args, " "), err, stderr.String())
	}
	return nil
}

// spend runs a command and tells what it took; stdin may be nil.
func (w *world) spend(stdin *os.File, name string, args ...string) (spent, error) {
	cmd := w.command(name, args...)
	if stdin != nil {
		if _, err := stdin.Seek(0, io.SeekStart); err != nil {
			return spent{}, err
		}
		cmd.Stdin = stdin
	}
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	if err != nil {
		return spent{}, fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return spent{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// wall makes a measurement of the time that a command takes.
func (w *world) wall(stdin *os.File, name string, args ...string) measurement {
	return func() (time.Duration, error) {
		s, err := w.spend(stdin, name, args...)
		return s.wall, err
	}
}

// measurement takes one figure.
type measurement func() (time.Duration, error)

// inTurn measures each once a round, in the given order, and returns the medians.
func inTurn(rounds int, all ...measurement) ([]time.Duration, error) {
	took := make([][]time.Duration, len(all))
	for range rounds {
		for i, m := range all {
			d, err := m()
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], d)
		}
	}
	medians := make([]time.Duration, len(all))
	for i := range took {
		medians[i] = median(took[i])
	}
	return medians, nil
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// startUp compares the two commands that do least with a Go program that prints one line, and with git.
func (b *bench) startUp() error {
	tiny, err := b.tiny()
	if err != nil {
		return err
	}
	w := b.small
	git := []string{"rev-parse", "--show-toplevel"}
	if err := errors.Join(w.try("", b.lecode, "slug"), w.try("", b.lecode, "generation"), w.try("", "git", git...)); err != nil {
		return err
	}
	m, err := inTurn(b.rounds, w.wall(nil, b.lecode, "slug"), w.wall(nil, tiny),
		w.wall(nil, b.lecode, "generation"), w.wall(nil, "git", git...))
	if err != nil {
		return err
	}
	b.table.times("start-up: lecode slug", m[0], m[1], "Go program, one line", 3)
	b.table.times("start-up: lecode generation", m[2], m[1], "Go program, one line", 3.5)
	b.table.times("start-up: lecode slug", m[0], m[3], "git rev-parse", 0)
	b.table.times("start-up: lecode generation", m[2], m[3], "git rev-parse", 0)
	return nil
}

// tiny builds the program that prints one line, with the flags that lecode is built with.
func (b *bench) tiny() (string, error) {
	src, bin := filepath.Join(b.dir, "oneline.go"), filepath.Join(b.dir, executable("oneline"))
	if err := os.WriteFile(src, []byte(oneLine), 0o600); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(b.ctx, "go", "build", "-trimpath", "-o", bin, src).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the baseline: %w: %s", err, out)
	}
	return bin, nil
}

// appendProcess appends one record in a process of its own to a long and to a short log.
func (b *bench) appendProcess() error {
	line := append(message(1, recordSize), '\n')
	name := filepath.Join(b.dir, "record.jsonl")
	if err := os.WriteFile(name, line, 0o600); err != nil {
		return err
	}
	stdin, err := os.Open(name)
	if err != nil {
		return err
	}
	defer stdin.Close()
	both := []measurement{}
	for _, w := range []*world{b.large, b.small} {
		if err := w.try(string(line), b.lecode, "append", w.session); err != nil {
			return err
		}
		both = append(both, w.wall(stdin, b.lecode, "append", w.session))
	}
	m, err := inTurn(b.rounds, both...)
	if err != nil {
		return err
	}
	b.table.times("lecode append, one record, 64 MB log", m[0], m[1], "1 MB log", 1.3)
	return nil
}

// recallProcess recalls one fact whose evidence lies in the middle of a long and of a short log.
func (b *bench) recallProcess() error {
	both := []measurement{}
	for _, w := range []*world{b.large, b.small} {
		err := w.try("", b.lecode, "recall", w.fact)
		if errors.Is(err, errNothing) {
			b.table.missing("lecode recall FACT, 64 MB log", err)
			return nil
		}
		if err != nil {
			return err
		}
		both = append(both, w.wall(nil, b.lecode, "recall", w.fact))
	}
	m, err := inTurn(b.rounds, both...)
	if err != nil {
		return err
	}
	b.table.times("lecode recall FACT, 64 MB log", m[0], m[1], "1 MB log", 1.2)
	return nil
}

// coldScan lists the long session without an index, which reads and checks every record.
func (b *bench) coldScan() error {
	size, err := b.large.size()
	if err != nil {
		return err
	}
	var cpu []time.Duration
	scan := func() (time.Duration, error) {
		if err := os.RemoveAll(b.large.cache.Dir); err != nil {
			return 0, err
		}
		s, err := b.large.spend(nil, b.lecode, "sessions")
		cpu = append(cpu, s.cpu)
		return s.wall, err
	}
	m, err := inTurn(max(b.rounds/6, 3), scan, func() (time.Duration, error) { return hashFile(b.large.path) })
	if err != nil {
		return err
	}
	b.table.speed("cold scan of 64 MB: lecode sessions", size, m[0], m[1], median(cpu), "SHA-256 of the file", 100)
	return nil
}

func hashFile(name string) (time.Duration, error) {
	began := time.Now()
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := io.Copy(sha256.New(), f); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}
