//go:build linux

package testscripts

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/lecode/lecode/plumbing/file"
)

// writes are the commands that store something, as shell lines; $R holds a source ref.
var writes = map[string]string{
	"append":      `echo "$RECORD" | lecode append s1`,
	"new-session": `LECODE_TEST_ID=s9 lecode new-session`,
	"import":      `lecode import "$TRANSCRIPT"`,
	"remember":    `echo "$R" | lecode remember --text "A new fact."`,
	"note write":  `head -c 9000 /dev/zero | tr '\0' x | lecode note write notes/n.md`,
	"compact":     `echo "$ANSWERED" | lecode compact --apply s3`,
}

// prepare makes a session with records and the variables that the lines of writes want.
func (m *machine) prepare(fact bool) {
	m.t.Helper()
	here, err := os.Getwd()
	if err != nil {
		m.t.Fatal(err)
	}
	m.session("s1")
	m.must(said("We use tabs.")+said("And no spaces."), "append", "s1")
	m.env["R"] = strings.TrimSpace(m.must("", "snapshot", "s1", "1", "1"))
	m.session("s3")
	m.must(strings.Repeat(said("We use tabs."), 6), "append", "s3")
	m.env["ANSWERED"] = strings.Replace(strings.TrimSpace(m.must("", "compact", "--plan", "s3")), `,"session_id":"s3","type":"plan"}`,
		`,"response":{"blocks":[{"text":"Tabs.","type":"text"}],"call_id":"c","finish_reason":"stop","model":"m","usage":null},"session_id":"s3","type":"plan"}`, 1)
	m.env["RECORD"] = strings.TrimSpace(said(strings.Repeat("x", 9000)))
	m.env["TRANSCRIPT"] = filepath.Join(here, "testdata", "demo", "session.jsonl")
	if fact {
		m.env["F"] = gjson.Get(m.must(m.env["R"], "remember", "--text", "Indent with tabs."), "id").Str
	}
}

// fill takes what space is left.
func (m *machine) fill() (free func()) {
	m.t.Helper()
	path := filepath.Join(m.config(), "filler")
	f, err := os.Create(path)
	if err != nil {
		m.t.Fatal(err)
	}
	defer f.Close()
	for size := 4096; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	return func() {
		if err := os.Remove(path); err != nil {
			m.t.Fatal(err)
		}
	}
}

