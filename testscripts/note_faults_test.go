//go:build linux

package testscripts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// memory is where the project's notes lie.
func (m *machine) memory(name string) string {
	m.t.Helper()
	list, err := filepath.Glob(filepath.Join(m.config(), "memory", "kettle-*"))
	if err != nil || len(list) != 1 {
		m.t.Fatalf("memory folders: %v, %v", list, err)
	}
	return filepath.Join(list[0], name)
}

// wholeNote checks that the note of writes is there whole, as it has to be once the write was done again.
func (m *machine) wholeNote(what string, done bool) {
	m.t.Helper()
	want := strings.Repeat("x", 9000)
	if b, err := os.ReadFile(m.memory("notes/n.md")); err != nil || string(b) != want {
		m.t.Errorf("%s: the note has %d bytes, %v", what, len(b), err)
	}
	if b, err := os.ReadFile(m.memory("notes/n.md.bak")); err == nil && string(b) != want {
		m.t.Errorf("%s: the backup has %d bytes", what, len(b))
	} else if done && err != nil {
		m.t.Errorf("%s: written twice, and no backup: %v", what, err)
	}
}

// memoryIs checks that the old text is whole, in its file and, where there is one, in the backup, and nothing is left over.
func (m *machine) memoryIs(want string, backup ...string) {
	m.t.Helper()
	if got := m.must("", "note", "read", "--raw", "MEMORY.md"); got != want {
		m.t.Errorf("MEMORY.md has %d bytes, want %d", len(got), len(want))
	}
	b, err := os.ReadFile(m.memory("MEMORY.md.bak"))
	ok := err != nil && len(backup) == 0
	for _, text := range backup {
		ok = ok || err == nil && string(b) == text
	}
	if !ok {
		m.t.Errorf("the backup has %d bytes, %v", len(b), err)
	}
	if left := m.leftovers(); len(left) > 0 {
		m.t.Errorf("left over: %v", left)
	}
}

// TestFullDiskWhileWritingNotes: full at the backup, and full between the backup and the new text (N1).
func TestFullDiskWhileWritingNotes(t *testing.T) {
	t.Parallel()
	old, text := strings.Repeat("old text\n", 80_000), strings.Repeat("new text\n", 80_000) // 720 KB each
	for _, c := range []struct {
		size   string
		backup []string
	}{{"1m", nil}, {"2m", []string{old}}} {
		t.Run(c.size, func(t *testing.T) {
			m := newMachine(t)
			m.mount(m.config(), "-t", "tmpfs", "-o", "mode=700,size="+c.size, "lecode-test")
			m.must(old, "note", "write", "MEMORY.md")
			m.refused("write", m.lecode(text, "note", "write", "MEMORY.md"), "no space left", "MEMORY.md")
			m.memoryIs(old, c.backup...)
			m.refused("append", m.lecode("more", "note", "write", "--append", "MEMORY.md"), "no space left")
			m.refused("edit", m.lecode("", "note", "edit", "MEMORY.md", "--old", "old", "--new", "new", "--all"), "no space left")
			m.memoryIs(old, c.backup...)
			if r := m.lecode("", "fsck"); r.code != 0 {
				t.Errorf("fsck: exit code %d\n%s%s", r.code, r.out, r.err)
			}
		})
	}
}

// TestNoteFileSizeLimit is a disk that fills by a limit of the process.
func TestNoteFileSizeLimit(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.must("old\n", "note", "write", "MEMORY.md")
	m.refused("write", m.sh(strings.Repeat("x", 5000), "ulimit -f 1; exec lecode note write MEMORY.md"), "file too large", "MEMORY.md")
	m.memoryIs("old\n", "old\n")
	m.refused("new", m.sh(strings.Repeat("x", 5000), "ulimit -f 1; exec lecode note write notes/n.md"), "file too large")
	if _, err := os.Stat(m.memory("notes/n.md")); err == nil {
		t.Error("half a note was made")
	}
	m.memoryIs("old\n", "old\n")
}

// TestFailedNoteWrites fails each fsync and rename of a write in turn, and kills it there: one of the two texts stands whole.
func TestFailedNoteWrites(t *testing.T) {
	t.Parallel()
	needStrace(t)
	old, text := strings.Repeat("old\n", 3000), strings.Repeat("new\n", 3000)
	for _, c := range []struct {
		strace
		least int // the calls of one kind may be spread over threads, which are counted apart
	}{
		{strace{"fsync", "error=EIO", 0}, 2}, {strace{"fsync", "signal=KILL", 0}, 2},
		{strace{"renameat,renameat2", "error=EIO", 0}, 1}, {strace{"renameat,renameat2", "signal=KILL", 0}, 1},
	} {
		s := c.strace
		t.Run(s.calls+" "+s.how, func(t *testing.T) {
			m := newMachine(t)
			m.env["TEXT"] = text
			for s.when = 1; ; s.when++ {
				m.must(old, "note", "write", "MEMORY.md")
				r, injected := m.under(s, `printf %s "$TEXT" | lecode note write MEMORY.md`)
				if !injected {
					break
				}
				what := fmt.Sprintf("%s:%s at call %d", s.calls, s.how, s.when)
				m.oneOfTwo(what, r, old, text)
				if r := m.lecode("", "fsck", "--repair"); r.code != 0 && r.code != 1 {
					t.Errorf("%s: fsck: exit code %d %s", what, r.code, r.err)
				}
				if left := m.leftovers(); len(left) > 0 {
					t.Errorf("%s: not even fsck removes %v", what, left)
				}
			}
			if s.when-1 < c.least {
				t.Errorf("only %d calls failed", s.when-1)
			}
		})
	}
}

// oneOfTwo checks that a file and its backup are whole after a write that failed; done means the new text.
func (m *machine) oneOfTwo(what string, r result, old, text string) {
	m.t.Helper()
	killed := r.code < 0 || r.code > 128
	if !killed && r.code != 0 && (r.code != 5 || strings.Count(r.err, "\n") != 1) {
		m.t.Errorf("%s: exit code %d, %s", what, r.code, r.err)
	}
	if !killed && len(m.leftovers()) > 0 {
		m.t.Errorf("%s leaves %v", what, m.leftovers())
	}
	b, err := os.ReadFile(m.memory("MEMORY.md"))
	if err != nil || string(b) != old && string(b) != text || r.code == 0 && string(b) != text {
		m.t.Errorf("%s, exit code %d: MEMORY.md has %d bytes, %v", what, r.code, len(b), err)
	}
	if b, err := os.ReadFile(m.memory("MEMORY.md.bak")); err == nil && string(b) != old && string(b) != text {
		m.t.Errorf("%s: the backup has %d bytes", what, len(b))
	}
}
