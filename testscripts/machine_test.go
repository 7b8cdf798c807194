//go:build linux

package testscripts

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// machine is a project of its own on a machine that is about to fail.
type machine struct {
	t       *testing.T
	work    string // home, config, cache and project lie in it
	project string
	env     map[string]string
}

// result is how a program ended.
type result struct {
	code     int // -1: by a signal
	out, err string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	work := t.TempDir()
	m := &machine{t: t, work: work, project: filepath.Join(work, "kettle"), env: environment(work)}
	for _, dir := range []string{m.project, filepath.Join(work, "home"), m.config()} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.env["PATH"] = bin + string(os.PathListSeparator) + os.Getenv("PATH")
	if m.env["GOCOVERDIR"] == "" {
		m.env["GOCOVERDIR"] = work
	}
	return m
}

func (m *machine) config() string { return filepath.Join(m.work, "config") }

// command is a program of the machine, not yet started.
func (m *machine) command(stdin string, name string, args ...string) *exec.Cmd {
	if name == "lecode" {
		name = filepath.Join(bin, name)
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = m.project
	cmd.Stdin = strings.NewReader(stdin)
	for k, v := range m.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// finish runs a command to its end.
func (m *machine) finish(cmd *exec.Cmd) result {
	m.t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("run %v: %v", cmd.Args, err)
	}
	return result{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

func (m *machine) lecode(stdin string, args ...string) result {
	m.t.Helper()
	return m.finish(m.command(stdin, "lecode", args...))
}

func (m *machine) sh(stdin, script string) result {
	m.t.Helper()
	return m.finish(m.command(stdin, "bash", "-c", script))
}

// must runs lecode where it has to succeed.
func (m *machine) must(stdin string, args ...string) string {
	m.t.Helper()
	r := m.lecode(stdin, args...)
	if r.code != 0 || r.err != "" {
		m.t.Fatalf("lecode %v: exit code %d\n%s", args, r.code, r.err)
	}
	return r.out
}

// session makes a session under an ID of the test's choice.
func (m *machine) session(id string) string {
	m.t.Helper()
	m.env["LECODE_TEST_ID"] = id
	defer delete(m.env, "LECODE_TEST_ID")
	return gjson.Get(m.must("", "new-session"), "id").Str
}

// said is a record of a user message.
func said(text string) string {
	return fmt.Sprintf(`{"type":"message","role":"user","origin":"user","content":[{"type":"text","text":%q}]}`+"\n", text)
}

// acknowledged lists the seqs in the answers of append.
func acknowledged(out string) []int64 {
	var seqs []int64
	for line := range strings.Lines(out) {
		for _, v := range gjson.Get(line, "seqs").Array() {
			seqs = append(seqs, v.Int())
		}
	}
	return seqs
}

// sound checks that a session's log is whole, holds what was acknowledged, and
// goes on; it returns how many records it had.
func (m *machine) sound(id string, acked []int64) int64 {
	m.t.Helper()
	raw := m.must("", "log", "--raw", id)
	if path := m.logFile(id); path != "" {
		if b, err := os.ReadFile(path); err != nil || !bytes.HasSuffix(b, []byte(raw)) || !bytes.HasSuffix(b, []byte("\n")) {
			m.t.Errorf("the log of %s ends in what `log` does not print (%v)", id, err)
		}
	}
	seqs := map[int64]bool{}
	for line := range strings.Lines(raw) {
		seqs[gjson.Get(line, "seq").Int()] = true
	}
	for _, seq := range acked {
		if !seqs[seq] {
			m.t.Errorf("seq %d was acknowledged and is not there", seq)
		}
	}
	if r := m.lecode("", "sessions"); r.code != 0 || strings.Contains(r.out, `"corrupt":{`) {
		m.t.Errorf("sessions: exit code %d\n%s%s", r.code, r.out, r.err)
	}
	return int64(len(seqs))
}

// logFile is where a session's log lies; "" where there is none.
func (m *machine) logFile(id string) string {
	list, _ := filepath.Glob(filepath.Join(m.config(), "sessions", "*", id+".jsonl"))
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// leftovers lists temporary files in the configuration directory.
func (m *machine) leftovers() (names []string) {
	filepath.WalkDir(m.config(), func(path string, _ os.DirEntry, _ error) error {
		if strings.HasPrefix(filepath.Base(path), ".tmp-") {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// refused checks that a command ended with code 5 and one line that says all of it.
func (m *machine) refused(what string, r result, says ...string) {
	m.t.Helper()
	if r.code != 5 || strings.Count(r.err, "\n") != 1 || !strings.HasPrefix(r.err, "lecode: ") {
		m.t.Errorf("%s: exit code %d, want 5 and one line\nstdout: %.300s\nstderr: %.600s", what, r.code, r.out, r.err)
	}
	for _, s := range says {
		if !strings.Contains(r.err, s) {
			m.t.Errorf("%s: %q does not name %q", what, r.err, s)
		}
	}
}

// mount mounts over the folder, until the test ends; where that is not permitted the test is skipped.
func (m *machine) mount(dir string, args ...string) {
	m.t.Helper()
	if out, err := exec.Command("mount", append(args, dir)...).CombinedOutput(); err != nil {
		m.t.Skipf("1 case skipped: mounting is not permitted here: %s", bytes.TrimSpace(out))
	}
	m.t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			m.t.Errorf("umount: %s", out)
		}
	})
}