func TestFullDiskWhileAppending(t *testing.T) {
	t.Parallel()
	for _, cache := range []string{"elsewhere", "on it too"} {
		t.Run("cache "+cache, func(t *testing.T) {
			m := newMachine(t)
			m.mount(m.config(), "-t", "tmpfs", "-o", "size=1m", "lecode-test")
			if cache != "elsewhere" {
				m.env["LECODE_CACHE_DIR"] = filepath.Join(m.config(), "cache")
			}
			m.session("s1")
			record := said(strings.Repeat("x", 3000))
			r := m.lecode(strings.Repeat(record, 500), "append", "s1")
			m.refused("append", r, "no space left")
			acked := acknowledged(r.out)
			m.fill()
			r = m.lecode(said(strings.Repeat("x", 9000)), "append", "s1")
			m.refused("append to a full disk", r, "no space left")
			acked = append(acked, acknowledged(r.out)...)
			n := m.sound("s1", acked)
			if len(acked) < 10 || n < int64(len(acked)) {
				t.Errorf("%d acknowledged, %d there", len(acked), n)
			}
			if got := m.leftovers(); len(got) > 0 {
				t.Errorf("left over: %v", got)
			}
		})
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, fact := range []bool{false, true} {
		t.Run(fmt.Sprintf("a fact is there %v", fact), func(t *testing.T) {
			m := newMachine(t)
			m.mount(m.config(), "-t", "tmpfs", "-o", "size=1m", "lecode-test")
			m.prepare(fact)
			before := m.must("", "log", "--raw", "s1")
			names := []string{"append", "new-session", "import", "note write", "remember"} // the last one tells a new fact
			if !fact {
				names = names[4:] // there the database has to be made first
			}
			for _, name := range names {
				line, free := writes[name], m.fill()
				m.refused(name, m.sh("", line))
				if got := m.leftovers(); len(got) > 0 {
					t.Errorf("%s left %v", name, got)
				}
				if r := m.lecode("", "facts"); r.code != 0 || strings.Contains(r.out, "A new fact") {
					t.Errorf("facts after %s: exit code %d %s%s", name, r.code, r.out, r.err)
				}
				if now := m.must("", "log", "--raw", "s1"); name == "append" && now != before {
					t.Error("a refused append changed the log")
				}
				free()
				if r := m.sh("", line); r.code != 0 {
					t.Errorf("%s, with space again: exit code %d %s", name, r.code, r.err)
				}
			}
			m.sound("s1", []int64{1, 2})
		})
	}
}

func TestReadOnlyConfiguration(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.prepare(true)
	m.mount(m.config(), "--bind", m.config())
	m.mount2(m.config(), "-o", "remount,ro,bind")
	for _, line := range []string{
		"lecode sessions", "lecode log s1", "lecode log --raw s1 1 1", "lecode facts", "lecode generation", "lecode prompt", "lecode export s1",
		"lecode exclusions", "lecode snapshot s1 1 2", `lecode recall "$F"`, `lecode provenance "$F"`, `echo "$R" | lecode validate`, "lecode slug", "lecode note list",
	} {
		if r := m.sh("", line); r.code != 0 || r.err != "" {
			t.Errorf("%s: exit code %d, %s", line, r.code, r.err)
		}
	}
	for name, line := range writes {
		m.refused(name, m.sh("", line), m.config())
	}
	for _, line := range []string{
		"lecode undo s1", "lecode clear s1", "lecode delete-session s1", `lecode forget "$F"`,
		`echo "$R" | lecode correct "$F" --revision 1 --text "Other."`,
	} {
		m.refused(line, m.sh("", line), m.config())
	}
}

// mount2 changes a mount that is there.
func (m *machine) mount2(dir string, args ...string) {
	m.t.Helper()
	if r := m.finish(m.command("", "mount", append(args, dir)...)); r.code != 0 {
		m.t.Skipf("1 case skipped: remounting is not permitted here: %s", r.err)
	}
}

// TestUnreadableConfiguration runs as nobody, since nothing is unreadable to the superuser.
func TestUnreadableConfiguration(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("1 case skipped: only the superuser can run the programs as another user")
	}
	for _, closed := range []string{".", "sessions", "sessions/*"} {
		t.Run(closed, func(t *testing.T) {
			m := newMachine(t)
			m.prepare(true)
			if r := m.finish(m.command("", "chown", "-R", "65534:65534", m.work)); r.code != 0 {
				t.Skipf("1 case skipped: cannot change owners here: %s", r.err)
			}
			for _, dir := range []string{bin, filepath.Dir(m.work), m.work} {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			dirs, _ := filepath.Glob(filepath.Join(m.config(), closed))
			if len(dirs) != 1 {
				t.Fatalf("%s: %v", closed, dirs)
			}
			if err := os.Chmod(dirs[0], 0); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"sessions"}, {"log", "s1"}, {"snapshot", "s1", "1", "1"}, {"append", "s1"}, {"new-session"}, {"export", "s1"}} {
				cmd := m.command(said("x"), "lecode", args...)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
				m.refused(strings.Join(args, " "), m.finish(cmd), "no permission", m.config())
			}
			if closed != "." {
				return
			}
			for _, args := range [][]string{{"facts"}, {"generation"}, {"prompt"}, {"recall", m.env["F"]}} {
				cmd := m.command("", "lecode", args...)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
				m.refused(strings.Join(args, " "), m.finish(cmd), m.config())
			}
		})
	}
}

func TestFileSizeLimit(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.session("s1")
	record := said(strings.Repeat("x", 3000))
	r := m.sh(strings.Repeat(record, 100), "ulimit -f 64; exec lecode append s1")
	m.refused("append", r, "file too large")
	m.sound("s1", acknowledged(r.out))
	again := acknowledged(m.must(record, "append", "s1"))
	m.sound("s1", append(again, acknowledged(r.out)...))
}

func TestReaderOfStdoutGoesAway(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.session("s1")
	m.must(strings.Repeat(said(strings.Repeat("x", 3000)), 100), "append", "s1") // more than a pipe holds
	r := m.sh("", `for i in $(seq 20); do lecode log s1 | head -1 >/dev/null; done`)
	if r.code != 0 || r.err != "" {
		t.Errorf("exit code %d, stderr %.300q", r.code, r.err)
	}
}

