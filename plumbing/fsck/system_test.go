package fsck

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The override of the base prompt, system.md, stands in the memory folder and
// in prompts: it is no fault there, what a killed writer left of it goes, and a
// forgotten line in it is found.
func TestSystemOverride(t *testing.T) {
	w := newWorld(t)
	w.write(w.memory("system.md"), "Be brief.\n")
	w.write(w.memory("system.md.bak"), "Be kind.\n")
	if d := cmp.Diff([]string{}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	w.write(w.memory(".tmp-system.md-A"), "half")
	w.write(w.memory(".tmp-system.md.bak-A"), "half")
	w.opt.Now = func() time.Time { return time.Time{} } // before every file: the lock decides
	must(t, w.Repair(ctx, func(Finding) error { return nil }))
	if d := cmp.Diff([]string{}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	w.write(w.memory("system.md"), "Be brief.\xff\n")
	if d := cmp.Diff([]string{"note_not_text system.md:1"}, w.codes(w.Check)); d != "" {
		t.Error(d)
	}
	f := w.remember("The codeword.", 1, 1)
	w.forget(f)
	w.write(w.memory("system.md"), "Be brief.\nthe codeword is PELICAN\n")
	if got := w.codes(w.Forgotten); len(got) == 0 || got[len(got)-1] != "still_stands system.md:2" {
		t.Errorf("%v", got)
	}
}
