//go:build linux

package testscripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// TestAdoptCutOff kills `slug --adopt` at, or fails, each rename that it makes:
// called again it ends with all in place, and at no moment is a session shown
// without the facts that say what of it was forgotten.
func TestAdoptCutOff(t *testing.T) {
	t.Parallel()
	needStrace(t)
	calls := []string{"renameat,renameat2"}
	if os.Getenv("LECODE_TORTURE") == "1" {
		calls = append(calls, "fsync", "unlinkat", "write", "openat", "flock", "mkdirat")
	}
	for _, call := range calls {
		for _, how := range []string{"signal=KILL", "error=EIO"} {
			t.Run(call+" "+how, func(t *testing.T) {
				t.Parallel()
				points := 0
				for adoptCutOff(t, strace{call, how, points + 1}) {
					points++
				}
				if points == 0 {
					t.Error("nothing was injected")
				}
			})
		}
	}
}

func adoptCutOff(t *testing.T, s strace) (injected bool) {
	m := newMachine(t)
	m.prepare(true)
	ref := m.must("", "snapshot", "s1", "2", "2")
	m.must("", "forget", gjson.Get(m.must(ref, "remember", "--text", "No spaces."), "id").Str)
	old := m.project
	m.project = filepath.Join(m.work, "moved")
	if err := os.Rename(old, m.project); err != nil {
		t.Fatal(err)
	}
	m.env["OLD"] = old
	_, injected = m.under(s, `lecode slug --adopt "$OLD"`)
	if shown := m.lecode("", "log", "--visible", "durable", "s1"); strings.Contains(shown.out, "And no spaces.") {
		t.Errorf("%v: what was forgotten is shown: %s", s, shown.out)
	}
	if r := m.lecode("", "slug", "--adopt", old); r.code != 0 {
		t.Errorf("%v: again: exit code %d, %s", s, r.code, r.err)
	}
	if r := m.lecode("", "recall", m.env["F"]); r.code != 0 {
		t.Errorf("%v: the fact is lost: exit code %d, %s%s", s, r.code, r.out, r.err)
	}
	if r := m.lecode("", "fsck", "--repair"); r.code > 1 {
		t.Errorf("%v: fsck --repair: exit code %d, %s", s, r.code, r.err)
	}
	return injected
}