// TestClosedStreams: what is printed must not land in a file that got the number of a closed stream.
func TestClosedStreams(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.prepare(true)
	n := m.sound("s1", nil)
	for _, line := range []string{
		"lecode log s1 >&-", "lecode facts >&-", "lecode sessions >&-", "lecode log nope 2>&-", "lecode nonsense 2>&-",
		"lecode append nope <&-", `lecode log nope >&- 2>&- <&-`, `LECODE_TEST_ID=s2 lecode new-session >&- 2>&- <&-`,
		`echo "$R" | lecode remember --text 'Two.' >&- 2>&-`,
	} {
		if r := m.sh("", line); r.err != "" && strings.Contains(line, ">&-") || strings.Contains(r.err, "defect") || r.code > 5 {
			t.Errorf("%s: exit code %d, %s", line, r.code, r.err)
		}
	}
	m.sh("", `echo "$RECORD" | lecode append s1 >&-; { echo "$RECORD"; echo junk; } | lecode append s1 2>&-`)
	if got := m.sound("s1", nil); got != n+2 {
		t.Errorf("%d records, want %d", got, n+2)
	}
	m.sound("s2", nil)
	if out := m.must("", "facts"); strings.Count(out, "\n") != 2 {
		t.Errorf("facts: %s", out)
	}
}

// attached starts an append that holds the session and has stored one record.
func (m *machine) attached(id string) (p *os.Process, stdin io.WriteCloser, stdout io.ReadCloser, wait func() error) {
	m.t.Helper()
	cmd := m.command("", "lecode", "append", id)
	cmd.Stdin = nil
	stdin, err := cmd.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if stdout, err = cmd.StdoutPipe(); err != nil {
		m.t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	wait = sync.OnceValue(cmd.Wait)
	m.t.Cleanup(func() { cmd.Process.Kill(); wait() })
	if _, err := io.WriteString(stdin, said("first")); err != nil {
		m.t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if len(acknowledged(line)) != 1 {
		m.t.Fatalf("append answers %q, %v", line, err)
	}
	return cmd.Process, stdin, stdout, wait
}

func TestAppendAfterItsReaderWentAway(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.session("s1")
	_, stdin, stdout, wait := m.attached("s1")
	stdout.Close()
	if _, err := io.WriteString(stdin, said("second")); err != nil {
		t.Fatal(err)
	}
	stdin.Close()
	wait()
	if n := m.sound("s1", []int64{1, 2}); n != 3 && n != 2 {
		t.Errorf("%d records", n)
	}
}

func TestKilledAppendFreesTheSession(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.session("s1")
	for i := range 3 {
		p, stdin, _, wait := m.attached("s1")
		if _, err := io.WriteString(stdin, `{"type":"title","title":"half a li`); err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(m.config(), strings.TrimSuffix(m.logFile("s1"), ".jsonl")+".lock")
		if err != nil {
			t.Fatal(err)
		}
		tree := file.Tree{Dir: m.config()}
		if held, err := tree.Locked(filepath.ToSlash(name)); !held || err != nil {
			t.Fatalf("attached, but locked is %v, %v", held, err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		wait()
		if held, err := tree.Locked(filepath.ToSlash(name)); held || err != nil {
			t.Errorf("killed, but locked is %v, %v", held, err)
		}
		m.must(said("next"), "append", "s1")
		m.sound("s1", []int64{int64(2*i + 1), int64(2*i + 2)})
	}
}

func TestParallelAppends(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.session("s1")
	var wg sync.WaitGroup
	results := make([]result, 30)
	for i := range results {
		wg.Go(func() { results[i] = m.lecode(said(fmt.Sprint("number ", i)), "append", "s1") })
	}
	wg.Wait()
	var seqs []int64
	for i, r := range results {
		switch got := acknowledged(r.out); {
		case r.code == 0 && len(got) == 1 && r.err == "":
			seqs = append(seqs, got...)
		case r.code == 7 && len(got) == 0 && strings.Count(r.err, "\n") == 1: // it waited its five seconds
		default:
			t.Errorf("append %d: exit code %d\n%s%s", i, r.code, r.out, r.err)
		}
	}
	slices.Sort(seqs)
	for i, seq := range seqs {
		if seq != int64(i+1) {
			t.Fatalf("the acknowledged seqs are %v", seqs)
		}
	}
	if n := m.sound("s1", seqs); n != int64(len(seqs))+1 && n != int64(len(seqs)) || len(seqs) == 0 {
		t.Errorf("%d acknowledged, the log has %d", len(seqs), n)
	}
}
