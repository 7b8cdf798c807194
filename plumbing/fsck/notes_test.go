package fsck

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lecode/lecode/plumbing/file"
)

// What a killed writer of notes left is removed at once, since notes are
// written under a lock; while that is held it stays. Backups and the lock are
// no faults unless others may use them, or they are links.
func TestNotesLeftOver(t *testing.T) {
	w := newWorld(t)
	w.write(w.memory("MEMORY.md"), "text")
	w.write(w.memory("MEMORY.md.bak"), "text before")
	for _, name := range []string{".tmp-MEMORY.md-A", ".tmp-MEMORY.md.bak-A", "notes/.tmp-x.md-A", "daily/.tmp-2026-01-02.md.bak-A"} {
		w.write(w.memory(name), "half")
	}
	left := []string{"temporary_file .tmp-2026-01-02.md.bak-A", "temporary_file .tmp-MEMORY.md-A", "temporary_file .tmp-MEMORY.md.bak-A", "temporary_file .tmp-x.md-A"}
	w.opt.Now = func() time.Time { return time.Time{} } // before every file
	l, err := w.opt.Config.TryLock(w.notesLock(), "a writer")
	must(t, err)
	must(t, w.Repair(ctx, func(f Finding) error { t.Errorf("mended %s", f.Code); return nil }))
	if d := cmp.Diff(left, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	must(t, l.Unlock())
	must(t, w.Repair(ctx, func(Finding) error { return nil }))
	if d := cmp.Diff([]string{}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	if file.TempPrefix != ".tmp-" {
		t.Error("the names above are no temporary files")
	}
	must(t, os.Chmod(w.memory("MEMORY.md.bak"), 0o644))
	must(t, os.Remove(w.memory("notes.lock")))
	must(t, os.Symlink("/nowhere", w.memory("notes.lock")))
	w.write(w.memory(".tmp-MEMORY.md-B"), "half")
	want := []string{"not_plain notes.lock", "permissions MEMORY.md.bak", "temporary_file .tmp-MEMORY.md-B"}
	for range 2 { // and no repair follows the link
		if d := cmp.Diff(want, w.codes(w.Check)); d != "" {
			t.Error(d)
		}
		must(t, w.Repair(ctx, func(f Finding) error { t.Errorf("mended %s", f.Code); return nil }))
	}
}
